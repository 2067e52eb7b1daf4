import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/model/service-error.ts";
import { followRun, type RunProgress } from "../../src/run/follow-run.ts";
import { judgeExecution } from "../../src/run/run-gate.ts";
import type { Fault } from "../../src/service/index.ts";
import { startRun } from "../support/start-run.ts";
import { kpi, literalApi, type RunBench, runBench } from "./run-bench.ts";

const route = "/executions/:id";
const stopsOf = ({ rig }: RunBench) =>
  rig.service.requests.filter(({ method, path }) => method === "PUT" && path.endsWith("/stop")).length;

describe("a service that fails in the middle", () => {
  it.each<[string, readonly Fault[]]>([
    ["with 500", [{ method: "GET", path: route, after: 5, times: 30, status: 500 }]],
    ["with 503", [{ method: "GET", path: route, after: 5, times: 30, status: 503 }]],
    ["with 429", [{ method: "GET", path: route, after: 5, times: 30, status: 429, retryAfterSecs: 1 }]],
    ["with broken connections", [{ method: "GET", path: route, after: 5, times: 30, drop: "before" }]],
    ["with text", [{ method: "GET", path: route, after: 5, times: 6, status: 200, body: "restarting" }]],
    [
      "with another run",
      [{ method: "GET", path: route, after: 5, times: 6, status: 200, body: { id: 99, completed: true } }],
    ],
    ["with nothing", [{ method: "GET", path: route, after: 5, times: 6, status: 200, body: null }]],
    ["in its figures", [{ method: "GET", path: `${route}/summary`, times: 25, status: 500 }]],
    ["in its intervals", [{ method: "GET", path: `${route}/intervals`, times: 25, status: 500 }]],
  ])("%s is asked again", async (_, faults) => {
    const bench = await runBench({ fields: "durationSecs: 300" });
    await bench.rig.setFaults(faults);
    const { run } = await bench.run({ kpis: [kpi("Outcome[success] > 95%")] });
    expect(run).toMatchObject({ verdict: "passed", execution: 1, summary: { durationSecs: 360 } });
    expect(await bench.rig.setFaults([])).toBeGreaterThan(5);
  });

  it("tells that it is out of reach", async () => {
    const bench = await runBench();
    await bench.rig.setFaults([{ method: "GET", path: route, after: 5, times: 10, drop: "before" }]);
    const seen: RunProgress[] = [];
    await bench.run({}, { progress: (_, each) => void seen.push(each) });
    expect(seen.some(({ isOutOfReach }) => isOutOfReach)).toBe(true);
  });

  it("for good leaves the run unknown when its time is over", async () => {
    const bench = await runBench();
    await bench.rig.setFaults([{ method: "GET", path: route, after: 5, times: 100_000, drop: "before" }]);
    expect((await bench.run({ waitSecs: 600 })).run).toMatchObject({ verdict: "unknown", execution: 1 });
  });

  it("and does not answer is given up when the time of the run is over", async () => {
    const bench = await runBench();
    const silent = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        const lost = new ServiceError("interrupted", { route, method: "GET", path: route, arrival: "maybe-done" });
        signal.addEventListener("abort", () => reject(lost), { once: true });
        if (signal.aborted) reject(lost);
      });
    const clock = {
      now: Date.now,
      sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 50)),
    };
    const world = bench.world({ api: literalApi({ "GET /executions/:id": silent }), clockOf: async () => clock });
    const request = bench.request({}, { waitSecs: 0.05 });
    const { run } = await judgeExecution(1, request, world, { warnings: [], mayStop: true, simulated: true });
    expect(run).toMatchObject({
      ...{ verdict: "unknown", execution: 1, simulated: true },
      reasons: ["it had not ended after 0.05 s, and the service cannot be asked about it any more"],
    });
  });

  it.each([
    ["that ended meanwhile is judged", 6_600, "ended"],
    ["that goes on is left alone, and the service is known to answer", 90_000, "left"],
  ])("answers a last look at the moment at which it is given up: a run %s", async (_, endMs, end) => {
    let now = 0;
    const sleep = async (ms: number) => {
      now += ms;
    };
    const clock = { now: () => now, sleep };
    const answer = (_input: unknown, { signal }: { readonly signal: AbortSignal }) => {
      if (signal.aborted) throw new Error("it was not asked in time");
      return { id: 1, completed: now >= endMs, summaryCalculated: now >= endMs };
    };
    const api = literalApi({ "GET /executions/:id": answer });
    const { planned } = (await runBench()).request();
    const signal = new AbortController().signal;
    const rest = { id: 1, planned, kpis: [], mayStop: false, signal, progress: () => undefined };
    const followed = await followRun({ api, clock, until: 8_000, ...rest });
    expect([now, followed]).toMatchObject([8_000, { is: end, ...(end === "left" && { isOutOfReach: false }) }]);
  });

  it("with its figures for good is an error, never passed", async () => {
    const bench = await runBench();
    await bench.rig.setFaults([{ method: "GET", path: `${route}/summary`, times: 100_000, status: 500 }]);
    expect((await bench.run()).run).toMatchObject({ verdict: "error", execution: 1 });
  });

  it("and no longer lets the key in is an error", async () => {
    const bench = await runBench();
    await bench.rig.setFaults([{ method: "GET", path: route, after: 5, status: 403 }]);
    const { run } = await bench.run();
    expect(run).toMatchObject({ verdict: "error", execution: 1 });
    expect(run.reasons).toEqual([
      expect.stringMatching(/^it was not seen to its end: GET .*403.*judge it with loadform run --execution 1$/),
    ]);
  });
});

it("a run of an hour is followed with a request every two seconds at most, each look and each KPI counted", async () => {
  const bench = await runBench({ fields: "durationSecs: 3600" });
  const before = bench.rig.service.requests.length;
  const kpis = [
    kpi("Outcome[success] > 95%"),
    kpi("firstReceivedMs[p95] < 30s"),
    kpi("count > 5", { breakOnFail: true }),
  ];
  const { run } = await bench.run({ kpis });
  expect(run).toMatchObject({ verdict: "passed", summary: { durationSecs: 3660 } });
  const asked = bench.rig.service.requests.slice(before);
  expect(asked.filter(({ path }) => path === "/executions/1").length).toBeGreaterThanOrEqual(3660 / 5);
  expect(asked.length / 3660).toBeLessThanOrEqual(0.5);
});

describe("a KPI that ends the run", () => {
  const breaking = kpi("count < 5", { breakOnFail: true });

  it("stops it at the first interval after ramp-up and first minute, and fails it although it is cancelled", async () => {
    const bench = await runBench({ fields: "durationSecs: 600\n        rampupSecs: 90" });
    const { run } = await bench.run({ kpis: [breaking] });
    expect(run).toMatchObject({
      verdict: "failed",
      reasons: [expect.stringContaining("count < 5 did not hold during the run"), expect.any(String)],
    });
    expect(run.summary.durationSecs).toBeGreaterThanOrEqual(90);
    expect(run.summary.durationSecs).toBeLessThan(125);
    expect(stopsOf(bench)).toBe(1);
  });

  it.each([-600_000, 600_000])("counts by the service's clock where this one differs by %i ms", async (ms) => {
    const bench = await runBench({ fields: "durationSecs: 600\n        rampupSecs: 90" });
    const { now, sleep } = bench.rig.system;
    const { run } = await bench.run({ kpis: [breaking] }, { clockOf: async () => ({ now: () => now() + ms, sleep }) });
    expect(run.summary.durationSecs).toBeGreaterThanOrEqual(90);
    expect(run.summary.durationSecs).toBeLessThan(125);
  });

  it("waits for the first minute", async () => {
    const bench = await runBench({ fields: "durationSecs: 600\n        rampupSecs: 0" });
    const { run } = await bench.run({ kpis: [breaking] });
    expect(run.summary.durationSecs).toBeGreaterThanOrEqual(60);
    expect(run.summary.durationSecs).toBeLessThan(90);
  });

  it("is asked for again when the stop is refused for a while", async () => {
    const bench = await runBench({ fields: "durationSecs: 600\n        rampupSecs: 0" });
    await bench.rig.setFaults([{ method: "PUT", path: `${route}/stop`, times: 7, status: 500 }]);
    const { run } = await bench.run({ kpis: [breaking] });
    expect(run.verdict).toBe("failed");
    expect(run.summary.durationSecs).toBeLessThan(150);
  });

  it("does not stop what holds, or was not measured", async () => {
    const bench = await runBench();
    const { run } = await bench.run({
      kpis: [kpi("count > 0", { breakOnFail: true }), kpi("User/none > 1", { breakOnFail: true })],
    });
    expect(run).toMatchObject({
      verdict: "failed",
      reasons: [expect.stringContaining("User/none was not measured")],
      summary: { durationSecs: 180 },
    });
    expect(stopsOf(bench)).toBe(0);
  });

  it("never stops a run that somebody else started", async () => {
    const bench = await runBench();
    await startRun(bench.rig, bench.configurationId);
    const request = bench.request({ kpis: [breaking] });
    const { run } = await judgeExecution(1, request, bench.world(), { warnings: [], mayStop: false, simulated: false });
    expect(run).toMatchObject({ verdict: "failed", summary: { durationSecs: 180 } });
    expect(run.reasons).toEqual([`count < 5: it was ${run.summary.requests}`]);
    expect(stopsOf(bench)).toBe(0);
  });
});
