import { describe, expect, it } from "vitest";
import { type RouteKey, routes } from "../../src/api/routes.ts";
import { pauseAfter, type RetryClass, retryAfter, retryClass } from "../../src/client/retry-table.ts";

describe("the class of a route", () => {
  it.each<[RouteKey, RetryClass]>([
    ["GET /test-cases", "read"],
    ["HEAD /scripts/:id", "read"],
    ["PUT /test-confs/:confId", "put"],
    ["DELETE /gateways/:id", "delete"],
    ["PATCH /gateways/:id", "patch"],
    ["POST /test-cases", "upsert"],
    ["POST /orgs/:orgId/regions", "upsert"],
    ["POST /test-cases/:testCaseId/scripts", "create"],
    ["POST /scripts/:id/data-stores/contents", "create"],
    ["POST /test-cases/:testCaseId/copy", "never"],
    ["POST /scripts/:id/copy", "never"],
    ["POST /scripts/:id/run", "never"],
    ["POST /test-confs/:confId/executions", "never"],
    ["POST /start", "never"],
    ["POST /setup", "never"],
  ])("%s is %s", (route, expected) => {
    expect(route in routes).toBe(true);
    expect(retryClass(route)).toBe(expected);
  });
});

describe("the pause", () => {
  it("doubles from 0.5 s up to 15 s with full jitter", () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((attempt) => pauseAfter(attempt, () => 1))).toEqual([
      500, 1000, 2000, 4000, 8000, 15_000, 15_000,
    ]);
    expect(pauseAfter(3, () => 0)).toBe(0);
    expect(pauseAfter(3, () => 0.25)).toBe(500);
    // Retry-After: 0, or a date that is over.
    expect(pauseAfter(3, () => 0.25, 0)).toBe(500);
  });

  it.each([
    ["3", 3000],
    [" 0 ", 0],
    ["Sat, 21 Nov 2026 08:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 07:00:00 GMT", 0],
    ["soon", undefined],
    ["-1", undefined],
    [undefined, undefined],
  ])("reads Retry-After %j as %j ms", (header, expected) => {
    expect(retryAfter(header, Date.parse("2026-11-21T08:00:00Z"))).toBe(expected);
  });

  it("follows the service up to 120 s", () => {
    expect(pauseAfter(1, () => 0, 119_000)).toBe(119_000);
    expect(pauseAfter(1, () => 0, 500_000)).toBe(120_000);
  });
});
