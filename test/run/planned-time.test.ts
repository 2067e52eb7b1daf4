import { expect, it } from "vitest";
import { plannedTime } from "../../src/run/planned-time.ts";

it.each([
  ["Flat", { durationSecs: 120 }, { secs: 180, isFixed: true, rampupSecs: 60 }],
  ["Flat", { durationSecs: 120, rampupSecs: 0 }, { secs: 120, isFixed: true, rampupSecs: 0 }],
  ["Flat", { durationSecs: 120, rampupSecs: null }, { secs: 180, isFixed: true, rampupSecs: 60 }],
  ["Flat", { iterations: 5, rampupSecs: 30 }, { secs: 7200, isFixed: false, rampupSecs: 30 }],
  ["Flat", { durationSecs: 0, iterations: 5 }, { secs: 7200, isFixed: false, rampupSecs: 60 }],
  ["Flat", { durationSecs: "120" }, { secs: 7200, isFixed: false, rampupSecs: 60 }],
  ["Step", { durationSecs: 120, rampupSecs: 30 }, { secs: 120, isFixed: true, rampupSecs: 0 }],
  ["BreakingPoint", { durationSecs: 120 }, { secs: 120, isFixed: false, rampupSecs: 0 }],
])("a %s run of %o", (profileType, fields, expected) => {
  expect(plannedTime({ profileType, ...fields })).toEqual(expected);
  if (profileType === "Flat") expect(plannedTime(fields)).toEqual(expected);
});
