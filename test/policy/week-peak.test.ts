import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { checkLimits } from "../../src/policy/check-limits.ts";
import type { LimitInput } from "../../src/policy/limit-finding.ts";
import {
  breakingPoint,
  configurationAddress,
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

const day = (startHour: number, endHour: number) => ({ recurringInterval: "Day", startHour, endHour });
const daysOfMonth = [{ recurringInterval: "Month", startDay: 4, endDay: 6 }];
const gates = [configurationAddress("a")];

/** The peak by a limit that every peak is above, or 0. */
async function peakOf(configurations: readonly JsonObject[], more: Partial<LimitInput>): Promise<number> {
  const [found] = summariesOf(await limitInput(configurations, [{ users: { atPeak: 0, breakingPoint: 50 } }], more));
  return Number(/^(\d+) users at peak/.exec(found ?? "")?.[1] ?? 0);
}

describe("the peak of a week", () => {
  it.each<[string, readonly JsonObject[], number, Partial<LimitInput>?]>([
    ["is nothing without a schedule", [load()], 0],
    ["is one run's users", [load({}, daily(2))], 10],
    ["counts every named region", [load(inRegions(["eu", "us"], { numRegions: 1 }), daily(2))], 20],
    ["adds runs of the same minute", [load({}, daily(2)), load({}, daily(2))], 20],
    ["adds none of different minutes", [load({}, daily(2)), load({}, daily(2, 1))], 10],
    ["adds 61 seconds to the second minute", [load({ durationSecs: 61 }, daily(2)), load({}, daily(2, 1))], 20],
    ["counts the ramp-up", [load({ rampupSecs: 1 }, daily(2)), load({}, daily(2, 1))], 20],
    ["counts runs that overlap themselves", [load({ durationSecs: 7260 }, every("Hour"))], 30],
    [
      "goes on over the end of the week",
      [
        load({ durationSecs: 3600 }, every("Week", { dayOfWeek: 7, hour: 23, minute: 30 })),
        load({}, every("Week", { dayOfWeek: 1, minute: 10 })),
      ],
      20,
    ],
    [
      "counts a weekly run of two weeks twice",
      [load({ durationSecs: 14 * 86_400 }, every("Week", { dayOfWeek: 3 }))],
      20,
    ],
    ["leaves out what is paused", [load({}, every("Day", { active: false }))], 0],
    ["takes a Minute schedule for any minute", [load({}, every("Minute", { minute: 7 })), load({}, daily(2, 3))], 20],
    [
      "takes an Hour above 1 for any minute",
      [load({}, every("Hour", { hour: 3, minute: 30 })), load({}, daily(2, 3))],
      20,
    ],
    ["knows the minute of an hourly one", [load({}, every("Hour", { minute: 30 })), load({}, daily(2, 3))], 10],
    [
      "takes a Week above 1 for every week",
      [load({}, every("Week", { week: 2, dayOfWeek: 2 })), load({}, every("Week", { week: 3, dayOfWeek: 2 }))],
      20,
    ],
    [
      "takes a Month for every day",
      [load({}, every("Month", { day: 5, hour: 2 })), load({}, every("Week", { dayOfWeek: 3, hour: 2 }))],
      20,
    ],
    ["counts a run of a Month once, however long", [load({ durationSecs: 200_000 }, every("Month", { day: 5 }))], 10],
    [
      "takes a Single by weekday and time",
      [load({}, once("2027-01-05T02:00:30Z")), load({}, every("Week", { dayOfWeek: 2, hour: 2, minute: 1 }))],
      20,
    ],
    ["leaves out a Single that is over", [load({}, once("2026-11-24T11:59:00Z"))], 0],
    ["has a Single that is under way", [load({}, once("2026-11-24T11:59:01Z"))], 10],
    ["is less what exclusions take away", [load({}, daily(2, 0, { exclusions: [day(1, 3)] }))], 0],
    [
      "has the days that an exclusion leaves",
      [load({}, daily(2, 0, { exclusions: [{ ...day(1, 3), recurringInterval: "WeekDay" }] }))],
      10,
    ],
    [
      "excludes by when a run begins",
      [
        load({ durationSecs: 7200 }, every("Minute", { minute: 10, exclusions: [day(1, 3)] })),
        load({}, every("Hour", { exclusions: [day(0, 2), day(3, 0)] })),
      ],
      120,
    ],
    [
      "excludes hours of an unknown phase",
      [
        load({}, every("Hour", { hour: 2, minute: 30, exclusions: [day(1, 3)] })),
        load({}, every("Hour", { exclusions: [day(0, 2), day(3, 0)] })),
      ],
      10,
    ],
    ["leaves out a Month that is always excluded", [load({}, every("Month", { day: 5, exclusions: daysOfMonth }))], 0],
    ["has a Day on days that a Month's exclusion leaves", [load({}, daily(2, 0, { exclusions: daysOfMonth }))], 10],
    ["counts iterations always, scheduled or not", [load(iterations), load({}, daily(2))], 20],
    ["counts iterations once for each schedule", [load(iterations, daily(2), daily(3))], 20],
    ["counts a BreakingPoint in all its regions together", [load({ ...breakingPoint, ...inAny(3) }, daily(2))], 50],
    ["adds a gate's configuration once", [load(), load({}, daily(2))], 20, { gates: [...gates, ...gates] }],
    ["adds no gate whose configuration is under way", [load({}, daily(2))], 10, { gates }],
    ["adds a gate where it is not under way", [load({}, daily(2)), load({}, daily(3))], 20, { gates }],
    ["adds no gate of iterations", [load(iterations)], 10, { gates }],
  ])("%s", async (_, configurations, users, more = {}) => {
    expect(await peakOf(configurations, more)).toBe(users);
  });

  it("is that of each region by itself", async () => {
    const limits = [{ users: { perRegion: 10 } }];
    const uneven = load(inRegions(["eu", "us"], { weight: [1, 3] }), daily(2));
    expect(summariesOf(await limitInput([uneven], limits))).toEqual(["15 users at peak in us, above the limit of 10"]);
    const apart = [load({}, daily(2)), load(inRegions(["us"]), daily(2))];
    expect(summariesOf(await limitInput(apart, limits))).toEqual([]);
    const breaking = load({ ...breakingPoint, ...inRegions(["eu", "us"]) }, daily(2));
    expect(summariesOf(await limitInput([breaking], [{ users: { perRegion: 10, breakingPoint: 21 } }]))).toEqual([
      "11 users at peak in eu, above the limit of 10",
    ]);
  });

  it("has a region that nobody names in each that is named", async () => {
    const limits = [{ users: { perRegion: 10 } }];
    const open = load(inAny(2), daily(2));
    expect(summariesOf(await limitInput([load({}, daily(2)), open], limits))).toEqual([
      "20 users at peak in eu, above the limit of 10",
    ]);
    expect(summariesOf(await limitInput([open, open], limits))).toEqual([
      "20 users at peak in a region that the service chooses, above the limit of 10",
    ]);
  });

  it("says when it is, what adds up, and where that is", async () => {
    const all = [load({}, daily(3)), load({ durationSecs: 7200 }, every("Hour"))];
    const [found] = checkLimits(await limitInput(all, [{ users: { atPeak: 29 } }]));
    expect(found).toMatchObject({ severity: "error", code: "LF4009", file: "loadform.yaml", line: 8 });
    expect(shortly(found?.address)).toBe("b/x0");
    expect(shortly(found?.detail)).toBe(
      "The limit is limits.users.atPeak. At Mon 03:00 UTC there may be: b/x0 (loadform.yaml:8): 2 × 10 users; a/x0 (loadform.yaml:7): 10 users. Move schedules apart, or lower their users",
    );
    expect(summariesOf(await limitInput(all, [{ users: { atPeak: 30 } }]))).toEqual([]);
  });

  it("names the five that add most, and the rest as a sum", async () => {
    const all = Array.from({ length: 8 }, () => load({}, daily(2)));
    const [found] = checkLimits(await limitInput(all, [{ users: { atPeak: 0 } }]));
    expect(found?.detail).toContain("; and 3 more: 30 users. ");
  });
});
