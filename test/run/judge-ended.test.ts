import { describe, expect, it } from "vitest";
import type { Api } from "../../src/api/routes.ts";
import { judgeEnded } from "../../src/run/judge-ended.ts";
import { readRun } from "../../src/run/read-run.ts";
import { kpi, noWorse, runBench } from "./run-bench.ts";

describe("the end of a run", () => {
  const changed = (api: Api, change: (id: number) => object): Api => ({
    async call(key, input, options) {
      const answer = await api.call(key, input, options);
      const isRun = key === "GET /executions/:id" && (answer as { completed?: boolean }).completed === true;
      return (
        isRun ? { ...(answer as object), ...change(Number(input?.params && Object.values(input.params)[0])) } : answer
      ) as never;
    },
  });

  it("is judged 60 s later where its summary is never calculated, and says so", async () => {
    const bench = await runBench();
    const endless = changed(bench.api, () => ({ summaryCalculated: false }));
    const before = bench.rig.system.now();
    const { run } = await bench.run({}, { api: endless });
    expect(run).toMatchObject({
      verdict: "passed",
      warnings: [expect.stringContaining("was not calculated within 60 s")],
    });
    expect(bench.rig.system.now() - before).toBeGreaterThanOrEqual(240_000);
    expect(bench.rig.system.now() - before).toBeLessThan(260_000);
  });

  it("waits for a summary that comes late", async () => {
    const bench = await runBench();
    let looks = 0;
    const late = changed(bench.api, () => ({ summaryCalculated: ++looks > 4 }));
    expect((await bench.run({}, { api: late })).run).toMatchObject({ verdict: "passed", warnings: [] });
    expect(looks).toBeGreaterThan(4);
  });

  it.each<[string, object, object]>([
    [
      "that failed by the service",
      { success: false },
      { verdict: "failed", reasons: [expect.stringContaining("success: false")] },
    ],
    ["that says nothing of success", { success: null, tags: undefined }, { verdict: "passed" }],
    [
      "that came early",
      { finishedAt: "2026-11-20T10:02:00.000Z" },
      { verdict: "failed", reasons: [expect.stringContaining("it ended after 120 s of 180 s")] },
    ],
    ["that came nearly in time", { finishedAt: "2026-11-20T10:02:42.000Z" }, { verdict: "passed" }],
    ["that is cancelled", { cancelledByUser: true, success: false }, { verdict: "stopped" }],
    [
      "without times",
      { startedAt: null, finishedAt: undefined },
      { verdict: "passed", summary: { durationSecs: null } },
    ],
    [
      "with text for numbers",
      { concurrentClients: "5", regions: "none" },
      { verdict: "passed", summary: { usersPlanned: 5 } },
    ],
  ])("%s", async (_, change, expected) => {
    const bench = await runBench();
    expect((await bench.run({}, { api: changed(bench.api, () => change) })).run).toMatchObject(expected);
  });

  it.each<[string, string, boolean, object, object]>([
    ["a KPI that is missed", "firstReceivedMs[p95] < 1ms", true, {}, { verdict: "failed" }],
    ["one that holds", "firstReceivedMs[p95] < 3600s", true, {}, { verdict: "stopped" }],
    ["one that stops nothing", "firstReceivedMs[p95] < 1ms", false, {}, { verdict: "stopped" }],
    ["one that is not measured", "User/cart[p95] < 1ms", true, {}, { verdict: "stopped" }],
    [
      "one that is missed during the ramp-up",
      "firstReceivedMs[p95] < 1ms",
      true,
      { finishedAt: "2026-11-20T10:00:59.000Z" },
      { verdict: "stopped" },
    ],
  ])("that another command may have brought by %s", async (_, expr, breakOnFail, change, expected) => {
    const bench = await runBench();
    const id = await bench.complete();
    const api = changed(bench.api, () => ({ cancelledByUser: true, ...change }));
    const { gate, order, planned } = bench.request({ kpis: [kpi(expr, { breakOnFail })] });
    const state = await readRun(api, id);
    if (state === undefined) throw new Error("no run");
    // The run had the ramp-up that it tells, whatever its configuration says by now.
    for (const rampupSecs of [planned.rampupSecs, 3_600]) {
      const asked = { gate, configurationId: order.configurationId, planned: { ...planned, rampupSecs } };
      expect((await judgeEnded(api, state, asked)).run).toMatchObject(expected);
    }
    const { run } = await judgeEnded(api, state, { gate, configurationId: order.configurationId, planned });
    const stopped = [`${expr} did not hold during the run, so it was stopped`];
    if (run.verdict === "failed") expect(run.reasons).toEqual(expect.arrayContaining(stopped));
  });

  it("is in doubt, which is said, where its configuration was changed since", async () => {
    const bench = await runBench();
    const id = await bench.complete();
    const api = changed(bench.api, () => ({ finishedAt: "2026-11-20T10:02:00.000Z" }));
    const { gate, order, planned } = bench.request();
    const state = await readRun(api, id);
    if (state === undefined) throw new Error("no run");
    const doubtful = { ...planned, isFixed: false, isDoubtful: true } as const;
    const judge = async (more: object) => {
      const asked = { gate: { ...gate, ...more }, configurationId: order.configurationId, planned: doubtful };
      return (await judgeEnded(api, state, asked)).run;
    };
    expect(await judge({})).toMatchObject({
      verdict: "passed",
      warnings: [expect.stringContaining("nobody knows whether it ended early")],
    });
    expect(await judge({ mayEndEarly: true })).toMatchObject({ warnings: [] });
  });

  it("may come early where the gate lets it", async () => {
    const bench = await runBench();
    const api = changed(bench.api, () => ({ finishedAt: "2026-11-20T10:02:00.000Z" }));
    expect((await bench.run({ mayEndEarly: true }, { api })).run.verdict).toBe("passed");
  });

  it.each([
    ["nothing", "module.exports = 1;", 1, "0 requests were measured; the minimum is 1"],
    ["too little", undefined, 100_000, "requests were measured; the minimum is 100000"],
  ])("with %s measured fails", async (_, script, minimumRequests, reason) => {
    const bench = await runBench(script === undefined ? {} : { script });
    const { run } = await bench.run({ minimumRequests });
    expect(run).toMatchObject({ verdict: "failed", reasons: [expect.stringContaining(reason)] });
  });
});

describe("a run beside its baseline", () => {
  it("shows what it was compared with, and in which units", async () => {
    const bench = await runBench();
    const first = await bench.complete();
    const gate = {
      noWorse: [noWorse("firstReceivedMs[p95]", "+50%"), noWorse("Outcome[success]", "-1pp"), noWorse("count", "-50%")],
    };
    const { run, baseline, noWorseUnits } = await bench.run(gate);
    expect(run).toMatchObject({
      verdict: "passed",
      baseline: [first],
      noWorse: [{ ok: true }, { ok: true, change: 0 }, { ok: true }],
    });
    expect(noWorseUnits).toEqual(["ms", "%", null]);
    expect(baseline?.requests).toBe(run.noWorse[2]?.baseline);
  });

  it("without one is not judged by it, and says so", async () => {
    const bench = await runBench();
    const { run } = await bench.run({ noWorse: [noWorse("count", "-5%")] });
    expect(run).toMatchObject({ verdict: "passed", noWorse: [{ ok: null, baseline: null, change: null }] });
    expect(run.warnings).toEqual([expect.stringContaining("no earlier run with the same load")]);
    expect(run).not.toHaveProperty("baseline");
  });

  it("fails where its figure was not measured, whatever the baseline", async () => {
    const bench = await runBench();
    const { run } = await bench.run({ noWorse: [noWorse("User/cart", "-5%")] });
    expect(run).toMatchObject({ verdict: "failed", noWorse: [{ ok: false, value: null }] });
  });

  it("is judged for each resource that a KPI names, the worst of them shown", async () => {
    const script = `const https = require("https");
for (const path of ["a", "b"]) https.get("https://shop.example.com/" + path, (response) => response.resume());`;
    const bench = await runBench({ script });
    const { run } = await bench.run({
      kpis: [
        kpi("count > 10", { resource: "GET */a" }),
        kpi("count < 10", { resource: "*shop*" }),
        kpi("count > 10", { resource: "POST *" }),
      ],
    });
    expect(run.kpis).toMatchObject([{ ok: true }, { ok: false }, { ok: false, value: null }]);
    expect(run.reasons).toEqual([
      `count < 10: it was ${run.kpis[1]?.value}`,
      "count > 10: no resource of the run matches POST *; it has GET https://shop.example.com/a, GET https://shop.example.com/b",
    ]);
  });
});
