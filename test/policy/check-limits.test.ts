import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import type { Limits } from "../../src/model/limits.ts";
import { checkLimits } from "../../src/policy/check-limits.ts";
import { withheldLoad } from "../../src/policy/declared-loads.ts";
import {
  breakingPoint,
  daily,
  every,
  inAny,
  inRegions,
  iterations,
  limitInput,
  load,
  once,
  shortly,
  summariesOf,
} from "../support/limit-cases.ts";

const hour = (...schedules: readonly JsonObject[]) => load({ durationSecs: 3600 }, ...schedules);
const perRun = (limit: number): Limits => ({ userHours: { perRun: limit } });
const perWeek = (limit: number): Limits => ({ userHours: { perWeek: limit } });
const allow = (...globs: readonly string[]): Limits => ({ regions: { allow: globs } });
const deny = (text: string): Limits => ({ hours: [{ deny: text }] });
const oneHour = [{ recurringInterval: "Day", startHour: 1, endHour: 0 }];
const all: Limits = { users: { atPeak: 1e9, perRegion: 1e9 }, userHours: { perRun: 1e9, perWeek: 1e9 } };
const week = (figure: number) => `schedules run ${figure} user-hours in seven days, above the limit of ${figure - 1}`;

describe("limits", () => {
  it.each<[string, readonly JsonObject[], Limits, readonly string[]]>([
    ["allow as much as they say", [hour(daily(2))], { userHours: { perRun: 10, perWeek: 70 } }, []],
    ["of a run hold unscheduled too", [hour()], perRun(9), ["a run of a has 10 user-hours, above the limit of 9"]],
    [
      "are never the figure, however little it is above",
      [hour()],
      perRun(9.9999),
      ["a run of a has a little more than 10 user-hours, above the limit of 10"],
    ],
    ["of a week: Minute", [hour(every("Minute", { minute: 1000 }))], perWeek(109), [week(110)]],
    ["of a week: Hour above 1", [hour(every("Hour", { hour: 100 }))], perWeek(19), [week(20)]],
    [
      "of a week: WeekDay, Week, Month and Single",
      [hour(every("WeekDay"), every("Week", { dayOfWeek: 1, week: 2 }), every("Month"), once("2027-01-05"))],
      perWeek(79),
      [week(80)],
    ],
    ["of a week: less exclusions", [hour(every("Hour", { exclusions: oneHour }))], perWeek(69), [week(70)]],
    [
      "of a week: Minute, less exclusions",
      [hour(every("Minute", { minute: 7, exclusions: oneHour }))],
      perWeek(599),
      [week(600)],
    ],
    [
      "of a week: Hour above 1, less exclusions",
      [hour(every("Hour", { hour: 5, exclusions: oneHour }))],
      perWeek(19),
      [week(20)],
    ],
    ["of a week leave out what is paused", [hour(every("Day", { active: false }))], perWeek(0), []],
    ["of user-hours are broken by iterations", [load(iterations)], perRun(1e9), ["a has no bound of user-hours"]],
    ["of a week are broken by iterations", [load(iterations)], perWeek(1e9), ["a has no bound of user-hours"]],
    ["of users alone are not broken by iterations", [load(iterations)], { users: { atPeak: 10 } }, []],
    ["are all broken by a BreakingPoint without a number", [load(breakingPoint)], all, ["a has no bound of users"]],
    [
      "count a BreakingPoint by its number",
      [load(breakingPoint)],
      { ...perRun(1.9), users: { breakingPoint: 120 } },
      ["a run of a has 2 user-hours, above the limit of 1.9"],
    ],
    ["of regions do not mind a BreakingPoint", [load(breakingPoint)], allow("e*"), []],
    [
      "of regions are globs",
      [load(), load(inRegions(["us-1", "eu"])), load(inRegions(["ap-1"]))],
      allow("eu", "ap-?"),
      ["b runs in a region that is not allowed"],
    ],
    [
      "of regions are broken by a runner that names none",
      [load(inAny(1))],
      allow("*"),
      ["a runs in a region that is not allowed"],
    ],
    ["of regions: an empty list allows none", [load()], allow(), ["a runs in a region that is not allowed"]],
    ["say nothing of what nobody limits", [load(), load(iterations), load(breakingPoint)], {}, []],
  ])("%s", async (_, configurations, limits, expected) => {
    expect(summariesOf(await limitInput(configurations, [limits]))).toEqual(expected);
  });

  const ten = "a run of a has 10 user-hours, above the limit of";
  const denied = "a/x0 runs in hours that are denied";
  it.each<[string, Limits, Limits, readonly string[]]>([
    ["the smaller number holds", perRun(5), perRun(3), [`error ${ten} 3`]],
    ["one that only warns hides no error", { ...perRun(3), enforce: "warn" }, perRun(5), [`error ${ten} 5`]],
    ["the project's own may only warn", { ...perRun(3), enforce: "warn" }, perRun(10), [`warning ${ten} 3`]],
    ["regions must be allowed by both", allow("eu"), allow("us"), ["error a runs in a region that is not allowed"]],
    ["all denied hours hold", deny("Mon 02:30-02:31"), deny("Tue 02:30-02:31"), [`error ${denied}`, `error ${denied}`]],
    [
      "hours that both deny are told once, as an error",
      { ...deny("Mon 02:30-02:31"), enforce: "warn" },
      deny("Mon 02:30-02:31"),
      [`error ${denied}`],
    ],
  ])("from two sources: %s", async (_, own, outside, expected) => {
    const found = checkLimits(await limitInput([hour(daily(2))], [own, outside]));
    expect(found.map(({ severity, summary }) => `${severity} ${shortly(summary)}`)).toEqual(expected);
  });

  it("from two sources count the smaller number of a BreakingPoint", async () => {
    const found = async (own: number, outside: number) => {
      const limits = [{ users: { breakingPoint: own } }, { ...perRun(1), users: { breakingPoint: outside } }];
      return summariesOf(await limitInput([load(breakingPoint)], limits));
    };
    expect(await found(60, 120)).toEqual([]);
    expect(await found(120, 60)).toEqual([]);
    expect(await found(120, 120)).toHaveLength(1);
  });

  it("show no figure that comes from ${env:…}, and a file has none", async () => {
    const secret = load({ concurrentClients: "${env:USERS}" }, daily(2));
    const limits: Limits = { users: { atPeak: 20 }, userHours: { perRun: 1 }, ...allow("us") };
    const input = await limitInput([secret, load({}, daily(2))], [limits], { env: { USERS: "4321" } });
    const found = checkLimits(input);
    expect(found.map(({ summary }) => shortly(summary))).toEqual([
      "more (from ${env:…}) users at peak, above the limit of 20",
      "a run of a has more (from ${env:…}) user-hours, above the limit of 1",
      "a runs in a region that is not allowed",
      "b runs in a region that is not allowed",
    ]);
    expect(JSON.stringify(found)).not.toMatch(/4,?321|4,?331|72/);
    const loads = input.loads.map(withheldLoad);
    expect(JSON.stringify(loads)).not.toContain("4321");
    expect(summariesOf({ ...input, loads })).toEqual([
      "the limits of a cannot be checked",
      "b runs in a region that is not allowed",
    ]);
    expect(summariesOf({ ...input, loads, sources: [] })).toEqual([]);
  });

  it("of 1,000 schedules are checked in 100 ms of CPU at most", async () => {
    const schedules = Array.from(
      { length: 25 },
      (_, index) =>
        [
          daily(index % 24, index),
          every("Hour", { minute: index }),
          every("Minute", { minute: index + 1 }),
          every("Month", { day: index + 1, exclusions: oneHour }),
          every("Hour", { hour: 2, exclusions: oneHour }),
        ][index % 5] as JsonObject,
    );
    const configuration = load({ ...inRegions(["eu", "us", "ap"]), durationSecs: 5000 }, ...schedules);
    const input = await limitInput(
      [configuration],
      [
        {
          users: { atPeak: 1, perRegion: 1 },
          userHours: { perRun: 1, perWeek: 1 },
          hours: [{ deny: "Mon-Fri 08:00-18:00", timeZone: "Europe/Berlin" }],
          ...allow("eu"),
        },
      ],
    );
    const [first] = input.loads;
    const loads = Array.from({ length: 40 }, (_, index) => ({
      ...(first as NonNullable<typeof first>),
      address: `c${index}`,
    }));
    const times = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage();
      checkLimits({ ...input, loads, locate: () => undefined });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(100);
  });
});
