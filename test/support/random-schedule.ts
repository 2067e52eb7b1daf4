import fc from "fast-check";
import type { JsonObject } from "../../src/model/json.ts";
import { always, join, maybe } from "./random-fields.ts";

const exclusion = fc.oneof(
  fc.record({
    recurringInterval: fc.constant("Day"),
    startHour: fc.integer({ min: 0, max: 11 }),
    endHour: fc.integer({ min: 12, max: 23 }),
  }),
  fc.record({
    recurringInterval: fc.constant("Hour"),
    startMinute: fc.integer({ min: 0, max: 29 }),
    endMinute: fc.integer({ min: 30, max: 59 }),
  }),
  fc.record({
    recurringInterval: fc.constant("Week"),
    startDayOfWeek: fc.integer({ min: 1, max: 3 }),
    endDayOfWeek: fc.integer({ min: 4, max: 7 }),
    startHour: fc.integer({ min: 0, max: 23 }),
  }),
);

const interval = fc.oneof(
  always("minute", fc.integer({ min: 1, max: 90 })).map(
    (rest): JsonObject => ({ recurringInterval: "Minute", ...rest }),
  ),
  join(always("hour", fc.integer({ min: 1, max: 5 })), maybe("minute", fc.integer({ min: 0, max: 59 }))).map(
    (rest): JsonObject => ({ recurringInterval: "Hour", ...rest }),
  ),
  join(maybe("hour", fc.integer({ min: 0, max: 23 })), maybe("minute", fc.integer({ min: 0, max: 59 }))).map(
    (rest): JsonObject => ({ recurringInterval: "Day", ...rest }),
  ),
  join(always("dayOfWeek", fc.integer({ min: 1, max: 7 })), maybe("week", fc.integer({ min: 1, max: 3 }))).map(
    (rest): JsonObject => ({ recurringInterval: "Week", ...rest }),
  ),
  join(maybe("month", fc.integer({ min: 1, max: 3 })), maybe("day", fc.integer({ min: 1, max: 31 }))).map(
    (rest): JsonObject => ({ recurringInterval: "Month", ...rest }),
  ),
);

/** Fields of a schedule: every interval, windows, paused ones, Single ones. */
export const scheduleFields = fc.oneof(
  {
    weight: 3,
    arbitrary: join(
      interval,
      maybe("exclusions", fc.array(exclusion, { maxLength: 2 })),
      maybe("active", fc.boolean(), 3),
    ).map((rest): JsonObject => ({ scheduleType: "Recurring", ...rest })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("2099-01-01T00:00:00Z", 4_102_444_800_000)
      .map((at): JsonObject => ({ scheduleType: "Single", nextScheduled: at })),
  },
);
