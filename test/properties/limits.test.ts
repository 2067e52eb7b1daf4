import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { sweepWeek, usersOf } from "../../src/policy/week-peak.ts";
import { runsReader } from "../../src/policy/week-runs.ts";
import { check } from "../support/deep.ts";
import { configurationAddress, every, limitInput, load, once } from "../support/limit-cases.ts";
import { loadFiles } from "../support/load-files.ts";
import type { Rig } from "../support/rig.ts";
import { makeRig, rigStart } from "../support/rig.ts";

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const minuteMs = 60_000;

const hour = fc.integer({ min: 0, max: 23 });
const minute = fc.integer({ min: 0, max: 59 });
const exclusions = fc.option(
  fc
    .record({
      recurringInterval: fc.constantFrom("Day", "WeekDay"),
      startHour: fc.integer({ min: 0, max: 11 }),
      endHour: fc.integer({ min: 12, max: 23 }),
    })
    .map((window) => [window]),
  { nil: undefined },
);
const recurring = (interval: string, fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record({ ...fields, exclusions }).map((more) => every(interval, withoutAbsent(more)));
const withoutAbsent = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;

/** Schedules of which it is known when they fire in a week. */
const known = fc.oneof(
  recurring("Hour", { minute }),
  recurring("Day", { hour, minute }),
  recurring("WeekDay", { hour, minute }),
  recurring("Week", { dayOfWeek: fc.integer({ min: 1, max: 7 }), hour, minute }),
  fc
    .integer({ min: 0, max: weekMs / 1000 - 1 })
    .map((second) => once(new Date(rigStart + weekMs + second * 1000).toISOString())),
);
/** Any of them. */
const any = fc.oneof(
  known,
  recurring("Minute", { minute: fc.integer({ min: 45, max: 2000 }) }),
  recurring("Hour", { hour: fc.integer({ min: 2, max: 9 }), minute }),
  recurring("Week", { week: fc.constantFrom(2, 3), dayOfWeek: fc.integer({ min: 1, max: 7 }), hour, minute }),
  recurring("Month", { day: fc.integer({ min: 1, max: 31 }), hour, minute }),
);

const configurations = (schedule: fc.Arbitrary<JsonObject>) =>
  fc.array(
    fc
      .record({
        concurrentClients: fc.integer({ min: 1, max: 4 }),
        durationSecs: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 3000, max: 20_000 })),
        rampupSecs: fc.constantFrom(0, 61),
        regions: fc.constantFrom(["cloud-eu-west-1"], ["cloud-eu-west-1", "cloud-us-east-1"]),
        schedules: fc.array(schedule, { minLength: 1, maxLength: 2 }),
      })
      .map(({ schedules, regions, ...fields }) =>
        load({ ...fields, iterationSleepSecs: 3600, providers: [{ provider: { id: 0 }, regions }] }, ...schedules),
      ),
    { minLength: 1, maxLength: 3 },
  );

/** The largest number of users in a minute of the second week after an apply, by the runs that the service has started. */
async function firedPeak(all: readonly JsonObject[]): Promise<number> {
  const rig = makeRig();
  const entries = Object.fromEntries(all.map((fields, index) => [String.fromCharCode(97 + index), fields]));
  const testCase = { scenarios: { s: { script: "run();" } }, configurations: entries };
  const { tree } = await loadFiles(`testCases: ${JSON.stringify({ t: testCase })}`);
  expect((await rig.apply(tree)).status).toBe("applied");
  for (let day = 0; day < 15; day++) await rig.service.advance(dayMs);
  const from = rigStart + weekMs;
  const users = new Float64Array(weekMs / minuteMs);
  for (const [index, fields] of all.entries()) {
    const key = String.fromCharCode(97 + index);
    const seconds = Number(fields["durationSecs"]) + Number(fields["rampupSecs"]);
    for (const run of await runsOf(rig, key)) {
      const first = Math.floor((run.startedAt - from) / minuteMs);
      const last = Math.ceil((run.startedAt + seconds * 1000 - from) / minuteMs) - 1;
      for (let at = Math.max(0, first); at <= Math.min(last, users.length - 1); at++)
        users[at] = (users[at] ?? 0) + run.users;
    }
  }
  return Math.max(...users);
}

async function runsOf(
  rig: Rig,
  key: string,
): Promise<readonly { readonly startedAt: number; readonly users: number }[]> {
  const id = (await rig.stored())?.state.resources[configurationAddress(key)]?.id ?? 0;
  const query = { limit: -1, down: true, up: false, includeScript: false, includeSummary: false };
  const runs = await rig.outside.call("GET /test-confs/:confId/executions", { params: { confId: id }, query });
  return runs.map((run) => {
    const shown = run as unknown as { createdAt: string; regions: readonly { concurrentClients: number }[] };
    return {
      startedAt: Date.parse(shown.createdAt),
      users: shown.regions.reduce((sum, { concurrentClients }) => sum + concurrentClients, 0),
    };
  });
}

async function sweptPeak(all: readonly JsonObject[]): Promise<number> {
  const { loads } = await limitInput(all, []);
  return sweepWeek({ loads, gates: [] }, runsReader(rigStart)).peak((each) => usersOf(each, undefined)).users;
}

describe("the peak of a week beside the runs that the bundled service starts in one", () => {
  test("is equal where it is known when schedules fire", async () => {
    await check(
      "peaks of known phases",
      fc.asyncProperty(configurations(known), async (all) => {
        expect(await sweptPeak(all)).toBe(await firedPeak(all));
      }),
      { few: 18, deep: 300 },
    );
  });

  test("is never below", async () => {
    await check(
      "peaks of all phases",
      fc.asyncProperty(configurations(any), async (all) => {
        expect(await sweptPeak(all)).toBeGreaterThanOrEqual(await firedPeak(all));
      }),
      { few: 18, deep: 300 },
    );
  });
});
