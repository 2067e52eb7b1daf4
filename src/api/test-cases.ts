import { type RouteTable, stored } from "./descriptors.ts";

const copyFields = { name: "string", targetOrg: "int" } as const;

/** API 1, Test case. */
export const testCaseShapes = {
  testCase: {
    ...stored,
    name: "string",
    active: "boolean",
    description: "string",
    folder: "string",
    organization: "@organization",
    gateways: "@gateway[]",
    configurations: "@configuration[]",
    scenarios: "@scenario[]",
    dataStores: "@dataStore[]",
    metricDefs: "@metricDef[]",
    running: "@execution[]",
    firstGatewayKey: "@gatewayKey",
    lastRunAt: "time",
    lastRunExecutionId: "int",
    tags: "@tag[]",
  },
  metricDef: { id: "int!", name: "string", metricType: "string", metricUnits: "string" },
  summaryListing: { testCases: "@testCase[]!", running: "@execution[]!", scheduled: "@scheduledEntry[]!" },
} as const;

/** API 1, Test cases. */
export const testCaseRoutes = {
  "GET /test-cases": {
    section: "1 Test cases",
    summary: "All test cases that the key may see",
    query: { down: "boolean=false", deep: "boolean=false", up: "boolean=false" },
    answer: "@testCase[]",
  },
  "GET /orgs/:orgId/test-cases": {
    section: "1 Repositories",
    summary: "The test cases of an organization",
    query: { down: "boolean=false", deep: "boolean=false", up: "boolean=false" },
    answer: "@testCase[]",
    decision: "Named by the seeds in passing; takes the flags of GET /test-cases.",
  },
  "GET /test-cases/:testCaseId": {
    section: "1 Test cases",
    query: { down: "boolean=true", deep: "boolean=true", up: "boolean=true", includeRunning: "boolean=true" },
    answer: "@testCase",
  },
  "GET /new-summary": {
    section: "1 Test cases",
    query: { includeLatestExecution: "boolean=true" },
    answer: "@summaryListing",
  },
  "POST /test-cases": {
    section: "1 Test cases",
    summary: "Creates a test case, or updates the one of that name",
    body: { name: "string!", org: "int!", description: "string" },
    answer: "@testCase",
    decision: "An omitted description is kept; a name that lives in another organization is 409.",
    upsert: {
      list: "GET /orgs/:orgId/test-cases",
      params: { orgId: "org" },
      query: { down: false },
      placement: ["org"],
    },
  },
  "HEAD /test-cases/:testCaseId": { section: "1 Test cases", answer: "none" },
  "PUT /test-cases/:testCaseId": { section: "1 Test cases", body: { name: "string" }, answer: "@testCase" },
  "DELETE /test-cases/:testCaseId": { section: "1 Test cases", answer: "@testCase" },
  "POST /test-cases/:testCaseId/copy": {
    section: "1 Test cases",
    query: copyFields,
    body: copyFields,
    bodyOptional: true,
    answer: "@testCase",
    decision: "The parameters are taken from the query or the body.",
    once: true,
  },
} as const satisfies RouteTable;
