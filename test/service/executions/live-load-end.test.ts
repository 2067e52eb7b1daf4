// merge: real load in real time; how it begins is in live-load
import { describe, expect, it, vi } from "vitest";
import { createService } from "../../../src/service/index.ts";
import { loadLimits } from "../../../src/service/scripts/load-limits.ts";
import { trigger } from "../support/configuration-cases.ts";
import {
  closeAfter,
  closeAfterEach,
  fillLiveShop,
  live,
  logs,
  makeLiveShop,
  makeTarget,
  metric,
  start,
  until,
} from "../support/live-rig.ts";
import { grid, makeRig, rigOf } from "../support/rig.ts";

closeAfterEach();

describe("the end of a run that is really made", () => {
  it("comes within the current iterations when it is stopped", async () => {
    const target = await makeTarget(200);
    const rig = await makeLiveShop({ main: `http.get("${target.url}/")`, conf: { iterations: 50 } });
    await start(rig);
    await until(rig, () => target.paths.length >= 3);
    expect(await rig.call("PUT", "/executions/1/stop")).toMatchObject({ status: 200 });
    const execution = await until(rig);
    expect(execution).toMatchObject({ cancelledByUser: true, actualConcurrentClients: 0, summary: { count: 3 } });
    expect(target.paths).toHaveLength(3);
  });

  it("comes when its execution is deleted", async () => {
    const target = await makeTarget();
    const rig = await makeLiveShop({ main: `http.get("${target.url}/")`, conf: { iterations: 50 } });
    await start(rig);
    await until(rig, () => target.paths.length >= 3);
    await rig.ok("DELETE", "/executions/1");
    await rig.service.advance(1);
    expect(target.paths.length).toBeLessThanOrEqual(6);
  });

  it("fails with what the scripts threw, which counts as failures", async () => {
    const rig = await makeLiveShop({ main: 'setTimeout(() => { throw new Error("sold out") }, 5)' });
    await start(rig);
    expect(await until(rig)).toMatchObject({ success: false, summary: { iterationsExecuted: 6 } });
    expect(await metric(rig, "outcome")).toEqual({ success: 0, failure: 6 });
    expect((await logs(rig)).filter((line) => line.includes("sold out"))).toHaveLength(6);
  });

  it("is brought about by what a script logs as fatal", async () => {
    const rig = await makeLiveShop({ main: 'log.fatal("stop it")', conf: { concurrentClients: 1, iterations: 50 } });
    await start(rig);
    const { summary, success } = await until(rig);
    expect(success).toBe(false);
    expect(summary.iterationsExecuted).toBeLessThanOrEqual(2);
  });

  it("is forced upon a script that never ends", async () => {
    const rig = await makeLiveShop({ main: "for (;;);", conf: { concurrentClients: 1, iterations: 1 } });
    await start(rig);
    expect(await until(rig)).toMatchObject({ success: false });
    expect((await logs(rig)).join()).toContain("let nothing else happen for 5 s");
    expect(await metric(rig, "outcome")).toEqual({ success: 0, failure: 1 });
  });

  it("comes for users in a native call, which nothing interrupts", async () => {
    const main = 'require("crypto").pbkdf2Sync("a", "b", 2e7, 64, "sha512")';
    const rig = await makeLiveShop({ main, conf: { concurrentClients: 1, iterations: 1 } });
    const begun = performance.now();
    await start(rig);
    expect(await until(rig)).toMatchObject({ success: false });
    const ended = performance.now() - begun;
    expect((await logs(rig)).join()).toContain("let nothing else happen for 5 s");
    while (!(await rig.service.endThreads())) await new Promise((go) => setTimeout(go, 100));
    expect(ended).toBeLessThan((performance.now() - begun) / 1.5);
  });

  it("comes when a KPI that breaks it fails, with the first interval that closes", async () => {
    const target = await makeTarget();
    const rig = await makeLiveShop({ main: `await fetch("${target.url}/broken")` });
    const form = new FormData();
    const texts = {
      testcase_name: "Live",
      scenario_name: "Load",
      conf_name: "Breaks",
      concurrent_users: "2",
      duration_mins: "1",
      rampup_mins: "0",
      iteration_sleep_secs: "1",
    };
    for (const [name, value] of Object.entries(texts)) form.append(name, value);
    form.append("kpis[0].expr", "Outcome[success] > 95%");
    form.append("kpis[0].break_on_fail", "true");
    form.append("code", new Blob([`await fetch("${target.url}/broken")`]), "main.js");
    const answer = await rig.service.fetch("/start", {
      method: "POST",
      body: form,
      headers: { "x-api-key": "local", ...live },
    });
    expect(await answer.text()).toBe("1");
    const execution = await until(rig);
    expect(execution).toMatchObject({ success: false, cancelledByUser: false });
    expect((await logs(rig)).join()).toContain("The run was stopped: Outcome[success] > 95%");
    expect(await rig.ok("GET", "/executions/1/intervals")).toHaveLength(2);
  });

  it("comes with that of its service, and the run has failed", async () => {
    const target = await makeTarget();
    const rig = await makeLiveShop({ main: `http.get("${target.url}/")`, conf: { iterations: 50 } });
    await start(rig);
    await until(rig, () => target.paths.length >= 3);
    const other = await rigOf(createService({ live: true, state: rig.service.snapshot() }));
    closeAfter(other);
    expect(await until(other)).toMatchObject({ success: false });
    expect((await logs(other)).join()).toMatch(/^(?!.*was not made).*the service that made its load ended, and/);
  });
});

describe("the limits of real load", () => {
  it.each([
    ["80 users", { concurrentClients: 80, iterations: 1 }, "found 80 users, expected at most 50"],
    ["two minutes", { iterations: null, durationSecs: 120 }, "found 120 s with ramp-up, expected at most 60 s"],
    ["ramp-up that is longer", { iterations: null, durationSecs: 30, rampupSecs: 40 }, "found 70 s with ramp-up"],
    ["iterations that take longer", { iterations: 50, iterationSleepSecs: 2 }, "found 98 s with ramp-up"],
    ["users that start later", { iterations: 1, rampupSecs: 120 }, "found 80 s with ramp-up"],
    [
      "steps of two minutes",
      { iterations: null, profileType: "Step", durationSecs: 120, startConcurrentClients: 1, step: 1 },
      "found 120 s",
    ],
    [
      "a rise to the account maximum",
      { iterations: null, profileType: "BreakingPoint", durationSecs: 30, triggers: [trigger] },
      "found 1000 users, expected at most 50",
    ],
  ])("refuse more: %s", async (_, conf, words) => {
    const target = await makeTarget();
    const rig = await makeLiveShop({ main: `http.get("${target.url}/")`, conf });
    const refused = await rig.call("POST", "/test-confs/1/executions", undefined, live);
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining(words) } });
    expect(await rig.ok("GET", "/test-confs/1/executions")).toEqual([]);
    const model = { "x-loadform-engine": "model" };
    expect(await rig.call("POST", "/test-confs/1/executions", undefined, model)).toMatchObject({ status: 200 });
    expect(target.paths).toEqual([]);
  });

  it("let a run of a schedule fail that is larger, and the schedule go on", async () => {
    const service = createService({ live: true, seed: "live", settings: { engine: "live" } });
    const rig = await rigOf(service);
    closeAfter(rig);
    await rig.ok("POST", "/test-cases", { name: "Live", org: 1 });
    await rig.ok("POST", "/test-cases/1/scripts", { name: "Load", main: "1" });
    const schedules = [{ scheduleType: "Recurring", recurringInterval: "Hour", hour: 1, active: true }];
    const load = { scriptId: 1, concurrentClients: 80, iterations: 1, rampupSecs: 0, providers: grid, schedules };
    await rig.ok("POST", "/test-cases/1/confs", { name: "Large", ...load });
    await service.advance(2.5 * 3_600_000);
    const runs = await rig.ok("GET", "/test-confs/1/executions");
    expect(runs.length).toBeGreaterThan(1);
    expect(await until(rig)).toMatchObject({ success: false, summary: { count: 0 } });
    expect((await logs(rig)).join()).toContain("real load is limited: found 80 users, expected at most 50");
  });

  it("are those of the run as it was started, whatever becomes of its configuration", async () => {
    const target = await makeTarget();
    const service = createService({ live: true, seed: "live", settings: { allocation: { afterMs: 300 } } });
    const rig = await fillLiveShop(await rigOf(service), { main: `await fetch("${target.url}/")` });
    await start(rig);
    await rig.ok("PUT", "/test-confs/1", { concurrentClients: 80 });
    expect(await until(rig)).toMatchObject({ success: true, concurrentClients: 3, summary: { count: 6 } });
  });

  it("hold for users that are added", async () => {
    const target = await makeTarget();
    const rig = await makeLiveShop({ main: `http.get("${target.url}/")`, conf: { iterations: 3 } });
    await start(rig);
    await until(rig, () => target.paths.length >= 3);
    expect(await rig.call("POST", "/executions/1/add-users", { concurrentClients: 48 })).toMatchObject({ status: 400 });
    await rig.ok("POST", "/executions/1/add-users", { concurrentClients: 2 });
    expect(await until(rig)).toMatchObject({ concurrentClients: 5, summary: { count: 15, maxConcurrentClients: 5 } });
  });

  it("hold for the time by which a run is extended", async () => {
    const target = await makeTarget();
    const conf = { iterations: null, durationSecs: 30, concurrentClients: 1 };
    const rig = await makeLiveShop({ main: `http.get("${target.url}/")`, conf });
    await start(rig);
    const refused = await rig.call("POST", "/executions/1/live-extension", { durationSecs: 31 });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: "durationSecs" }] } });
    expect(refused.body.message).toContain("found 61 s altogether; expected at most 60 s of real load");
    await rig.ok("POST", "/executions/1/live-extension", { durationSecs: 30 });
    await rig.ok("PUT", "/executions/1/stop");
    await until(rig);
  });

  it("fail a run whose iterations turn out to take longer", async () => {
    const target = await makeTarget();
    const conf = { iterations: 20, concurrentClients: 1 };
    const rig = await makeLiveShop({ main: `await fetch("${target.url}/")`, conf });
    const now = performance.now.bind(performance);
    // The load believes that it began almost a minute ago.
    const early = () => (/new DrivenLoad/.test(new Error("where").stack ?? "") ? loadLimits.ms - 2_500 : 0);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() - early());
    await start(rig);
    expect(await until(rig)).toMatchObject({ success: false });
    clock.mockRestore();
    expect((await logs(rig)).join()).toContain("limited to 60 s: the run ended before all its iterations were made");
    expect(target.paths.length).toBeLessThan(20);
  });

  it("refuse it to a service without --live, and while the clock is frozen", async () => {
    const rig = await makeLiveShop({ main: "1" });
    const other = await makeRig();
    closeAfter(other);
    await other.service.restore(rig.service.snapshot());
    const refused = await other.call("POST", "/test-confs/1/executions", undefined, live);
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining("--live") } });
    await rig.ok("PUT", "/_loadform/clock", { mode: "frozen" });
    const frozen = await rig.call("POST", "/test-confs/1/executions", undefined, live);
    expect(frozen).toMatchObject({ status: 409, body: { message: expect.stringContaining("clock is frozen") } });
    expect(await rig.ok("GET", "/test-confs/1/executions")).toEqual([]);
  });
});
