import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createService, type Service } from "../../../src/service/index.ts";
import { shopAfter } from "../../conformance/compared-shop.ts";
import { deviatingService } from "../../conformance/deviating-service.ts";
import { shownDeviations } from "../../conformance/deviations.ts";
import { closeServer } from "../../support/asked.ts";
import { closedPort } from "../../support/misbehaving-server.ts";
import { makeRig } from "../../support/rig.ts";
import { freshFolder, runCli } from "../../support/run-cli.ts";

async function answer(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://here");
  const headers = { "x-api-key": String(request.headers["x-api-key"]) };
  const answered = await service.handle({
    method: request.method ?? "GET",
    path: pathname,
    query: searchParams,
    headers,
  });
  response.writeHead(answered.status, answered.headers);
  response.end(answered.body());
}

/** Serves a service as it answers, with its deviation. */
function serve(service: Service) {
  return createServer((request, response) => void answer(service, request, response));
}

const inner = createService();
const { outside } = makeRig({ service: inner });
const deviation = shownDeviations.find(({ name }) => name === "schedule.scheduleType is in capitals")!;
const servers = [serve(inner), serve(deviatingService(inner, deviation).service)] as const;
const urls: string[] = [];

beforeAll(async () => {
  await makeRig({ service: inner }).apply(shopAfter);
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  await outside.call("GET /login");
});
afterAll(() => Promise.all(servers.map(closeServer)));

function projectAt(url: string | undefined) {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "loadform.yaml"), "project: shop\nservice: { url: 'memory:' }\n");
  const env = url === undefined ? {} : { LOADFORM_URL: url, LOADFORM_API_KEY: "local" };
  return (...args: string[]) => runCli(["conformance", ...args], { cwd, env });
}

describe("loadform conformance", () => {
  test("exits 0 where every answer is as the bundled service would give it", async () => {
    const { code, stdout, stderr } = await projectAt(urls[0])();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^\d+ questions about \d+ objects of organization 1 at http:\S+: all answers are as/);
  });

  test("exits 2 where one differs, and says what, by which line of the documents, and what to do", async () => {
    const { code, stdout } = await projectAt(urls[1])();
    expect(code).toBe(2);
    expect(stdout).toContain("Contrary to the API's documents: report these to whoever operates the service.");
    expect(stdout).toContain(
      "schedule.scheduleType: found Recurring in other letters, expected one of Single, Recurring",
    );
    expect(stdout.split("\n")).toContain("    API 1, Schedule");
    expect(stdout).not.toMatch(/hunter2|shop\.test|local\b/);
  });

  test("prints the same as JSON", async () => {
    const { code, stdout } = await projectAt(urls[1])("--json");
    const document = JSON.parse(stdout) as { equal: boolean; differences: { at: string; contradicts: object }[] };
    expect(code).toBe(2);
    expect(document.equal).toBe(false);
    expect(document.differences).toContainEqual(
      expect.objectContaining({ at: "schedule.scheduleType", contradicts: { section: "API 1, Schedule" } }),
    );
  });

  test("exits 1 where nobody answers, and where there is no project", async () => {
    const unanswered = await projectAt(await closedPort())("--timeout", "1");
    expect([unanswered.code, unanswered.stdout]).toEqual([1, ""]);
    expect(unanswered.stderr).toContain("LF2001");
    const missing = await runCli(["conformance"], { cwd: freshFolder() });
    expect([missing.code, missing.stdout]).toEqual([1, ""]);
  });
});
