import { expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { loadFiles } from "../support/load-files.ts";
import { configuration, shop } from "../support/one-test-case.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const object = (kind: string, fields: Wish["fields"]): Wish => ({ kind, key: "x", fields, below: [] });
const scenario = (fields: Wish["fields"]) => shop([object("scenario", { name: "x", script: "a()", ...fields })]);
const provider = object("provider", { name: "x", providerType: "Shared" });

const cases: readonly (readonly [string, Json, (value: Json) => ReturnType<typeof toTree>])[] = [
  ["scenario.tags", ["nightly"], (tags) => scenario({ tags })],
  [
    "scenario.paramsConfig",
    [{ name: "user", required: true, encrypted: false }],
    (paramsConfig) => scenario({ paramsConfig }),
  ],
  [
    "schedule.hour",
    7,
    (hour) => {
      const daily = object("schedule", { scheduleType: "Recurring", recurringInterval: "Day", hour });
      return shop([object("scenario", { name: "x", script: "a()" }), configuration("x", 10, [daily])]);
    },
  ],
  [
    "provider.metadata",
    { zone: "a" },
    (metadata) => toTree([{ ...provider, fields: { ...provider.fields, metadata } }]),
  ],
  [
    "region.provider",
    { ref: "provider.x" },
    (of) => toTree([provider, { kind: "region", key: "r", fields: { name: "r", provider: of }, below: [] }]),
  ],
];

test.each(cases)("a null of %s clears it, and no later plan finds anything", async (_, value, projectOf) => {
  for (const before of [undefined, value]) {
    const rig = makeRig();
    if (before !== undefined) expect((await rig.apply(projectOf(before))).status).toBe("applied");
    expect((await rig.apply(projectOf(null))).status).toBe("applied");
    const { plan, diagnostics } = await rig.plan(projectOf(null), { rehearsal: true });
    expect([plan?.changes, plan?.drift, diagnostics]).toEqual([[], [], []]);
  }
});

const scheduled = (fields: Wish["fields"]) => {
  const recurring = object("schedule", { scheduleType: "Recurring", ...fields });
  return shop([object("scenario", { name: "x", script: "a()" }), configuration("x", 10, [recurring])]);
};

const day = { recurringInterval: "Day" };
const hourly = { recurringInterval: "Hour" };

test.each([
  [{ ...day, hour: 7 }, hourly, 1],
  [day, hourly, 1],
  [{ ...hourly, hour: 2 }, day, 0],
  [hourly, { recurringInterval: "Week", dayOfWeek: 1 }, 0],
  [{ ...hourly, hour: 2 }, { ...day, hour: null }, 0],
  [{ ...day, hour: 7 }, { recurringInterval: "WeekDay" }, 7],
])("the hour of a schedule %j that becomes %j is that of the new interval", async (before, after, hour) => {
  const rig = makeRig();
  expect((await rig.apply(scheduled(before))).status).toBe("applied");
  expect((await rig.apply(scheduled(after))).status).toBe("applied");
  const query = { params: { confId: 1 }, query: { down: true } };
  expect((await rig.outside.call("GET /test-confs/:confId", query)).schedules).toMatchObject([{ ...after, hour }]);
  const { plan, diagnostics } = await rig.plan(scheduled(after), { rehearsal: true });
  expect([plan?.changes, plan?.drift, diagnostics]).toEqual([[], [], []]);
});

test("the hour of a schedule is that of an interval from the environment", async () => {
  const declared = async (IV: string) => {
    const load =
      "durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]";
    const schedules = '{ m: { scheduleType: Recurring, recurringInterval: "${env:IV}" } }';
    const text = `testCases: { t: { scenarios: { s: { script: x } }, configurations: { c: { scenario: s, ${load}, schedules: ${schedules} } } } }`;
    return (await loadFiles(text, { env: { IV } })).tree;
  };
  const rig = makeRig();
  const query = { params: { confId: 1 }, query: { down: true } };
  for (const [interval, hour] of [
    ["Day", 0],
    ["Hour", 1],
    ["WeekDay", 0],
  ] as const) {
    expect((await rig.apply(await declared(interval))).status).toBe("applied");
    expect((await rig.outside.call("GET /test-confs/:confId", query)).schedules).toMatchObject([{ hour }]);
    expect((await rig.plan(await declared(interval))).plan).toMatchObject({ changes: [], drift: [] });
  }
});

test("the hour of a schedule whose interval somebody changed is drift like the interval, and put back with it", async () => {
  const rig = makeRig();
  expect((await rig.apply(scheduled(day))).status).toBe("applied");
  const schedules = [{ id: 1, scheduleType: "Recurring", recurringInterval: "Hour", hour: 4 } as const];
  await rig.outside.call("PUT /test-confs/:confId", { params: { confId: 1 }, body: { schedules } });
  const { plan } = await rig.plan(scheduled(day));
  expect(plan?.drift.flatMap(({ fields }) => fields.map(({ field }) => field))).toEqual(["recurringInterval", "hour"]);
  expect(plan?.changes.flatMap(({ fields }) => fields.map(({ field, cause }) => [field, cause]))).toEqual([
    ["recurringInterval", "drift"],
    ["hour", "drift"],
  ]);
  expect((await rig.apply(scheduled(day))).status).toBe("applied");
  const query = { params: { confId: 1 }, query: { down: true } };
  expect((await rig.outside.call("GET /test-confs/:confId", query)).schedules).toMatchObject([{ ...day, hour: 0 }]);
});

test("the next runs of a schedule are those of what remains at the service undeclared", async () => {
  const rig = makeRig();
  const nextRuns = async (fields: Wish["fields"]) => {
    const { plan } = await rig.plan(scheduled({ ...day, ...fields }));
    return plan?.changes.flatMap(({ nextTimes = [] }) => nextTimes.map(({ at }) => new Date(at).toISOString()));
  };
  expect((await rig.apply(scheduled({ ...day, hour: 15, minute: 5 }))).status).toBe("applied");
  expect((await nextRuns({ minute: 6 }))?.[0]).toBe("2026-11-20T15:06:00.000Z");
  expect((await nextRuns({ minute: 6, hour: 16 }))?.[0]).toBe("2026-11-20T16:06:00.000Z");
  await rig.outside.call("PUT /test-schedules/:scheduleId", { params: { scheduleId: 1 }, body: { active: false } });
  expect(await nextRuns({ minute: 6 })).toEqual([]);
  const single = shop([
    object("scenario", { name: "x", script: "a()" }),
    configuration("x", 10, [object("schedule", { scheduleType: "Single", nextScheduled: "2027-01-01T00:00:00Z" })]),
  ]);
  const { plan } = await rig.plan(single);
  expect(plan?.changes.flatMap(({ nextTimes = [] }) => nextTimes)).toHaveLength(1);
});
