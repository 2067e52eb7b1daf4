import { describe, expect, test } from "vitest";
import { applyUnderDeviation } from "./apply-under-deviation.ts";
import { shownDeviations, writeDeviations } from "./deviations.ts";

/** One of each sort, and those under which an apply once went wrong. */
const sample = [
  ...["gateway.keys is missing", "provider.providerType is missing", "provider.providerType is in small letters"],
  ...["configuration.providers is missing", "testCase.id is text", "times are epoch milliseconds"],
  ...["configuration.profileType is in capitals", "lists are pages", "texts of a create are in capitals"],
  ...["writes are answered 204", "an update is not carried out"],
];

describe("plan and apply at a service that deviates in one way", () => {
  const deviations = [...shownDeviations, ...writeDeviations];

  test("is tried in more than sixty ways", () => {
    expect(deviations.length).toBeGreaterThan(60);
    expect(new Set(deviations.map(({ name }) => name)).size).toBe(deviations.length);
    expect(sample.filter((name) => !deviations.some((each) => each.name === name))).toEqual([]);
  });

  test.each(deviations.filter(({ name }) => sample.includes(name)))(
    "$name: the right result, or a refusal",
    applyUnderDeviation,
  );
});
