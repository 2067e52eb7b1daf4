import {
  formatBytes,
  formatCount,
  formatDuration,
  formatFigure,
  formatMoment,
  formatMs,
  formatPercent,
} from "../../pictures/figures.ts";
import type { Fact, PageTable } from "../../pictures/page-frame.ts";
import { percentileOf } from "./read-metrics.ts";
import type { KpiRow, RunReport, RunRow } from "./run-report.ts";

const none = "–";

const verdicts = { passed: "Passed", failed: "Failed" } as const;
const states = { queued: "Queued", waiting: "Ready", running: "Running", completed: "Completed" } as const;

/** A verdict in a word; where there is none yet, how far the run is. */
export function verdictWord(outcome: RunReport["verdict"]["outcome"], state: RunReport["state"]): string {
  return outcome === "open" ? states[state] : verdicts[outcome];
}

/** When and how a run went. */
export function runFacts(report: RunReport, tz: string): readonly Fact[] {
  const { startedAt, finishedAt, series, users, scenario } = report;
  return [
    ...(scenario === "" ? [] : [["Scenario", scenario] as const]),
    ["Started", startedAt === null ? "not yet" : formatMoment(startedAt, tz)],
    ["Finished", finishedAt === null ? "not yet" : formatMoment(finishedAt, tz)],
    ["Duration", startedAt === null ? none : formatDuration(series.seconds)],
    ...(users.planned === 0 ? [] : [["Users planned", formatCount(users.planned)] as const]),
  ];
}

/** The figures that one looks for first. */
export function headFigures({ totals, users, responseTime, successRate }: RunReport): readonly Fact[] {
  const timing = (name: string) => orNone(percentileOf(responseTime, name), formatMs);
  return [
    ["Success rate", orNone(successRate, formatPercent)],
    ["Requests", formatCount(totals.requests)],
    ["Requests per s", orNone(totals.requestsPerSecond, formatFigure)],
    ["Failures", formatCount(totals.failures)],
    ["Response time p50", timing("p50")],
    ["Response time p95", timing("p95")],
    ["Most users at once", formatCount(users.peak)],
    ["Received", formatBytes(totals.bytesReceived)],
  ];
}

/** The tables of a report; one without rows is left out. */
export function reportTables(report: RunReport): readonly PageTable[] {
  const all = [
    kpiTable(report.kpis),
    responseTable(report),
    regionTable(report.regions),
    resourceTable(report.resources),
  ];
  return all.filter(({ rows }) => rows.length > 0);
}

/** A note on the origin of the figures, where it is known. */
export function engineNote({ engine }: RunReport): string | undefined {
  if (engine === "model") return "Simulated: computed by a model of the system, no request was sent.";
  if (engine === "script")
    return "Simulated: the scenario was really run once, and a model repeated that for every user.";
  return engine === "live" ? "Measured with real requests." : undefined;
}

function kpiTable(kpis: readonly KpiRow[]): PageTable {
  return {
    caption: "KPIs",
    columns: ["Expression", "Value", "Result"],
    rows: kpis.map(({ expression, value, holds }) => [
      expression,
      orNone(value, formatFigure),
      holds === null ? "open" : holds ? "holds" : "does not hold",
    ]),
  };
}

function responseTable({ responseTime, totals }: RunReport): PageTable {
  const timing = responseTime
    ? [
        ...responseTime.percentiles.map(({ name, value }) => [`Response time ${name}`, formatMs(value)]),
        ["Mean response time", formatMs(responseTime.mean)],
        ["Shortest and longest", `${formatMs(responseTime.min)} to ${formatMs(responseTime.max)}`],
      ]
    : [];
  const broke = totals.breakingPoint === null ? [] : [["Breaking point", `${formatCount(totals.breakingPoint)} users`]];
  const counts = [
    ["Iterations", formatCount(totals.iterations)],
    ["Sent", formatBytes(totals.bytesSent)],
    ["Received", formatBytes(totals.bytesReceived)],
  ];
  return { caption: "Figures", columns: ["Figure", "Value"], rows: [...timing, ...broke, ...counts] };
}

const figureColumns = ["Requests", "Failures", "Success", "p50", "p95", "p99"];

function regionTable(rows: readonly RunRow[]): PageTable {
  const withUsers = (row: RunRow) => [row.name, orNone(row.users, formatCount), ...figureCells(row)];
  return { caption: "Regions", columns: ["Region", "Users", ...figureColumns], rows: rows.map(withUsers) };
}

function resourceTable(rows: readonly RunRow[]): PageTable {
  const cells = (row: RunRow) => [row.name, ...figureCells(row)];
  return { caption: "Resources", columns: ["Resource", ...figureColumns], rows: rows.map(cells) };
}

function figureCells({ requests, failures, successRate, responseTime }: RunRow): readonly string[] {
  const timing = (name: string) => orNone(percentileOf(responseTime, name), formatMs);
  return [
    formatCount(requests),
    formatCount(failures),
    orNone(successRate, formatPercent),
    ...["p50", "p95", "p99"].map(timing),
  ];
}

function orNone(value: number | null, format: (value: number) => string): string {
  return value === null ? none : format(value);
}
