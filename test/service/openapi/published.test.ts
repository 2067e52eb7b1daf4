import { describe, expect, it } from "vitest";
import { publishedAnswers } from "../support/published.ts";

const unpublished = publishedAnswers("json");
const json = "application/json; charset=utf-8";
const answer = { method: "GET", path: "/login", status: 200, type: json, json: undefined };

describe("the comparison of every answer of these tests with the published OpenAPI", () => {
  it.each([
    ["a status", { ...answer, path: "/test-cases", status: 302, json: [] }, "status 302"],
    ["a media type", { ...answer, path: "/executions/1/results.csv", type: "text/plain" }, "found text/plain"],
    ["a missing media type", { ...answer, path: "/test-cases", type: undefined, json: [] }, "found none"],
    ["a wrong type", { ...answer, path: "/test-cases?down=true", json: {} }, "must be array"],
    ["an unknown member", { ...answer, path: "/api/test-cases", json: [{ id: 1, colour: 1 }] }, "colour"],
    ["an error without its code", { ...answer, path: "/nowhere", status: 404, json: { message: "no" } }, "code"],
    [
      "content where there is none",
      { ...answer, method: "DELETE", path: "/users/2", status: 201, json: {} },
      "found app",
    ],
    ["a HEAD with a media type", { ...answer, method: "HEAD", path: "/test-cases/1" }, "found app"],
  ])("finds %s", (_name, given, found) => {
    expect(unpublished(given).join()).toContain(found);
  });

  it("finds nothing in what is as published", () => {
    expect(unpublished({ ...answer, path: "/test-cases", json: [] })).toEqual([]);
    expect(unpublished({ ...answer, path: "/data-stores/1/download", type: "text/csv" })).toEqual([]);
    expect(unpublished({ ...answer, path: "/executions/1/results.pdf", type: "text/plain; charset=utf-8" })).toEqual(
      [],
    );
    expect(unpublished({ ...answer, method: "HEAD", path: "/test-cases/1", type: undefined })).toEqual([]);
  });
});
