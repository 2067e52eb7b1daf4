import { describe, expect, test } from "vitest";
import { shownDeviations } from "./deviations.ts";
import { findDeviation } from "./find-deviation.ts";

/** One of each sort. */
const sample = [
  ...["testCase.description is missing", "testCase.id is text", "scenario.tags is null", "times are with an offset"],
  ...["schedule.scheduleType is in capitals", "every object has a member more", "a list is cut after one entry"],
  ...["HEAD is not allowed", "a missing object is null", "scenario.length counts otherwise", "the overview is empty"],
  "running agents are none",
];

test("the samples are deviations", () => {
  const names = new Set(shownDeviations.map(({ name }) => name));
  expect(sample.filter((name) => !names.has(name))).toEqual([]);
});

describe("a service that deviates in one way", () => {
  test.each(shownDeviations.filter(({ name }) => sample.includes(name)))(
    "$name: found, named and cited",
    findDeviation,
  );
});
