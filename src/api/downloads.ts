import type { RouteTable } from "./descriptors.ts";

const section = "2 Executions, download routes";
const paging = { limit: "int=-1", offset: "int=0" } as const;

const bounded =
  "At most 100,000 rows; the count of the summary, or the totals of suite-summaries, say how many there are.";

const results = { section, summary: bounded, answer: "json[]" } as const;
const plain = { section, answer: "json[]" } as const;
const threads = { section, summary: bounded, query: { ...paging, threadId: "string" }, answer: "json[]" } as const;
const withErrors = { section, query: { includeErrors: "boolean" }, answer: "json[]" } as const;
const streams = { section, query: { ...paging, browser: "string" }, answer: "json[]" } as const;
const streamErrors = { section, query: { includeErrors: "boolean", browser: "string" }, answer: "json[]" } as const;
const zip = { section, answer: "binary" } as const;

/** API 2, Executions: the download routes, as JSON and CSV, of a whole execution and of one region. */
export const downloadRoutes = {
  "GET /executions/:execution/results": results,
  "GET /executions/:execution/results.csv": { ...results, answer: "text" },
  "GET /executions/:execution/resources/:resource/results": results,
  "GET /executions/:execution/resources/:resource/results.csv": { ...results, answer: "text" },
  "GET /executions/:execution/suite-results": threads,
  "GET /executions/:execution/suite-results.csv": { ...threads, answer: "text" },
  "GET /executions/:execution/failed-suite-results": threads,
  "GET /executions/:execution/failed-suite-results.csv": { ...threads, answer: "text" },
  "GET /executions/:execution/suite-summaries": withErrors,
  "GET /executions/:execution/suite-summaries.csv": { ...withErrors, answer: "text" },
  "GET /executions/:execution/suite-errors": plain,
  "GET /executions/:execution/suite-errors.csv": { ...plain, answer: "text" },
  "GET /executions/:execution/command-streams": streams,
  "GET /executions/:execution/command-streams.csv": { ...streams, answer: "text" },
  "GET /executions/:execution/failed-command-streams": streams,
  "GET /executions/:execution/failed-command-streams.csv": { ...streams, answer: "text" },
  "GET /executions/:execution/command-stream-summaries": streamErrors,
  "GET /executions/:execution/command-stream-summaries.csv": { ...streamErrors, answer: "text" },
  "GET /executions/:execution/command-stream-errors": plain,
  "GET /executions/:execution/command-stream-errors.csv": { ...plain, answer: "text" },
  "GET /executions/:execution/traces.zip": zip,
  "GET /executions/:execution/resources/:resource/traces.zip": zip,
  "GET /executions/:execution/regions/:regionId/results": results,
  "GET /executions/:execution/regions/:regionId/results.csv": { ...results, answer: "text" },
  "GET /executions/:execution/regions/:regionId/resources/:resource/results": results,
  "GET /executions/:execution/regions/:regionId/resources/:resource/results.csv": { ...results, answer: "text" },
  "GET /executions/:execution/regions/:regionId/suite-results": threads,
  "GET /executions/:execution/regions/:regionId/suite-results.csv": { ...threads, answer: "text" },
  "GET /executions/:execution/regions/:regionId/failed-suite-results": threads,
  "GET /executions/:execution/regions/:regionId/failed-suite-results.csv": { ...threads, answer: "text" },
  "GET /executions/:execution/regions/:regionId/suite-summaries": withErrors,
  "GET /executions/:execution/regions/:regionId/suite-summaries.csv": { ...withErrors, answer: "text" },
  "GET /executions/:execution/regions/:regionId/suite-errors": plain,
  "GET /executions/:execution/regions/:regionId/suite-errors.csv": { ...plain, answer: "text" },
  "GET /executions/:execution/regions/:regionId/command-streams": streams,
  "GET /executions/:execution/regions/:regionId/command-streams.csv": { ...streams, answer: "text" },
  "GET /executions/:execution/regions/:regionId/failed-command-streams": streams,
  "GET /executions/:execution/regions/:regionId/failed-command-streams.csv": { ...streams, answer: "text" },
  "GET /executions/:execution/regions/:regionId/command-stream-summaries": streamErrors,
  "GET /executions/:execution/regions/:regionId/command-stream-summaries.csv": { ...streamErrors, answer: "text" },
  "GET /executions/:execution/regions/:regionId/command-stream-errors": plain,
  "GET /executions/:execution/regions/:regionId/command-stream-errors.csv": { ...plain, answer: "text" },
  "GET /executions/:execution/regions/:regionId/traces.zip": zip,
  "GET /executions/:execution/regions/:regionId/resources/:resource/traces.zip": zip,
} as const satisfies RouteTable;
