import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { type Recurrence, skippedBy } from "../../src/model/recurrence.ts";
import { everyMinute, runsReader } from "../../src/policy/week-runs.ts";
import { every } from "../support/limit-cases.ts";

const monday = Date.parse("2026-11-23T00:00:00Z");

const time = { startHour: fc.integer({ min: 0, max: 23 }), endHour: fc.integer({ min: 0, max: 23 }) };
const minutes = { startMinute: fc.integer({ min: 0, max: 59 }), endMinute: fc.integer({ min: 0, max: 59 }) };
const window = fc.oneof(
  fc.record({ recurringInterval: fc.constantFrom("Day", "WeekDay"), ...time, ...minutes }),
  fc.record({ recurringInterval: fc.constant("Hour"), ...minutes }),
  fc.record({
    recurringInterval: fc.constant("Week"),
    startDayOfWeek: fc.integer({ min: 1, max: 7 }),
    endDayOfWeek: fc.integer({ min: 1, max: 7 }),
    ...time,
    ...minutes,
  }),
);

describe("the runs of a week", () => {
  const runsOf = (fields: JsonObject) => runsReader(monday)({ address: "x", fields }, 60);

  it("begin at every minute that the schedule's own rule does not skip", () => {
    fc.assert(
      fc.property(fc.array(window, { minLength: 1, maxLength: 3 }), (exclusions) => {
        const recurrence = { exclusions } as Recurrence;
        const free = everyMinute.filter((start) => skippedBy(recurrence, monday + start * 1000) === undefined);
        expect(runsOf(every("Minute", { minute: 1, exclusions })).starts).toEqual(free);
      }),
      { numRuns: 40, seed: 20_261_124 },
    );
  });

  it("are at most as many as one grid has outside of exclusions, in any seven days", () => {
    const fits = (minute: number, startHour: number, endHour: number) =>
      runsOf(every("Minute", { minute, exclusions: [{ recurringInterval: "Day", startHour, endHour }] })).most;
    expect([fits(7, 1, 0), fits(60, 2, 0), fits(500, 12, 0)]).toEqual([60, 14, 12]);
    const weekdays = [{ recurringInterval: "WeekDay", startHour: 5, endHour: 12 }];
    expect(runsOf(every("Hour", { hour: 9, exclusions: weekdays })).most).toBe(17);
  });
});
