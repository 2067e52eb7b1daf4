import { describe, expect, it } from "vitest";
import { explainServiceError, ServiceError } from "../../src/model/service-error.ts";

const facts = {
  route: "GET /test-cases",
  method: "GET",
  path: "/test-cases",
  arrival: "answered",
  status: 503,
  serviceMessage: "busy",
} as const;

describe("a refusal of the service", () => {
  it("says how often it was tried, when more than once", () => {
    const detailOf = (tries: number) => explainServiceError(new ServiceError("", { ...facts, tries })).detail;
    expect(detailOf(5)).toBe("GET /test-cases: busy (after 5 tries)");
    expect(detailOf(1)).toBe("GET /test-cases: busy");
  });
});
