import type { RouteTable } from "./route-descriptor.ts";

const copyFields = { name: "string", targetOrg: "int" } as const;

/** Seed 1, Test cases. */
export const testCaseRoutes = {
  "GET /test-cases": {
    seed: "1 Test cases",
    summary: "All test cases that the key may see",
    query: { down: "boolean=false", deep: "boolean=false", up: "boolean=false" },
    answer: "@testCase[]",
  },
  "GET /orgs/:orgId/test-cases": {
    seed: "1 Repositories",
    summary: "The test cases of an organization",
    query: { down: "boolean=false", deep: "boolean=false", up: "boolean=false" },
    answer: "@testCase[]",
    decision: "Named by the seeds in passing; takes the flags of GET /test-cases.",
  },
  "GET /test-cases/:testCaseId": {
    seed: "1 Test cases",
    query: {
      down: "boolean=true",
      deep: "boolean=true",
      up: "boolean=true",
      includeRunning: "boolean=true",
    },
    answer: "@testCase",
  },
  "GET /new-summary": {
    seed: "1 Test cases",
    query: { includeLatestExecution: "boolean=true" },
    answer: "@summaryListing",
  },
  "POST /test-cases": {
    seed: "1 Test cases",
    summary: "Creates a test case, or updates the one of that name",
    body: { name: "string!", org: "int!", description: "string" },
    answer: "@testCase",
    decision: "An omitted description is kept; a name that lives in another organization is 409.",
  },
  "HEAD /test-cases/:testCaseId": { seed: "1 Test cases", answer: "none" },
  "PUT /test-cases/:testCaseId": { seed: "1 Test cases", body: { name: "string" }, answer: "@testCase" },
  "DELETE /test-cases/:testCaseId": { seed: "1 Test cases", answer: "@testCase" },
  "POST /test-cases/:testCaseId/copy": {
    seed: "1 Test cases",
    query: copyFields,
    body: copyFields,
    bodyOptional: true,
    answer: "@testCase",
    decision: "The parameters are taken from the query or the body.",
  },
} as const satisfies RouteTable;
