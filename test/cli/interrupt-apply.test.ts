import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshFolder, runCli, startCli } from "../support/run-cli.ts";

const project = `project: slow
testCases:
  checkout:
    scenarios:
      browse: { script: "run();", dataStores: { users.csv: { contents: "a,b" } } }
`;

describe("an interrupted apply", () => {
  let service: Awaited<ReturnType<typeof startCli>>;
  let url = "";

  beforeAll(async () => {
    service = await startCli(["serve", "--port", "0", "--json"]);
    const [line] = (await once(createInterface({ input: service.stdout }), "line")) as [string];
    ({ url } = JSON.parse(line) as { url: string });
  });

  afterAll(() => {
    service.kill("SIGKILL");
  });

  /** Starts an apply whose second object takes its time, and waits until the first is made. */
  async function applySlowly(delayMs: number) {
    const headers = { "X-Api-Key": "local", "content-type": "application/json", connection: "close" };
    const faults = [{ method: "POST", path: "/test-cases/:testCaseId/scripts", delayMs }];
    await fetch(`${url}/_loadform/reset`, { method: "POST", headers });
    await fetch(`${url}/_loadform/faults`, { method: "PUT", headers, body: JSON.stringify(faults) });
    const cwd = freshFolder();
    writeFileSync(join(cwd, "loadform.yaml"), project);
    const env = { LOADFORM_URL: url, LOADFORM_API_KEY: "local" };
    const child = await startCli(["apply", "--auto-approve"], { cwd, env });
    await once(createInterface({ input: child.stderr }), "line");
    const closed = once(child, "close");
    const signalledAt = Date.now();
    const ended = async () => ({ code: ((await closed) as [number | null])[0], tookMs: Date.now() - signalledAt });
    return { child, ended, list: () => runCli(["state", "list"], { cwd, env }) };
  }

  it("waits for what is in flight, saves it, and says that it was interrupted", async () => {
    const { child, ended, list } = await applySlowly(1500);
    let stderr = "";
    child.stderr.on("data", (part: Buffer) => {
      stderr += part.toString();
    });
    child.kill("SIGINT");
    expect((await ended()).code).toBe(130);
    expect(stderr).toMatch(/not attempted .*users\.csv: interrupted[\s\S]*LF6005/);
    expect((await list()).stdout).toBe("testCase.checkout\ntestCase.checkout/scenario.browse\n");
  });

  it("is gone within 7 s although an answer does not come, and the next apply ends it", async () => {
    const { child, ended, list } = await applySlowly(20_000);
    child.kill("SIGTERM");
    const { code, tookMs } = await ended();
    expect(code).toBe(143);
    expect(tookMs).toBeLessThan(7_000);
    expect((await list()).stdout).toContain("testCase.checkout\n");
  });

  it("is gone at once the second time", async () => {
    const { child, ended } = await applySlowly(20_000);
    child.kill("SIGINT");
    setTimeout(() => child.kill("SIGINT"), 200);
    const { code, tookMs } = await ended();
    expect(code).toBe(130);
    expect(tookMs).toBeLessThan(2_000);
  });
});
