import { type RouteTable, stored } from "./descriptors.ts";

const copyFields = { name: "string", targetTestCase: "int", copyConfs: "boolean" } as const;

const scriptFields = {
  name: "string",
  main: "string",
  init: "string",
  teardown: "string",
  scriptType: "string",
  language: "javascript|typescript",
  nodeVersion: "14|18|22|latest",
  paramsConfig: "@scriptParameter[]",
} as const;

/** API 1, Scenario (script) and Validation. */
export const scenarioShapes = {
  scenario: {
    ...stored,
    ...scriptFields,
    tags: "string[]",
    startParameters: "json",
    length: "int",
    hasInit: "boolean",
    hasTeardown: "boolean",
    sourceType: "string",
    sourceId: "int",
    dataStores: "@dataStore[]",
    testCase: "@testCase",
    dataLength: "int",
    readonly: "boolean",
    configurations: "@configuration[]",
  },
  scenarioInput: { ...scriptFields, tags: "string[]" },
  scenarioSummary: {
    id: "int!",
    name: "string",
    sourceType: "string",
    sourceId: "int",
    length: "int",
    hasInit: "boolean",
    hasTeardown: "boolean",
    scriptType: "string",
  },
  scriptParameter: { name: "string", required: "boolean", defaultValue: "string", encrypted: "boolean" },
  validation: {
    success: "boolean",
    startedAt: "time",
    finishedAt: "time",
    results: "@validationResult[]",
    logs: "@logLine[]",
  },
  validationResult: {
    connectionId: "string",
    threadId: "string",
    resource: "string",
    timestamp: "number",
    firstReport: "boolean",
    metrics: "@validationMetric[]",
  },
  validationMetric: {
    name: "string",
    metricType: "Histogram|Timing|Counter|Metered",
    metricKey: "string",
    metricValue: "number",
    metricUnits: "string",
  },
  logLine: { level: "string", message: "string", timestamp: "number" },
} as const;

/** API 1, Scenarios (scripts). */
export const scenarioRoutes = {
  "GET /test-cases/:testCaseId/scripts": {
    section: "1 Scenarios (scripts)",
    query: { down: "boolean=false", up: "boolean=false" },
    answer: "@scenario[]",
  },
  "GET /scripts/:id": {
    section: "1 Scenarios (scripts)",
    query: { down: "boolean=true", up: "boolean=true" },
    answer: "@scenario",
    aliases: ["/script/:id"],
  },
  "POST /scripts/:id/run": {
    section: "1 Scenarios (scripts)",
    summary: "Validates a scenario: one iteration on one client",
    query: { region: "int" },
    body: "json",
    bodyOptional: true,
    answer: "@validation",
    decision:
      "What the results hold is not shown: one item per request with connected, outcome, responseCode, httpContentType, connectionOpenMs, connectionCloseMs, bytes and packets each way and the times of the first and last packet each way; then one per custom metric. Parameters are strings, over the defaults of paramsConfig. An unknown region is 400.",
    once: true,
  },
  "POST /test-cases/:testCaseId/scripts": {
    section: "1 Scenarios (scripts)",
    body: { ...scenarioShapes.scenarioInput, name: "string!" },
    answer: "@scenario",
    decision:
      "The body is not shown: name, main, init, teardown, scriptType, language, nodeVersion, paramsConfig and tags; main is required for Code.",
  },
  "HEAD /scripts/:id": { section: "1 Scenarios (scripts)", answer: "none", aliases: ["/script/:id"] },
  "PUT /scripts/:id": {
    section: "1 Scenarios (scripts)",
    body: scenarioShapes.scenarioInput,
    answer: "@scenario",
    aliases: ["/script/:id"],
    decision:
      "The body is not shown: name, main, init, teardown, scriptType, language, nodeVersion, paramsConfig and tags; main is required for Code.",
  },
  "DELETE /scripts/:id": {
    section: "1 Scenarios (scripts)",
    answer: "@scenario",
    aliases: ["/script/:id"],
    decision: "409 while a configuration runs it.",
  },
  "POST /scripts/:id/copy": {
    section: "1 Scenarios (scripts)",
    query: copyFields,
    body: copyFields,
    bodyOptional: true,
    answer: "@scenario",
    decision:
      "Answers as GET /scripts/:id?down=false&up=true, plus configurations with copyConfs; parameters from query or body.",
    once: true,
  },
} as const satisfies RouteTable;
