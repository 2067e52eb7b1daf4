import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import type { Limits } from "../../src/model/limits.ts";
import { checkLimits, checkRunLimits } from "../../src/policy/check-limits.ts";
import {
  configurationAddress,
  daily,
  every,
  iterations,
  limitInput,
  load,
  once,
  summariesOf,
} from "../support/limit-cases.ts";

const denies = (deny: string, timeZone?: string): readonly Limits[] => [
  { hours: [{ deny, ...(timeZone !== undefined && { timeZone }) }] },
];
const day = (startHour: number, startMinute: number, endHour: number, endMinute: number) => ({
  exclusions: [{ recurringInterval: "Day", startHour, startMinute, endHour, endMinute }],
});
const week = "Mon-Fri 08:00-18:00";
const minute = "Mon 08:00-08:01";

describe("denied hours", () => {
  it.each<[string, JsonObject, readonly Limits[], boolean]>([
    ["a run within", daily(9), denies(week), true],
    ["a run before, to the second", daily(7, 59), denies(week), false],
    ["a run into it", once("2026-12-01T07:59:01Z"), denies(week), true],
    ["a run at its end", daily(18), denies(week), false],
    ["a run on another day", every("Week", { dayOfWeek: 6, hour: 9 }), denies(week), false],
    ["the end of the night before", every("Week", { dayOfWeek: 1, hour: 5 }), denies("Sun 22:00-06:00"), true],
    ["winter time", daily(7), denies(minute, "Europe/Berlin"), true],
    ["summer time", daily(6), denies(minute, "Europe/Berlin"), true],
    ["no time of the year", daily(8), denies(minute, "Europe/Berlin"), false],
    ["a zone of another day", every("Week", { dayOfWeek: 7, hour: 19 }), denies(minute, "Asia/Tokyo"), false],
    ["a zone of the day before", every("Week", { dayOfWeek: 7, hour: 23 }), denies(minute, "Asia/Tokyo"), true],
    ["a zone of half an hour", daily(2, 30), denies(minute, "Asia/Kolkata"), true],
    ["any minute", every("Minute", { minute: 500 }), denies(minute), true],
    ["any hour, at its minute", every("Hour", { hour: 5 }), denies(minute), true],
    ["any hour, at another minute", every("Hour", { hour: 5, minute: 30 }), denies(minute), false],
    ["any minute, excluded", every("Minute", { minute: 5, ...day(8, 0, 8, 1) }), denies(minute), false],
    [
      "any minute, excluded too late",
      every("Minute", { minute: 5, ...day(8, 0, 9, 0) }),
      denies("Mon 07:59-08:01"),
      true,
    ],
    ["nothing of a paused one", daily(9, 0, { active: false }), denies(week), false],
    ["nothing of one that is over", once("2026-11-24T09:00:00Z"), denies(week), false],
  ])("and %s", async (_, schedule, limits, expected) => {
    expect(checkLimits(await limitInput([load({}, schedule)], limits)).map(({ code }) => code)).toEqual(
      expected ? ["LF4010"] : [],
    );
  });

  it("hold for iterations whenever they begin, and for a long run into them", async () => {
    const schedule = every("Week", { dayOfWeek: 3, hour: 2 });
    const untilMonday = 5 * 86_400 + 6 * 3600;
    const lasting = (durationSecs: number) => load({ durationSecs }, schedule);
    const all = [load(iterations, schedule), lasting(untilMonday), lasting(untilMonday + 1)];
    expect(summariesOf(await limitInput(all, denies("Mon 08:00-09:00")))).toEqual([
      "a/x0 runs in hours that are denied",
      "c/x0 runs in hours that are denied",
    ]);
  });

  it("say which run, at which offset", async () => {
    const [found] = checkLimits(await limitInput([load({}, daily(6, 59))], denies("Tue 08:59-09:00", "Europe/Berlin")));
    expect(found?.detail).toBe(
      "limits.hours denies Tue 08:59-09:00 Europe/Berlin. A run from Tue 06:59 to Tue 07:00 UTC overlaps them at UTC+02:00. Move the schedule, or take the hours away by an exclusion",
    );
  });
});

describe("a run that is to be started", () => {
  const codes = async (limits: readonly Limits[], at: string, isSimulated = false) => {
    const input = await limitInput([load({ durationSecs: 3600 })], limits, { now: Date.parse(at) });
    return checkRunLimits(input, { address: configurationAddress("a"), isSimulated }).map(({ code }) => code);
  };
  const tuesday = denies("Tue 08:00-18:00");

  it.each<[string, readonly Limits[], string, readonly string[]]>([
    ["may not be in denied hours", tuesday, "2026-11-24T07:00:01Z", ["LF4010"]],
    ["may end with their beginning", tuesday, "2026-11-24T07:00:00Z", []],
    ["may begin with their end", tuesday, "2026-11-24T18:00:00Z", []],
    ["minds the zone's time of now", denies("Tue 08:00-08:01", "Europe/Berlin"), "2026-11-24T05:59:00Z", []],
    ["minds the zone's time of then", denies("Sun 03:30-03:40", "Europe/Berlin"), "2026-03-29T00:50:00Z", ["LF4010"]],
    ["minds no hour that the zone leaves out", denies("Sun 02:00-03:00", "Europe/Berlin"), "2026-03-29T00:30:00Z", []],
    ["counts as a gate", [{ users: { atPeak: 9 } }], "2026-11-24T07:00:00Z", ["LF4009"]],
    ["has user-hours", [{ userHours: { perRun: 9 } }], "2026-11-24T07:00:00Z", ["LF4009"]],
  ])("%s", async (_, limits, at, expected) => {
    expect(await codes(limits, at)).toEqual(expected);
  });

  it("is in no hours when it is simulated", async () => {
    expect(await codes(tuesday, "2026-11-24T09:00:00Z", true)).toEqual([]);
  });

  it("counts two hours for iterations", async () => {
    const input = (at: string) => limitInput([load(iterations)], tuesday, { now: Date.parse(at) });
    const run = { address: configurationAddress("a"), isSimulated: false };
    expect(checkRunLimits(await input("2026-11-24T06:00:00Z"), run)).toEqual([]);
    expect(checkRunLimits(await input("2026-11-24T06:00:01Z"), run)).toHaveLength(1);
  });
});
