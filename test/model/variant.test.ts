import { describe, expect, test } from "vitest";
import { configuration, schedule, vcsRoot } from "../../src/kinds/index.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { AnyKind } from "../../src/model/kind.ts";
import { inactiveFields, withoutInactive } from "../../src/model/variant.ts";

describe("variants", () => {
  test.each([
    ["Flat by default", configuration, { rampupSecs: 1, step: 1 }, ["step"]],
    ["Step", configuration, { profileType: "Step", rampupSecs: 1, step: 1, durationSecs: 1 }, ["rampupSecs"]],
    ["BreakingPoint", configuration, { profileType: "BreakingPoint", rampupSecs: 1, step: 1 }, ["rampupSecs", "step"]],
    ["a duration wins over iterations", configuration, { durationSecs: 1, iterations: 1 }, ["iterations"]],
    ["a duration of null does not", configuration, { durationSecs: null, iterations: 1 }, ["durationSecs"]],
    ["a Single schedule", schedule, { scheduleType: "Single", hour: 1, exclusions: [] }, ["hour", "exclusions"]],
    [
      "a weekly schedule",
      schedule,
      { scheduleType: "Recurring", recurringInterval: "Week", month: 1, hour: 1 },
      ["month"],
    ],
    ["a word of every object", configuration, { profileType: "constructor", rampupSecs: 1 }, ["rampupSecs"]],
    ["no authentication", vcsRoot, { username: "a", privateKeyName: "b" }, ["username", "privateKeyName"]],
  ] as [string, AnyKind, JsonObject, string[]][])("%s drop what is foreign", (_, kind, fields, dropped) => {
    const kept = withoutInactive(kind, fields);
    expect(Object.keys(fields).filter((name) => !(name in kept))).toEqual(dropped);
    for (const name of dropped) expect(inactiveFields(kind.variants, fields).has(name)).toBe(true);
  });

  test("fields without anything foreign come back as they are", () => {
    const fields = { profileType: "Flat", rampupSecs: 5 };
    expect(withoutInactive(configuration, fields)).toBe(fields);
  });

  test("nothing chosen and no default means no variant", () => {
    const [byType] = schedule.variants ?? [];
    expect(inactiveFields(byType && [byType], { hour: 1 }).size).toBe(0);
    expect(inactiveFields(undefined, {}).size).toBe(0);
  });
});
