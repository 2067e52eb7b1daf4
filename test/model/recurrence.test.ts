import { describe, expect, it } from "vitest";
import { nextRun, nextRuns, type Recurrence, skippedBy } from "../../src/model/recurrence.ts";

const friday = "2026-11-20T10:07:30Z";
const ms = (text: string) => Date.parse(text);
const iso = (at: number) => new Date(at).toISOString().replace(":00.000Z", "Z");
const recurring = (fields: Recurrence): Recurrence => ({ scheduleType: "Recurring", ...fields });
const night = { recurringInterval: "Day", startHour: 22, startMinute: 0, endHour: 2, endMinute: 0 };

interface Golden {
  readonly name: string;
  readonly schedule: Recurrence;
  readonly from: string;
  readonly runs: readonly string[];
}

const golden: readonly Golden[] = [
  {
    name: "every 15 minutes counts from the anchor's minute",
    schedule: recurring({ recurringInterval: "Minute", minute: 15 }),
    from: friday,
    runs: ["2026-11-20T10:22Z", "2026-11-20T10:37Z", "2026-11-20T10:52Z", "2026-11-20T11:07Z"],
  },
  {
    name: "every 45 minutes is no cron */45",
    schedule: recurring({ recurringInterval: "Minute", minute: 45 }),
    from: friday,
    runs: ["2026-11-20T10:52Z", "2026-11-20T11:37Z", "2026-11-20T12:22Z"],
  },
  {
    name: "every 2 hours at half past",
    schedule: recurring({ recurringInterval: "Hour", hour: 2, minute: 30 }),
    from: friday,
    runs: ["2026-11-20T10:30Z", "2026-11-20T12:30Z", "2026-11-20T14:30Z", "2026-11-20T16:30Z"],
  },
  {
    name: "weekdays leave the weekend out",
    schedule: recurring({ recurringInterval: "WeekDay", hour: 8, minute: 15 }),
    from: friday,
    runs: ["2026-11-23T08:15Z", "2026-11-24T08:15Z", "2026-11-25T08:15Z", "2026-11-26T08:15Z"],
  },
  {
    name: "daily, today's time has passed",
    schedule: recurring({ recurringInterval: "Day", hour: 8, minute: 15 }),
    from: friday,
    runs: ["2026-11-21T08:15Z"],
  },
  {
    name: "daily, today's time is still to come",
    schedule: recurring({ recurringInterval: "Day", hour: 10, minute: 8 }),
    from: friday,
    runs: ["2026-11-20T10:08Z"],
  },
  {
    name: "weekly on Thursday",
    schedule: recurring({ recurringInterval: "Week", dayOfWeek: 4, hour: 6, minute: 0 }),
    from: friday,
    runs: ["2026-11-26T06:00Z", "2026-12-03T06:00Z", "2026-12-10T06:00Z"],
  },
  {
    name: "every second week repeats from the first match",
    schedule: recurring({ recurringInterval: "Week", week: 2, dayOfWeek: 7, hour: 6 }),
    from: friday,
    runs: ["2026-11-22T06:00Z", "2026-12-06T06:00Z"],
  },
  {
    name: "monthly on the first",
    schedule: recurring({ recurringInterval: "Month", month: 1, hour: 2 }),
    from: friday,
    runs: ["2026-12-01T02:00Z", "2027-01-01T02:00Z", "2027-02-01T02:00Z"],
  },
  {
    name: "monthly on day 31 means the last day",
    schedule: recurring({ recurringInterval: "Month", month: 1, day: 31 }),
    from: "2027-01-15T00:00:00Z",
    runs: ["2027-01-31T00:00Z", "2027-02-28T00:00Z", "2027-03-31T00:00Z", "2027-04-30T00:00Z"],
  },
  {
    name: "every third month",
    schedule: recurring({ recurringInterval: "Month", month: 3, day: 30, hour: 1 }),
    from: friday,
    runs: ["2026-11-30T01:00Z", "2027-02-28T01:00Z", "2027-05-30T01:00Z"],
  },
  {
    name: "hourly outside a night window",
    schedule: recurring({ recurringInterval: "Hour", hour: 1, minute: 0, exclusions: [night] }),
    from: "2026-11-20T20:30:00Z",
    runs: ["2026-11-20T21:00Z", "2026-11-21T02:00Z", "2026-11-21T03:00Z"],
  },
  {
    name: "every 5 minutes outside a wrapping hour window",
    schedule: recurring({
      recurringInterval: "Minute",
      minute: 5,
      exclusions: [{ recurringInterval: "Hour", startMinute: 50, endMinute: 10 }],
    }),
    from: "2026-11-20T10:40:00Z",
    runs: ["2026-11-20T10:45Z", "2026-11-20T11:10Z", "2026-11-20T11:15Z"],
  },
  {
    name: "daily outside the weekend",
    schedule: recurring({
      recurringInterval: "Day",
      hour: 12,
      exclusions: [{ recurringInterval: "Week", startDayOfWeek: 6, endDayOfWeek: 1 }],
    }),
    from: "2026-11-20T10:00:00Z",
    runs: ["2026-11-20T12:00Z", "2026-11-23T12:00Z"],
  },
];

describe("next runs of a schedule", () => {
  it.each(golden)("$name", ({ schedule, from, runs }) => {
    expect(nextRuns(schedule, ms(from), ms(from), runs.length).map(iso)).toEqual(runs);
  });

  it("has none when a window skips every run", () => {
    const schedule = recurring({ recurringInterval: "Day", hour: 22, exclusions: [night] });
    expect(nextRun(schedule, ms(friday), ms(friday))).toBeUndefined();
  });

  it("gives up soon when windows cover all time", () => {
    const day = { recurringInterval: "Day", startHour: 2, endHour: 22 };
    const started = performance.now();
    const schedule = recurring({ recurringInterval: "Minute", minute: 1, exclusions: [night, day] });
    expect(nextRun(schedule, ms(friday), ms(friday))).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it("keeps its grid when asked from a later moment", () => {
    const schedule = recurring({ recurringInterval: "Hour", hour: 5, minute: 30 });
    const all = nextRuns(schedule, ms(friday), ms(friday), 50);
    for (const [index, run] of all.entries()) {
      expect(nextRun(schedule, ms(friday), run - 1)).toBe(run);
      expect(nextRun(schedule, ms(friday), run)).toBe(all[index + 1] ?? nextRun(schedule, ms(friday), run));
    }
  });

  it("is strictly after both the anchor and the moment asked from", () => {
    const schedule = recurring({ recurringInterval: "Day", hour: 10 });
    expect(nextRun(schedule, ms("2026-11-20T10:00:00Z"), 0)).toBe(ms("2026-11-21T10:00:00Z"));
  });

  it("fires a Single schedule once", () => {
    const schedule = { scheduleType: "Single", nextScheduled: "2026-11-21T00:00:00Z" };
    expect(nextRuns(schedule, ms(friday), ms(friday), 3).map(iso)).toEqual(["2026-11-21T00:00Z"]);
    expect(nextRun({ ...schedule, nextScheduled: ms("2026-11-20T00:00:00Z") }, 0, ms(friday))).toBeUndefined();
  });
});

describe("windows that skip a run", () => {
  const weekdayNight = { ...night, recurringInterval: "WeekDay" };
  const month = { recurringInterval: "Month", startDay: 30, endDay: 2 };
  const cases: readonly (readonly [string, object, string, number | undefined])[] = [
    ["a WeekDay window covers the morning after Friday", weekdayNight, "2026-11-21T01:00:00Z", 0],
    ["a WeekDay window does not start on Sunday", weekdayNight, "2026-11-22T22:00:00Z", undefined],
    ["a WeekDay window of Sunday does not reach into Monday", weekdayNight, "2026-11-23T01:00:00Z", undefined],
    ["a window holds its start", night, "2026-11-20T22:00:00Z", 0],
    ["a window does not hold its end", night, "2026-11-21T02:00:00Z", undefined],
    ["a Month window wraps into the next month", month, "2026-12-01T12:00:00Z", 0],
    ["a Month window starts on the last day of a short month", month, "2027-02-28T00:00:00Z", 0],
    ["a Month window leaves the middle alone", month, "2026-12-02T00:00:00Z", undefined],
    ["a Month window within one month", { ...month, startDay: 2, endDay: 4 }, "2026-12-03T23:59:00Z", 0],
    [
      "a Week window wraps",
      { recurringInterval: "Week", startDayOfWeek: 6, endDayOfWeek: 1 },
      "2026-11-22T23:59:00Z",
      0,
    ],
  ];
  it.each(cases)("%s", (_, window, at, index) => {
    expect(skippedBy(recurring({ exclusions: [window] }), ms(at))).toBe(index);
  });

  it("names the first window that applies", () => {
    expect(skippedBy(recurring({ exclusions: [month, night] }), ms("2026-11-20T23:00:00Z"))).toBe(1);
  });
});
