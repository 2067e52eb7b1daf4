import { describe, expect, it } from "vitest";
import { type PlannedCheck, startsOf, untouched } from "../../../src/service/runs/run-plan.ts";
import { scriptLimits } from "../../../src/service/scripts/run-worker.ts";
import { flat, makeShop, type Rig } from "../support/rig.ts";

const night = { recurringInterval: "Day", startHour: 22, endHour: 2 };
const friday = "2026-11-20T10:07:30Z";

/** Fields of a Recurring schedule, when its configuration was made, and the runs that follow. */
const schedules: readonly (readonly [string, object, string, readonly string[]])[] = [
  ["Minute 15", { minute: 15 }, friday, ["11-20T10:22", "11-20T10:37", "11-20T10:52", "11-20T11:07"]],
  ["Hour 2:30", { hour: 2, minute: 30 }, friday, ["11-20T10:30", "11-20T12:30", "11-20T14:30", "11-20T16:30"]],
  ["WeekDay 08:15", { hour: 8, minute: 15 }, friday, ["11-23T08:15", "11-24T08:15", "11-25T08:15", "11-26T08:15"]],
  ["Day 08:15", { hour: 8, minute: 15 }, friday, ["11-21T08:15"]],
  ["Day 10:08", { hour: 10, minute: 8 }, friday, ["11-20T10:08"]],
  ["Week 4 06:00", { dayOfWeek: 4, hour: 6 }, friday, ["11-26T06:00", "12-03T06:00", "12-10T06:00"]],
  ["Month 1 02:00", { month: 1, hour: 2 }, friday, ["12-01T02:00", "2027-01-01T02:00", "2027-02-01T02:00"]],
  [
    "Month 1, day 31",
    { month: 1, day: 31 },
    "2027-01-15T00:00:00Z",
    ["2027-01-31T00:00", "2027-02-28T00:00", "2027-03-31T00:00", "2027-04-30T00:00"],
  ],
  [
    "Hour 1:00 outside of Day 22:00 to 02:00",
    { hour: 1, minute: 0, exclusions: [night] },
    "2026-11-20T20:30:00Z",
    ["11-20T21:00", "11-21T02:00", "11-21T03:00"],
  ],
  [
    "Minute 5 outside of Hour :50 to :10",
    { minute: 5, exclusions: [{ recurringInterval: "Hour", startMinute: 50, endMinute: 10 }] },
    "2026-11-20T10:40:00Z",
    ["11-20T10:45", "11-20T11:10", "11-20T11:15"],
  ],
  [
    "Day 12:00 outside of Saturday to Monday",
    { hour: 12, exclusions: [{ recurringInterval: "Week", startDayOfWeek: 6, endDayOfWeek: 1 }] },
    "2026-11-20T10:00:00Z",
    ["11-20T12:00", "11-23T12:00"],
  ],
  ["Day 22:00 outside of Day 22:00 to 02:00", { hour: 22, exclusions: [night] }, friday, []],
];

describe("a schedule (API 1, Schedule)", () => {
  it.each(schedules)("%s is next where a calendar says, run after run", async (name, fields, now, expected) => {
    const rig = await makeShop({ clock: { mode: "frozen", now } });
    const [recurringInterval] = name.split(/[ ,]/);
    const next = async () => (await rig.ok("GET", "/test-confs/1")).schedules[0].nextScheduled as string | null;
    await rig.ok("PUT", "/test-confs/1", {
      ...flat,
      durationSecs: 10,
      rampupSecs: 0,
      schedules: [{ scheduleType: "Recurring", recurringInterval, ...fields }],
    });
    const seen: (string | null)[] = [];
    for (const _ of expected) {
      const at = await next();
      seen.push(at);
      await rig.service.advance(Date.parse(at ?? now) - (await nowOf(rig)));
    }
    expect(seen).toEqual(expected.map((text) => `${text.length > 11 ? text : `2026-${text}`}:00.000Z`));
    if (expected.length === 0) expect(await next()).toBeNull();
    const fired = await rig.ok("GET", "/test-confs/1/executions?limit=-1&includeSummary=false");
    expect(fired.map((each: { createdAt: string }) => each.createdAt).reverse()).toEqual(seen);
  });
});

async function nowOf(rig: Rig): Promise<number> {
  return Date.parse((await rig.ok("GET", "/_loadform/clock")).now);
}

describe("a profile (API 1, Test configuration)", () => {
  const startsAt = (profile: Parameters<typeof startsOf>[0]["profile"], users: number) => [
    ...startsOf({ profile }, { id: 1, users, chunks: [] }, untouched),
  ];

  it("Step has at most 50 rises, 51 levels, and the last is the final number of users", () => {
    const starts = startsAt({ type: "Step", durationMs: 51_000, startUsers: 1, step: 1 }, 80);
    expect(new Set(starts).size).toBe(51);
    expect([starts[0], starts[1], starts.at(-1)]).toEqual([0, 1000, 50_000]);
    expect(starts.filter((at) => at === 50_000)).toHaveLength(30);
  });

  it("Step rises as often as the step fits into what is missing, rounded up", () => {
    const starts = startsAt({ type: "Step", durationMs: 80_000, startUsers: 5, step: 4 }, 16);
    // Three rises, four levels of 20 seconds: 5, 9, 13, 16 users.
    expect([0, 20_000, 40_000, 60_000].map((ms) => starts.filter((at) => at <= ms).length)).toEqual([5, 9, 13, 16]);
  });

  it("BreakingPoint has 51 levels from one user to the account maximum of 1,000", () => {
    const starts = startsAt({ type: "BreakingPoint", durationMs: 510_000 }, 1000);
    expect(new Set(starts).size).toBe(51);
    const levels = [0, 10_000, 250_000, 500_000].map((ms) => starts.filter((at) => at <= ms).length);
    // One user, then a fiftieth of the other 999 with each rise.
    expect(levels).toEqual([1, 20, 500, 1000]);
  });
});

/** One request a second long for each user in each ten seconds: six users make six in an interval. */
const steady = {
  conf: { concurrentClients: 6, rampupSecs: 0, iterationSleepSecs: 9, durationSecs: 600 },
  targets: [{ match: "*", latencyMs: { p50: 1000, p99: 1000 }, errorRate: 0, capacity: null }],
};

async function startedWith(condition: object): Promise<Rig> {
  const rig = await makeShop({ settings: { targets: steady.targets } });
  const conditions = [{ metric: "count", metricKey: null, operator: "GTE", ...condition }];
  await rig.ok("PUT", "/test-confs/1", {
    ...flat,
    ...steady.conf,
    triggers: [{ conditions, actions: [{ actionType: "StopExecution" }] }],
  });
  await rig.ok("POST", "/test-confs/1/executions");
  await rig.service.advance(700_000);
  return rig;
}

/** Seconds after which a run of ten minutes ended. */
async function lengthOf(rig: Rig): Promise<number> {
  const { startedAt, finishedAt } = await rig.ok("GET", "/executions/1");
  return Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000);
}

describe("a condition (API 1, Condition)", () => {
  it.each([
    ["LastMinute counts the six intervals that closed last: 36 requests", "LastMinute", 36, 61],
    ["LastMinute never counts more of them", "LastMinute", 37, 600],
    ["Execution counts the run so far: 42 after the seventh", "Execution", 37, 71],
  ])("%s", async (_name, timePeriod, threshold, seconds) => {
    const length = await lengthOf(await startedWith({ timePeriod, threshold }));
    // The requests under way when it is stopped end within a second.
    expect([seconds, seconds - 1]).toContain(length);
  });

  it("ChangeFromHistory compares with the ten runs before, weighted 1 to 10, the newest heaviest", async () => {
    const rig = await makeShop();
    const condition = { metric: "count", operator: "GT", threshold: 1e9, valueType: "ChangeFromHistory" };
    const triggers = [{ conditions: [condition], actions: [{ actionType: "StopExecution" }] }];
    const { durationSecs: _, ...once } = flat;
    for (let users = 1; users <= 13; users++) {
      await rig.ok("PUT", "/test-confs/1", {
        ...once,
        iterations: 1,
        rampupSecs: 0,
        triggers,
        concurrentClients: users,
      });
      await rig.ok("POST", "/test-confs/1/executions");
      await rig.service.advance(60_000);
    }
    const rows = rig.service.snapshot().tables["execution"] as unknown as readonly {
      readonly plan: { readonly checks: readonly PlannedCheck[] };
    }[];
    const history = rows.map(({ plan }) => plan.checks[0]?.history);
    // Run k makes k requests. Run 3: (1×1 + 2×2) / 3. Run 13: 3 to 12 with weights 1 to 10: 495 / 55.
    expect([history[0], history[1], history[2], history[12]]).toEqual([null, 1, 5 / 3, 9]);
  });
});

describe("a script (API 1, Scenarios: POST /scripts/:id/run)", () => {
  it("has a heap of 64 MB and 30 seconds", () => {
    expect(scriptLimits).toMatchObject({ ms: 30_000, heapMb: 64 });
  });
});

describe("intervals (API 2, Interval)", () => {
  it("are read the same as long as the clock is frozen, and 10 seconds add exactly one", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-confs/1/executions");
    const read = () => rig.ok("GET", "/executions/1/intervals");
    for (let count = 0; count < 5; count++) {
      const all = await read();
      expect(all).toHaveLength(count);
      expect(await read()).toEqual(all);
      await rig.service.advance(10_000);
      expect((await read()).slice(0, count)).toEqual(all);
    }
  });
});
