import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { checkLimits } from "../../src/policy/check-limits.ts";
import { sweepWeek, usersInRegion, usersOf } from "../../src/policy/week-peak.ts";
import { runsReader } from "../../src/policy/week-runs.ts";
import { check } from "../support/deep.ts";
import { configurationAddress, every, limitInput, load, once, shortly } from "../support/limit-cases.ts";
import { loadFiles } from "../support/load-files.ts";
import { makeRig, type Rig, rigStart } from "../support/rig.ts";

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

const regionNames = ["cloud-eu-west-1", "cloud-us-east-1", "cloud-us-west-2"];
const namedRunner = fc
  .record({
    regions: fc.subarray(regionNames, { minLength: 1 }),
    weights: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 3 }),
  })
  .map(({ regions, weights }) => ({ provider: { id: 0 }, regions, weight: weights.slice(0, regions.length) }));
/** A test runner of which the service chooses the regions. */
const openRunner = fc.integer({ min: 1, max: 3 }).map((numRegions) => ({ provider: { id: 0 }, numRegions }));

const configurations = (schedule: fc.Arbitrary<JsonObject>, runner: fc.Arbitrary<JsonObject>) =>
  fc.array(
    fc
      .record({
        concurrentClients: fc.integer({ min: 1, max: 4 }),
        durationSecs: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 3000, max: 20_000 })),
        rampupSecs: fc.constantFrom(0, 61),
        runner,
        schedules: fc.array(schedule, { minLength: 1, maxLength: 2 }),
      })
      .map(({ schedules, runner, ...fields }) =>
        load({ ...fields, iterationSleepSecs: 3600, providers: [runner] }, ...schedules),
      ),
    { minLength: 1, maxLength: 3 },
  );

/** A run that the service has started by itself. */
interface FiredRun {
  readonly key: string;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly rampupSecs: number;
  readonly regions: readonly { readonly name: string; readonly users: number }[];
}

/** All runs that the service starts within fifteen days of an apply. */
async function firedRuns(all: readonly JsonObject[]): Promise<readonly FiredRun[]> {
  const rig = makeRig();
  const keyed = all.map((fields, index) => [String.fromCharCode(97 + index), fields] as const);
  const testCase = { scenarios: { s: { script: "run();" } }, configurations: Object.fromEntries(keyed) };
  const { tree } = await loadFiles(`testCases: ${JSON.stringify({ t: testCase })}`);
  expect((await rig.apply(tree)).status).toBe("applied");
  for (let day = 0; day < 15; day++) await rig.service.advance(dayMs);
  const runs = await Promise.all(keyed.map(([key, fields]) => runsOf(rig, key, fields)));
  return runs.flat();
}

async function runsOf(rig: Rig, key: string, fields: JsonObject): Promise<readonly FiredRun[]> {
  const id = (await rig.stored())?.state.resources[configurationAddress(key)]?.id ?? 0;
  const query = { limit: -1, down: true, up: false, includeScript: false, includeSummary: false };
  const runs = await rig.outside.call("GET /test-confs/:confId/executions", { params: { confId: id }, query });
  const rampupSecs = Number(fields["rampupSecs"]);
  const seconds = Number(fields["durationSecs"]) + rampupSecs;
  return runs.map((run) => {
    const shown = run as unknown as {
      createdAt: string;
      regions: readonly { region: { name: string }; concurrentClients: number }[];
    };
    const startedAt = Date.parse(shown.createdAt);
    const regions = shown.regions.map((each) => ({ name: each.region.name, users: each.concurrentClients }));
    return { key, startedAt, endsAt: startedAt + seconds * 1000, rampupSecs, regions };
  });
}

/** The largest number of users in a minute from the second week after an apply on, in all regions or in one. */
function firedPeak(runs: readonly FiredRun[], region?: string): number {
  const from = rigStart + weekMs;
  const users = new Float64Array((8 * dayMs) / minuteMs);
  for (const { startedAt, endsAt, regions } of runs) {
    const first = Math.floor((startedAt - from) / minuteMs);
    const last = Math.ceil((endsAt - from) / minuteMs) - 1;
    const counted = regions.filter(({ name }) => region === undefined || name === region);
    const more = counted.reduce((sum, each) => sum + each.users, 0);
    for (let at = Math.max(0, first); at <= Math.min(last, users.length - 1); at++) users[at] = (users[at] ?? 0) + more;
  }
  return Math.max(...users);
}

/** What the users of a run work together, each from its start within the ramp-up to the end. */
function hoursOf({ startedAt, endsAt, rampupSecs, regions }: FiredRun): number {
  const seconds = regions.flatMap(({ users }) =>
    Array.from({ length: users }, (_, user) => (endsAt - startedAt) / 1000 - (rampupSecs * user) / users),
  );
  return seconds.reduce((sum, each) => sum + each, 0) / 3600;
}

/** The most user-hours of the runs that begin in seven days, from any of them on. */
function firedHours(runs: readonly FiredRun[]): number {
  const within = (from: number) =>
    runs
      .filter(({ startedAt }) => startedAt >= from && startedAt < from + weekMs)
      .reduce((sum, run) => sum + hoursOf(run), 0);
  return Math.max(0, ...runs.map(({ startedAt }) => within(startedAt)));
}

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Denied hours, by their first and last day and their hours; these may end on the day after. */
const denials = fc.record({
  first: fc.integer({ min: 0, max: 6 }),
  more: fc.integer({ min: 0, max: 6 }),
  from: fc.integer({ min: 0, max: 1439 }),
  length: fc.integer({ min: 1, max: 1440 }),
});
type Denial = typeof denials extends fc.Arbitrary<infer D> ? D : never;

const clockTime = (minute: number) =>
  [Math.floor((minute % 1440) / 60), minute % 60].map((each) => String(each).padStart(2, "0")).join(":");

function denialText({ first, more, from, length }: Denial): string {
  const span = more === 0 ? days[first] : `${days[first]}-${days[(first + more) % 7]}`;
  return `${span} ${clockTime(from)}-${clockTime(from + length)}`;
}

/** Asks a zone's own clock what time it is, for each minute once. */
function deniedMinutes({ first, more, from, length }: Denial, timeZone: string): (at: number) => boolean {
  const known = new Map<number, boolean>();
  const options = { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("en-US", options);
  const isDenied = (minute: number) => {
    const [, day = "", hour, ofHour] = /^(\w+)\D+(\d+):(\d+)$/.exec(format.format(minute * minuteMs)) ?? [];
    const now = days.indexOf(day) * 1440 + Number(hour) * 60 + Number(ofHour);
    return Array.from({ length: more + 1 }, (_, index) => ((first + index) % 7) * 1440 + from).some(
      (start) => (now - start + 7 * 1440) % (7 * 1440) < length,
    );
  };
  return (at) => {
    const minute = Math.floor(at / minuteMs);
    const found = known.get(minute) ?? isDenied(minute);
    known.set(minute, found);
    return found;
  };
}

/** The configurations of which a run was under way in denied hours. */
function firedInDenied(runs: readonly FiredRun[], isDenied: (at: number) => boolean): readonly string[] {
  const overlaps = ({ startedAt, endsAt }: FiredRun) => {
    for (let at = startedAt; at < endsAt; at = (Math.floor(at / minuteMs) + 1) * minuteMs)
      if (isDenied(at)) return true;
    return false;
  };
  return [...new Set(runs.filter(overlaps).map(({ key }) => key))].sort();
}

/** The configurations that the policy says run in denied hours. */
async function foundInDenied(all: readonly JsonObject[], deny: string, timeZone: string): Promise<readonly string[]> {
  const input = await limitInput(all, [{ hours: [{ deny, timeZone }] }], { now: rigStart });
  const keys = checkLimits(input).map(({ address = "" }) => shortly(address).split("/")[0] ?? "");
  return [...new Set(keys)].sort();
}

/** The figures of the policy: the peaks of all regions together and of each, and whether a limit of user-hours is broken. */
async function policyOf(all: readonly JsonObject[]) {
  const input = await limitInput(all, [], { now: rigStart });
  const sweep = sweepWeek({ loads: input.loads, gates: [] }, runsReader(rigStart));
  return {
    peak: sweep.peak((each) => usersOf(each, undefined)).users,
    peakIn: (region: string) => sweep.peak((each) => usersInRegion(each, region, undefined)).users,
    async isAbove(perWeek: number) {
      const limited = await limitInput(all, [{ userHours: { perWeek } }], { now: rigStart });
      return checkLimits(limited).length > 0;
    },
  };
}

describe("the limits of a week beside the runs that the bundled service starts in one", () => {
  test("are those that it comes to where it is known when schedules fire", async () => {
    await check(
      "limits of known phases",
      fc.asyncProperty(configurations(known, namedRunner), denials, async (all, denial) => {
        const runs = await firedRuns(all);
        const policy = await policyOf(all);
        expect(policy.peak).toBe(firedPeak(runs));
        for (const region of regionNames)
          expect([region, policy.peakIn(region)]).toEqual([region, firedPeak(runs, region)]);
        const hours = firedHours(runs);
        expect(await policy.isAbove(hours)).toBe(false);
        expect(await policy.isAbove(hours * 0.9999)).toBe(hours > 0);
        const denied = firedInDenied(runs, deniedMinutes(denial, "UTC"));
        expect(await foundInDenied(all, denialText(denial), "UTC")).toEqual(denied);
      }),
      { few: 9, deep: 300 },
    );
  });

  test("are never below", async () => {
    const zones = fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns");
    await check(
      "limits of all phases",
      fc.asyncProperty(
        configurations(any, fc.oneof(namedRunner, openRunner)),
        denials,
        zones,
        async (all, denial, zone) => {
          const runs = await firedRuns(all);
          const policy = await policyOf(all);
          expect(policy.peak).toBeGreaterThanOrEqual(firedPeak(runs));
          for (const region of new Set(runs.flatMap(({ regions }) => regions.map(({ name }) => name))))
            expect(policy.peakIn(region)).toBeGreaterThanOrEqual(firedPeak(runs, region));
          const hours = firedHours(runs);
          if (hours > 0) expect(await policy.isAbove(hours * 0.9999)).toBe(true);
          const denied = firedInDenied(runs, deniedMinutes(denial, zone));
          expect(await foundInDenied(all, denialText(denial), zone)).toEqual(expect.arrayContaining([...denied]));
        },
      ),
      { few: 9, deep: 300 },
    );
  });
});
