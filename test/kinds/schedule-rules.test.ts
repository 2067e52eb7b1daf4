import { describe, expect, test } from "vitest";
import { scheduleRules } from "../../src/kinds/schedule-rules.ts";
import type { JsonObject } from "../../src/model/json.ts";

/** Fields that the rules of a schedule refuse. */
function refused(fields: JsonObject): readonly string[] {
  return scheduleRules.flatMap(({ check }) => check(fields)).map(({ path }) => path.join("."));
}

describe("the time of a Recurring schedule", () => {
  test.each([
    [{ recurringInterval: "Minute", minute: 0 }, ["minute"]],
    [{ recurringInterval: "Minute", minute: 90 }, []],
    [{ recurringInterval: "Hour", hour: 0, minute: 60 }, ["hour", "minute"]],
    [{ recurringInterval: "Hour", hour: 36, minute: 59 }, []],
    [{ recurringInterval: "Day", hour: 24 }, ["hour"]],
    [{ recurringInterval: "WeekDay", hour: 23, minute: 60 }, ["minute"]],
    [{ recurringInterval: "Week", dayOfWeek: 2, minute: 60 }, ["minute"]],
    [{ recurringInterval: "Month", hour: 0, minute: 0 }, []],
  ])("%j is refused in %j", (fields, expected) => {
    expect(refused({ scheduleType: "Recurring", ...fields })).toEqual(expected);
  });
});
