import type { RouteTable } from "./route-descriptor.ts";
import { testShapes } from "./shapes-tests.ts";

const period = {
  period: "recent|7d|1m|3m",
  start: "epoch",
  end: "epoch",
  limit: "int",
  offset: "int=0",
} as const;

const configurationInput = testShapes.configurationInput;

/** Seed 1, Test configurations. */
export const configurationRoutes = {
  "GET /test-cases/:testCaseId/confs": { seed: "1 Test configurations", answer: "@configuration[]" },
  "GET /test-confs/:confId": {
    seed: "1 Test configurations",
    query: { down: "boolean=false", up: "boolean=true", offset: "int=0", limit: "int=-1" },
    answer: "@configuration",
  },
  "POST /test-cases/:testCaseId/confs": {
    seed: "1 Test configurations",
    body: { ...configurationInput, name: "string!", scriptId: "int!", providers: "@providerConfigurationInput[]!" },
    answer: "@configuration",
  },
  "HEAD /test-confs/:confId": { seed: "1 Test configurations", answer: "none" },
  "PUT /test-confs/:confId": {
    seed: "1 Test configurations",
    body: { ...configurationInput, deleteSchedule: "boolean" },
    answer: "@configuration",
    decision: "Omitted fields keep their value, null clears, lists are replaced whole.",
  },
  "DELETE /test-confs/:confId": { seed: "1 Test configurations", answer: "@configuration" },
  "GET /test-confs/:confId/summary-history": {
    seed: "1 Test configurations",
    query: { down: "boolean=false", region: "int", maxExecutionId: "int", ...period },
    answer: "@metricSummary[]",
    later: true,
  },
  "PUT /test-schedules/:scheduleId": {
    seed: "1 Test configurations",
    summary: "Pauses or resumes a recurring schedule",
    body: { active: "boolean!" },
    answer: "none",
    decision: "409 on a Single schedule.",
  },
  "GET /test-confs/:confId/report.csv": {
    seed: "1 Test configurations",
    query: period,
    answer: "text",
    later: true,
  },
  "POST /test-confs/:confId/share": {
    seed: "1 Test configurations",
    body: { dashboardId: "int", tz: "string" },
    bodyOptional: true,
    answer: "@shareLink",
  },
  "GET /scheduled": { seed: "1 Test configurations", answer: "@scheduledEntry[]" },
  "GET /orgs/:orgId/scheduled": { seed: "1 Test configurations", answer: "@scheduledEntry[]" },
  "GET /p/:name": {
    seed: "1 Test configurations",
    summary: "The latest run behind a share link",
    params: { name: "string" },
    answer: "text",
    open: "all",
    later: true,
  },
  "GET /p/:name/results.pdf": {
    seed: "1 Test configurations",
    params: { name: "string" },
    answer: "binary",
    open: "all",
    later: true,
  },
} as const satisfies RouteTable;
