import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mergeTest } from "../../support/merge-test.ts";
import { runCli, startCli } from "../../support/run-cli.ts";
import { type RunningService, startService } from "../../support/served-project.ts";

const grid = [{ providerId: 0, params: { regions: "cloud-us-east-1" } }];
const small = { name: "Small", scriptId: 1, concurrentClients: 2, iterations: 1, rampupSecs: 0, providers: grid };

interface Run {
  readonly completed: boolean;
  readonly success: boolean | null;
}

describe("serve --live", () => {
  let service: RunningService;
  let target: Server;
  let seen = 0;
  const targetUrl = () => `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;

  beforeEach(async () => {
    seen = 0;
    target = createServer((_, response) => response.end(String(++seen)));
    await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
    service = await startService("--live");
    await service.call("POST", "/test-cases", { name: "Shop", org: 1 });
    await service.call("POST", "/test-cases/1/scripts", { name: "Browse", main: `await fetch("${targetUrl()}")` });
    await service.call("POST", "/test-cases/1/confs", small);
  });
  afterEach(async () => {
    await service.stop("SIGTERM");
    target.closeAllConnections();
    target.close();
  });

  /** A call with a header, and which engine its answer names. */
  const send = async (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: FormData,
  ) => {
    const init = { method, headers: { "X-Api-Key": "local", ...headers }, ...(body && { body }) };
    const response = await fetch(`${service.ready.url}${path}`, init);
    return { status: response.status, text: await response.text(), engine: response.headers.get("X-Loadform-Engine") };
  };
  const completed = async (id: number): Promise<Run> => {
    for (;;) {
      const { body } = await service.call("GET", `/executions/${id}`);
      if ((body as Run).completed) return body as Run;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const form = (fields: Readonly<Record<string, string>>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append("code", new Blob([`await fetch("${targetUrl()}")`]), "browse.js");
    return body;
  };
  const names = { testcase_name: "Form", scenario_name: "Browse", conf_name: "Form", rampup_mins: "0" };

  it("makes the load of a run that a call starts, unless that asks for the model", async () => {
    const started = await send("POST", "/test-confs/1/executions");
    expect([started.status, started.engine]).toEqual([200, "live"]);
    expect(await completed(1)).toMatchObject({ success: true });
    expect(seen).toBe(2);
    const modelled = await send("POST", "/test-confs/1/executions", { "X-Loadform-Engine": "model" });
    expect([modelled.status, modelled.engine]).toEqual([200, "model"]);
    expect(await completed(2)).toMatchObject({ success: true });
    expect(seen).toBe(2);
  });

  mergeTest("makes that of POST /start, too", async () => {
    const started = await send("POST", "/start", {}, form({ ...names, iterations: "1", concurrent_users: "3" }));
    expect([started.status, started.text, started.engine]).toEqual([200, "1", "live"]);
    expect(await completed(1)).toMatchObject({ success: true });
    expect(seen).toBe(3);
  });

  mergeTest("makes that of a schedule", async () => {
    const nextScheduled = Date.now() + 3_600_000;
    await service.call("PUT", "/test-confs/1", { schedules: [{ scheduleType: "Single", nextScheduled }] });
    await service.call("POST", "/_loadform/clock/advance", { ms: 3_700_000 });
    expect(await completed(1)).toMatchObject({ success: true });
    expect((await send("GET", "/executions/1")).engine).toBe("live");
    expect(seen).toBe(2);
  });

  it("refuses a run beyond its bounds, and writes nothing", async () => {
    await service.call("PUT", "/test-confs/1", { concurrentClients: 51 });
    const large = await send("POST", "/test-confs/1/executions");
    expect([large.status, large.text]).toEqual([400, expect.stringContaining("found 51 users, expected at most 50")]);
    expect(large.text).toContain("X-Loadform-Engine: model");
    const long = await send("POST", "/start", {}, form({ ...names, duration_mins: "2", concurrent_users: "2" }));
    expect([long.status, long.text]).toEqual([400, expect.stringContaining("found 120 s with ramp-up")]);
    expect((await service.call("GET", "/test-cases")).body).toMatchObject([{ name: "Shop" }]);
    expect((await service.call("GET", "/test-confs/1/executions")).body).toEqual([]);
    expect(seen).toBe(0);
  });

  it("lets a scheduled run beyond its bounds fail with the bound in its log, and the schedule go on", async () => {
    const schedules = [{ scheduleType: "Recurring", recurringInterval: "Hour", hour: 1 }];
    await service.call("PUT", "/test-confs/1", { concurrentClients: 51, schedules });
    await service.call("POST", "/_loadform/clock/advance", { ms: 2.5 * 3_600_000 });
    for (const id of [1, 2]) {
      expect(await completed(id)).toMatchObject({ success: false });
      const { text } = await send("GET", `/executions/${id}/logs.txt`);
      expect(text).toContain("the load was not made: real load is limited: found 51 users, expected at most 50");
    }
    expect((await service.call("GET", "/scheduled")).body).toMatchObject([{ active: true }]);
    expect(seen).toBe(0);
  });
});

describe("what serve says of real load", () => {
  const said = async (...flags: string[]) => {
    const child = await startCli(["serve", "--port", "0", ...flags]);
    const [text] = (await once(child.stdout, "data")) as [Buffer];
    child.kill("SIGTERM");
    await once(child, "close");
    return text.toString("utf8");
  };

  it("are its bounds and how a run is computed instead, with --live only", async () => {
    expect(await said("--live")).toMatch(/Runs make real load.*50 users for 60 seconds.*X-Loadform-Engine: model/);
    expect(await said()).toContain("Runs are simulated; with --live they make real load.");
    expect((await runCli(["serve", "--help"])).stdout).toMatch(/--live +make the load of every run for real/);
  });
});
