import type { Scope } from "../core/scope.ts";
import { timingFigure } from "../runs/evaluate-kpi.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { viewSummary } from "./metric-summary.ts";
import { figuresOfRun } from "./run-figures.ts";
import type { View } from "./stamp.ts";

/** API 1, summary-history: the summary of an execution, of all regions or of one region of its grid; undefined when it did not run there. */
export function viewHistoric(
  row: ExecutionRecord,
  { region, down }: { readonly region: number | undefined; readonly down: boolean },
  scope: Scope,
): View | undefined {
  const inRegion = region === undefined ? undefined : row.regions.find(({ regionId }) => regionId === region);
  if (region !== undefined && inRegion === undefined) return undefined;
  const { metrics, ...numbers } = viewSummary(row, scope, inRegion?.id);
  return down ? { ...numbers, metrics: metrics ?? [] } : numbers;
}

const header = [
  "executionId",
  "startedAt",
  "passed",
  "maxConcurrentUsers",
  "p50ResponseTimeMs",
  "p99ResponseTimeMs",
  "requestSuccessRate",
  "assertionPassRate",
] as const;

/** API 1, report.csv. DECISION (API 1, GET /test-confs/:confId/report.csv): one line for each run, rates in percent; what was not measured is empty. */
export function reportCsv(rows: readonly ExecutionRecord[], scope: Scope): string {
  const lines = rows.map((row) => {
    const { counts, load, metrics } = figuresOfRun(row, scope);
    const found = metrics.find(({ name }) => name === "firstReceivedMs")?.measured;
    const timings = found?.type === "Timing" ? found.timings : undefined;
    const tests = row.probe?.tests ?? [];
    const passed = tests.filter(({ state }) => state === "passed").length;
    return [
      row.id,
      row.startedAt ?? "",
      row.success ?? "",
      load.maxUsers,
      shownNumber(timings && timingFigure(timings, "p50")),
      shownNumber(timings && timingFigure(timings, "p99")),
      shownNumber(counts.requests === 0 ? undefined : ((counts.requests - counts.failures) / counts.requests) * 100),
      shownNumber(tests.length === 0 ? undefined : (passed / tests.length) * 100),
    ].join(",");
  });
  return `${[header.join(","), ...lines].join("\r\n")}\r\n`;
}

function shownNumber(value: number | undefined | null): string {
  return value === undefined || value === null ? "" : String(Math.round(value * 1000) / 1000);
}
