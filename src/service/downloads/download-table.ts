import type { downloadRoutes } from "../../api/downloads.ts";
import type { Scope } from "../core/scope.ts";
import type { View } from "../views/stamp.ts";
import type { DownloadedPart, DownloadQuery } from "./downloaded-run.ts";
import { rawResults, resultColumns } from "./raw-results.ts";
import {
  errorColumns,
  suiteColumns,
  suiteErrors,
  suiteResults,
  suiteSummaries,
  summaryColumns,
} from "./suite-results.ts";

type CsvRoute = Extract<keyof typeof downloadRoutes, `${string}.csv`>;

type LastSegment<P extends string> = P extends `${string}/${infer Rest}` ? LastSegment<Rest> : P;

/** Names of downloads: the last segment of their routes, without `.csv`. */
export type DownloadName = LastSegment<CsvRoute> extends `${infer Name}.csv` ? Name : never;

/** One download: its rows, and the columns that are their keys and the header of its CSV, in this order. */
export interface Download {
  readonly columns: (query: DownloadQuery) => readonly string[];
  readonly rows: (part: DownloadedPart, query: DownloadQuery, scope: Scope) => readonly View[];
}

/**
 * DECISION (API 2, download routes: command-streams): commands are those of browsers, which no scenario drives here, so these
 * lists are empty, with this header.
 */
const commands: Download = {
  columns: () => ["command", "args", "state", "started", "duration", "browser", "threadId", "errorType", "error"],
  rows: () => [],
};

/** API 2, Executions: the downloads, of an execution, a region or a resource, as JSON and CSV alike. */
export const downloads: Readonly<Record<DownloadName, Download>> = {
  results: { columns: () => resultColumns, rows: (part, _query, scope) => rawResults(part, scope) },
  "suite-results": {
    columns: () => suiteColumns,
    rows: suiteResults,
  },
  "failed-suite-results": {
    columns: () => suiteColumns,
    rows: (part, query, scope) => suiteResults(part, { ...query, isFailed: true }, scope),
  },
  "suite-summaries": {
    columns: ({ includeErrors }) => (includeErrors ? [...summaryColumns, "errors"] : summaryColumns),
    rows: suiteSummaries,
  },
  "suite-errors": { columns: () => errorColumns, rows: (part, _query, scope) => suiteErrors(part, scope) },
  "command-streams": commands,
  "failed-command-streams": commands,
  "command-stream-summaries": commands,
  "command-stream-errors": commands,
};
