import type { RouteTable } from "./route-descriptor.ts";

const seed = "2 Executions";
const file = { fileName: "string" } as const;
const intervals = { numIntervals: "int", since: "epoch" } as const;
const outputFilter = {
  limit: "int=-1",
  offset: "int=0",
  since: "epoch",
  until: "epoch",
  contentType: "string",
  agent: "string",
  regions: "string",
  client: "int",
  iteration: "int",
  failuresOnly: "boolean=false",
} as const;

/** Seed 2, Executions, without the downloads. */
export const executionRoutes = {
  "GET /test-confs/:confId/executions": {
    seed,
    query: {
      down: "boolean=true",
      up: "boolean=false",
      includeScript: "boolean=true",
      includeSummary: "boolean=true",
      includeResources: "boolean=false",
      offset: "int=0",
      period: "recent|7d|1m|3m",
      start: "epoch",
      end: "epoch",
      limit: "int",
    },
    answer: "@execution[]",
  },
  "GET /executions/:id": {
    seed,
    query: { down: "boolean=true", up: "boolean=true", includeScript: "boolean=true", includeSummary: "boolean=true" },
    answer: "@execution",
  },
  "GET /executions/:id/summary": { seed, answer: "@metricSummary", later: true },
  "GET /executions/:id/metric": { seed, query: { ns: "string", name: "string" }, answer: "@metric", later: true },
  "GET /executions/:id/intervals": { seed, query: intervals, answer: "@interval[]", later: true },
  "GET /executions/:id/regions/:regionId/intervals": { seed, query: intervals, answer: "@interval[]", later: true },
  "HEAD /executions/:id": { seed, answer: "none" },
  "DELETE /executions/:id": { seed, answer: "@execution", decision: "Answers the deleted object." },
  "GET /executions/:id/output-files": { seed, query: outputFilter, answer: "@outputFile[]", later: true },
  "GET /executions/:id/output-files.zip": {
    seed,
    query: { flat: "boolean", ...outputFilter },
    answer: "binary",
    later: true,
  },
  "GET /executions/:id/output-files/:fileName/download": { seed, params: file, answer: "binary", later: true },
  "GET /executions/:id/results.pdf": {
    seed,
    query: { dashboardId: "int", tz: "string=UTC", enc: "string" },
    answer: "binary",
    later: true,
  },
  "GET /executions/:id/resources": { seed, answer: "@resource[]", later: true },
  "GET /executions/:id/resources/:resourceId": { seed, answer: "@resource", later: true },
  "GET /executions/:id/logs": { seed, answer: "@logLine[]", later: true },
  "GET /executions/:id/logs.txt": { seed, answer: "text", later: true },
  "GET /executions/:id/traces": { seed, answer: "@trace[]", later: true },
  "GET /execution-traces/:id": { seed, answer: "@trace", later: true },
  "POST /test-confs/:confId/executions": {
    seed,
    body: "json",
    bodyOptional: true,
    openQuery: true,
    answer: "@execution",
    decision: "Takes an optional object of string parameters; the run completes at once until its life is built.",
  },
  "POST /executions/:id/add-users": {
    seed,
    body: { concurrentClients: "int!", regionId: "int" },
    answer: "@execution",
    later: true,
  },
  "POST /executions/:id/send-event": { seed, body: { name: "string!", contents: "json" }, answer: "json", later: true },
  "POST /orgs/:orgId/tokens": {
    seed,
    body: { executionId: "int!", dashboardId: "int", tz: "string" },
    answer: "@shareLink",
    later: true,
  },
  "POST /executions/:id/tags": {
    seed,
    body: "string[]!",
    answer: "@tag[]",
    decision: "An array of names; answers the execution's tags.",
  },
  "POST /search": {
    seed,
    body: {
      query: "string",
      tags: "string[]",
      testCaseId: "int",
      confId: "int",
      start: "epoch",
      end: "epoch",
      success: "boolean",
      offset: "int",
      limit: "int",
    },
    answer: "@searchResult",
    later: true,
  },
  "POST /executions/:id/evaluate-kpis": {
    seed,
    body: { kpis: "@kpiInput[]" },
    bodyOptional: true,
    answer: "@kpiEvaluation",
    later: true,
  },
} as const satisfies RouteTable;
