// merge: each deviation of the table, of which test/conformance/compare-answers.test.ts has a few
import { describe, test } from "vitest";
import { shownDeviations } from "./deviations.ts";
import { findDeviation } from "./find-deviation.ts";

describe("a service that deviates in one way", () => {
  test.each(shownDeviations)("$name: found, named and cited", findDeviation);
});
