// merge: each deviation of the table, where the sample of test/conformance/sampled-deviations.test.ts has a few
import { describe, test } from "vitest";
import { applyUnderDeviation } from "./apply-under-deviation.ts";
import { shownDeviations, writeDeviations } from "./deviations.ts";

describe("plan and apply at a service that deviates in one way", () => {
  test.each([...shownDeviations, ...writeDeviations])("$name: the right result, or a refusal", applyUnderDeviation);
});
