import { describe, expect, it } from "vitest";
import {
  type ModelRequest,
  type Profile,
  type RunControls,
  type RunPlan,
  startsOf,
  untouched,
} from "../../../src/service/runs/run-plan.ts";
import { SimulatedRun } from "../../../src/service/runs/simulate-run.ts";

const request: ModelRequest = {
  resource: "GET http://shop.test/",
  url: "http://shop.test/",
  status: 200,
  contentType: "text/html",
  bytesSent: 100,
  bytesReceived: 1000,
  pauseMs: 0,
  dnsShare: 0.02,
  openShare: 0.1,
  closeShare: 1,
  latencyMs: { p50: 50, p99: 200 },
  errorRate: 0,
  capacity: null,
};

const flat = (given: Partial<Extract<Profile, { type: "Flat" }>> = {}): Profile => ({
  type: "Flat",
  rampupMs: 0,
  durationMs: 60_000,
  iterations: null,
  ...given,
});

function planOf(
  given: Partial<RunPlan> & { readonly users?: number; readonly request?: Partial<ModelRequest> } = {},
): RunPlan {
  const { users = 10, request: changed, ...rest } = given;
  return {
    seed: "seed",
    profile: flat(),
    sleepMs: 10_000,
    maxDurationMs: null,
    regions: [{ id: 1, users, chunks: [{ id: 1, users }] }],
    iteration: { requests: [{ ...request, ...changed }], restMs: 0, metrics: [] },
    checks: [],
    kpis: [],
    ...rest,
  };
}

function finished(plan: RunPlan, controls: RunControls = untouched): SimulatedRun {
  const run = new SimulatedRun(plan, controls);
  run.finish();
  return run;
}

const starts = (profile: Profile, users: number) => [...startsOf({ profile }, { id: 1, users, chunks: [] }, untouched)];

describe("users start", () => {
  it("Flat: user i of C at rampupSecs × i / C", () => {
    expect(starts(flat({ rampupMs: 60_000 }), 4)).toEqual([0, 15_000, 30_000, 45_000]);
  });

  it("Flat without ramp-up: all at once", () => {
    expect(starts(flat(), 3)).toEqual([0, 0, 0]);
  });

  it("Step: levels hold the duration divided by their number, the last is clamped to the final users", () => {
    expect(starts({ type: "Step", durationMs: 90_000, startUsers: 2, step: 3 }, 6)).toEqual([
      0, 0, 30_000, 30_000, 30_000, 60_000,
    ]);
  });

  it("Step from the final users: one level", () => {
    expect(starts({ type: "Step", durationMs: 90_000, startUsers: 2, step: 3 }, 2)).toEqual([0, 0]);
  });

  it("BreakingPoint: 50 equal rises from one user to all", () => {
    const all = starts({ type: "BreakingPoint", durationMs: 51_000 }, 101);
    expect([all.filter((at) => at === 0).length, all.filter((at) => at <= 1000).length, all.at(-1)]).toEqual([
      1, 3, 50_000,
    ]);
  });

  it("when they are added: at that moment", () => {
    const added = { ...untouched, added: [{ atMs: 20_000, regionId: 1, users: 2 }] };
    expect([...startsOf({ profile: flat() }, { id: 1, users: 1, chunks: [] }, added)]).toEqual([0, 20_000, 20_000]);
  });
});

describe("a run", () => {
  it("of a duration counts it from the end of the ramp-up, and ends with the current iterations", () => {
    const run = finished(planOf({ profile: flat({ rampupMs: 30_000, durationMs: 60_000 }) }));
    expect(run.finishedMs).toBeGreaterThanOrEqual(90_000);
    expect(run.finishedMs).toBeLessThan(91_000);
  });

  it("of iterations makes exactly as many for each user, without sleeping after the last", () => {
    const run = finished(planOf({ profile: flat({ durationMs: null, iterations: 3 }), users: 7 }));
    expect(run.counts().iterations).toBe(21);
    expect(run.finishedMs).toBeGreaterThan(20_000);
    expect(run.finishedMs).toBeLessThan(22_000);
  });

  it("sleeps between iterations", () => {
    const run = finished(planOf({ users: 1, request: { latencyMs: { p50: 1000, p99: 1000 } } }));
    // 0 to 1, 11 to 12, 22 to 23, 33 to 34, 44 to 45, 55 to 56 seconds.
    expect([run.counts().iterations, run.finishedMs]).toEqual([6, 60_000]);
  });

  it("gives the same numbers in small steps and in one", () => {
    const plan = planOf({
      request: { errorRate: 0.2, capacity: { users: 4, slope: 2 } },
      profile: flat({ rampupMs: 45_000 }),
    });
    const small = new SimulatedRun(plan, untouched);
    for (let at = 0; at < 120_000; at += 777) small.advance(at);
    small.advance(400_000);
    expect(small.counts().toData()).toEqual(finished(plan).counts().toData());
    expect(small.finishedMs).toBe(finished(plan).finishedMs);
  });

  it("draws from its seed, its region, the user, the iteration and the request alone", () => {
    const one = planOf();
    const more = planOf({ regions: [...one.regions, { id: 2, users: 5, chunks: [] }] });
    expect(finished(more).counts(0, 999, 1).toData()).toEqual(finished(one).counts().toData());
    expect(
      finished(planOf({ seed: "other" }))
        .counts()
        .toData(),
    ).not.toEqual(finished(one).counts().toData());
    const users = planOf({ users: 11 });
    expect(finished(users).counts().requests).toBeGreaterThan(finished(one).counts().requests);
  });

  it("answers as its target does: median, 99th percentile and share of failures", () => {
    const run = finished(planOf({ users: 500, profile: flat({ durationMs: 600_000 }), request: { errorRate: 0.05 } }));
    const { timings, failures } = run.counts().resources[0] ?? { timings: undefined, failures: 0 };
    expect(Math.abs((timings?.percentile(50) ?? 0) - 50)).toBeLessThan(1.5);
    expect(Math.abs((timings?.percentile(99) ?? 0) - 200)).toBeLessThan(8);
    expect(Math.abs(failures / run.counts().requests - 0.05)).toBeLessThan(0.005);
  });

  it("is slower beyond the capacity of its target", () => {
    const within = finished(planOf({ users: 10, request: { capacity: { users: 10, slope: 1 } } }));
    const beyond = finished(planOf({ users: 20, request: { capacity: { users: 10, slope: 1 } } }));
    const median = (run: SimulatedRun) => run.counts().resources[0]?.timings.percentile(50) ?? 0;
    expect(median(beyond) / median(within)).toBeGreaterThan(1.7);
    expect(beyond.counts().failures).toBeGreaterThan(0);
    expect(within.counts().failures).toBe(0);
  });

  it("counts each request in the interval that it ended in, and merges them to the whole", () => {
    const run = finished(planOf({ users: 20 }));
    const parts = Array.from({ length: 8 }, (_, index) => run.counts(index, index + 1).requests);
    expect(parts.reduce((sum, each) => sum + each, 0)).toBe(run.counts().requests);
    expect(parts.slice(0, 6).every((each) => each > 0)).toBe(true);
  });

  it("that is stopped ends within the current iterations", () => {
    const run = finished(planOf({ request: { latencyMs: { p50: 4000, p99: 4000 } } }), {
      ...untouched,
      stoppedAtMs: 30_000,
    });
    expect(run.finishedMs).toBe(32_000);
    expect(finished(planOf(), { ...untouched, stoppedAtMs: 25_000 }).finishedMs).toBe(25_000);
  });

  it("that is extended lasts as much longer", () => {
    expect(finished(planOf({ users: 1 }), { ...untouched, extendedMs: 30_000 }).finishedMs).toBe(90_000);
  });

  it("has at most as many users as were there at once", () => {
    const run = finished(planOf({ users: 10, profile: flat({ rampupMs: 10_000, durationMs: null, iterations: 1 }) }));
    expect(run.maxUsers(Number.POSITIVE_INFINITY)).toBe(1);
    expect(finished(planOf({ users: 10 })).maxUsers(Number.POSITIVE_INFINITY)).toBe(10);
  });

  it("is stopped hard after its maximum duration", () => {
    expect(finished(planOf({ maxDurationMs: 20_000, users: 1 })).finishedMs).toBe(20_000);
  });

  it("without users ends with its duration", () => {
    expect(finished(planOf({ users: 0 })).finishedMs).toBe(60_000);
  });

  it("tells of every request", () => {
    const told: number[] = [];
    const run = new SimulatedRun(planOf(), untouched, { onRequest: ({ startMs }) => told.push(startMs) });
    run.finish();
    expect(told).toHaveLength(run.counts().requests);
  });
});

describe("a trigger or a KPI that breaks a run", () => {
  const slow = { p50: 500, p99: 900 };
  const check = {
    metric: "firstReceivedMs",
    key: "p50",
    isPercentage: false,
    operator: "GTE" as const,
    threshold: 300,
    timePeriod: "LastMinute" as const,
    valueType: "Absolute" as const,
    history: null,
  };
  const long = flat({ durationMs: 600_000 });

  it("is not looked at before a minute has passed", () => {
    const run = finished(planOf({ profile: long, checks: [check], request: { latencyMs: slow } }));
    expect(run.stopped).toMatchObject({
      by: "trigger",
      atMs: 60_000,
      users: 10,
      reason: expect.stringMatching(/^firstReceivedMs\[p50\] was .* the trigger is 300 ms or more/),
    });
    expect(run.finishedMs).toBeLessThan(62_000);
  });

  it("is not looked at before the ramp-up has ended", () => {
    const profile = flat({ rampupMs: 125_000, durationMs: 600_000 });
    expect(finished(planOf({ profile, checks: [check], request: { latencyMs: slow } })).stopped?.atMs).toBe(130_000);
  });

  it("does not stop what is well", () => {
    expect(finished(planOf({ profile: long, checks: [check] })).stopped).toBeUndefined();
  });

  it("finds the knee of a target in a BreakingPoint run", () => {
    const plan = planOf({
      users: 1000,
      profile: { type: "BreakingPoint", durationMs: 500_000 },
      request: { capacity: { users: 200, slope: 5 }, latencyMs: { p50: 50, p99: 60 } },
      checks: [check],
    });
    const { stopped } = finished(plan);
    expect(stopped?.by).toBe("trigger");
    // Twice the capacity makes it six times as slow: 300 ms; the last minute lags behind by up to six rises of 20 users.
    expect(stopped?.users).toBeGreaterThan(380);
    expect(stopped?.users).toBeLessThan(560);
  });

  it("compares with the minute before", () => {
    const change = {
      ...check,
      valueType: "ChangeFromLastMinute" as const,
      isPercentage: true,
      threshold: 50,
      operator: "GT" as const,
    };
    const plan = planOf({
      users: 500,
      profile: { type: "BreakingPoint", durationMs: 600_000 },
      request: { capacity: { users: 100, slope: 4 } },
      checks: [change],
    });
    expect(finished(plan).stopped?.atMs).toBeGreaterThan(120_000);
    expect(finished(planOf({ profile: long, checks: [change] })).stopped).toBeUndefined();
  });

  it("compares with earlier runs, and never on the first", () => {
    const change = { ...check, valueType: "ChangeFromHistory" as const, threshold: 20 };
    expect(finished(planOf({ profile: long, checks: [change] })).stopped).toBeUndefined();
    expect(finished(planOf({ profile: long, checks: [{ ...change, history: 49 }] })).stopped).toBeUndefined();
    expect(finished(planOf({ profile: long, checks: [{ ...change, history: 10 }] })).stopped?.atMs).toBe(60_000);
  });

  it("counts buckets, or their shares", () => {
    const failures = { ...check, metric: "outcome", key: "failure", threshold: 40 };
    const plan = (given: object) =>
      planOf({ profile: long, request: { errorRate: 0.5 }, checks: [{ ...failures, ...given }] });
    expect(finished(plan({ isPercentage: true })).stopped?.atMs).toBe(60_000);
    expect(finished(plan({ isPercentage: true, threshold: 70 })).stopped).toBeUndefined();
    expect(finished(plan({ isPercentage: false, threshold: 5 })).stopped?.atMs).toBe(60_000);
  });

  it("is a KPI where that breaks on failure", () => {
    const kpis = [{ expr: "Outcome[success] > 95%", breakOnFail: true }];
    expect(finished(planOf({ profile: long, kpis, request: { errorRate: 0.5 } })).stopped).toMatchObject({
      by: "kpi",
      atMs: 60_000,
    });
    const mild = [{ expr: "Outcome[success] > 95%", breakOnFail: false }];
    expect(finished(planOf({ profile: long, kpis: mild, request: { errorRate: 0.5 } })).stopped).toBeUndefined();
  });
});
