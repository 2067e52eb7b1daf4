import type { Wire } from "../../api/routes.ts";
import { bucketOf, counterOf, requestsOf, shareOf, type TimingFigures, timingOf } from "./read-metrics.ts";
import { makeRunSeries, type RunSeries } from "./run-series.ts";
import { reasonsOf } from "./verdict-reasons.ts";

/** One run and its results as plain data: what the share page and the PDF show. */
export interface RunReport {
  readonly executionId: number;
  readonly title: string;
  readonly testCase: string;
  readonly configuration: string;
  readonly scenario: string;
  readonly state: RunState;
  /** Epoch milliseconds; null before it began. */
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Last change of the run, the only moment that every run has. */
  readonly changedAt: number;
  readonly verdict: Verdict;
  readonly totals: RunTotals;
  /** Users planned for the whole run, and the most that were active at once. */
  readonly users: { readonly planned: number; readonly peak: number };
  readonly responseTime: TimingFigures | null;
  /** Succeeded requests of all, from 0 to 1; null when there were none. */
  readonly successRate: number | null;
  readonly regions: readonly RunRow[];
  readonly resources: readonly RunRow[];
  readonly kpis: readonly KpiRow[];
  readonly series: RunSeries;
  /** Origin of the numbers; a simulated run is labelled so. */
  readonly engine: RunEngine | null;
}

type RunState = "queued" | "waiting" | "running" | "completed";
type RunEngine = "model" | "script" | "live";

/** Outcome of a run, with the reasons. */
interface Verdict {
  readonly outcome: "passed" | "failed" | "open";
  readonly reasons: readonly string[];
}

/** Totals of a run. */
interface RunTotals {
  readonly iterations: number;
  readonly requests: number;
  readonly failures: number;
  readonly requestsPerSecond: number | null;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Users when a breaking point was found. */
  readonly breakingPoint: number | null;
}

/** Figures of one region or one resource. */
export interface RunRow {
  readonly name: string;
  readonly users: number | null;
  readonly requests: number;
  readonly failures: number;
  readonly successRate: number | null;
  readonly responseTime: TimingFigures | null;
}

/** One key performance indicator; `holds` is null before it was evaluated. */
export interface KpiRow {
  readonly expression: string;
  readonly value: number | null;
  readonly holds: boolean | null;
}

/** Data of a run beside the execution itself. */
export interface RunParts {
  readonly intervals?: readonly Wire<"interval">[];
  readonly resources?: readonly Wire<"resource">[];
  readonly kpis?: readonly Wire<"kpiResult">[];
  readonly engine?: RunEngine;
  /** Error of the scenario's first iteration, which ended the run. */
  readonly failure?: string | null;
}

/** The report of a run, from what the API answers about it (API 2, Executions; API 1, Metric summary and metric). */
export function makeRunReport(execution: Wire<"execution">, parts: RunParts = {}): RunReport {
  const { summary } = execution;
  const startedAt = moment(execution.startedAt);
  const finishedAt = moment(execution.finishedAt);
  const series = makeRunSeries(parts.intervals ?? [], { startedAt, finishedAt });
  const testCase = execution.testCase?.name ?? "Test case";
  const configuration = execution.configuration?.name ?? "Configuration";
  const totals = totalsOf(summary, series);
  const { failure = null } = parts;
  const facts = {
    executionId: execution.id,
    title: `${testCase}: ${configuration}, run ${execution.id}`,
    testCase,
    configuration,
    scenario: execution.script?.name ?? "",
    state: stateOf(execution),
    startedAt,
    finishedAt,
    changedAt: moment(execution.updatedAt) ?? finishedAt ?? startedAt ?? 0,
    totals,
    users: usersOf(execution, series),
    responseTime: timingOf(summary?.metrics, "firstReceivedMs"),
    successRate: shareOf(totals),
    regions: (execution.regions ?? []).map(regionRow),
    resources: (parts.resources ?? []).map(resourceRow),
    kpis: (parts.kpis ?? []).map(kpiRow),
    series,
    engine: parts.engine ?? null,
  } as const;
  return { ...facts, verdict: { outcome: outcomeOf(execution), reasons: reasonsOf(execution, { ...facts, failure }) } };
}

function moment(text: string | null | undefined): number | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : at;
}

function stateOf({ completed, running, allocated }: Wire<"execution">): RunState {
  if (completed) return "completed";
  if (running) return "running";
  return allocated ? "waiting" : "queued";
}

function outcomeOf({ completed, success }: Wire<"execution">): Verdict["outcome"] {
  if (!completed || success === null || success === undefined) return "open";
  return success ? "passed" : "failed";
}

function totalsOf(summary: Wire<"metricSummary"> | null | undefined, series: RunSeries): RunTotals {
  const requests = requestsOf(summary);
  const seconds = series.seconds;
  return {
    iterations: summary?.iterationsExecuted ?? 0,
    requests,
    failures: bucketOf(summary?.metrics, "outcome", "failure"),
    requestsPerSecond: requests > 0 && seconds >= 1 ? requests / seconds : null,
    bytesSent: counterOf(summary?.metrics, "bytesSent") ?? 0,
    bytesReceived: counterOf(summary?.metrics, "bytesReceived") ?? 0,
    breakingPoint: counterOf(summary?.metrics, "breakingPoint"),
  };
}

/** Users of a configuration are per region, so a run's are the sum over its regions (API 1, Test configurations). */
function usersOf({ regions, concurrentClients, summary }: Wire<"execution">, series: RunSeries): RunReport["users"] {
  const perRegion = (regions ?? []).map((region) => region.concurrentClients ?? 0);
  const planned = perRegion.length > 0 ? perRegion.reduce((sum, users) => sum + users, 0) : (concurrentClients ?? 0);
  const seen = series.points.map((point) => point.users ?? 0);
  const summarized = counterOf(summary?.metrics, "maxConcurrentClients") ?? summary?.maxConcurrentClients ?? 0;
  return { planned, peak: Math.max(summarized, 0, ...seen) };
}

function regionRow({ id, region, concurrentClients, summary }: Wire<"executionRegion">): RunRow {
  return {
    ...figuresOf(requestsOf(summary), summary?.metrics),
    name: region?.name ?? `Region ${id}`,
    users: concurrentClients || (summary?.maxConcurrentClients ?? null),
  };
}

function resourceRow({ id, name, url, count, metrics }: Wire<"resource">): RunRow {
  return { ...figuresOf(count ?? 0, metrics), name: name ?? url ?? `Resource ${id}`, users: null };
}

function figuresOf(requests: number, metrics: readonly Wire<"metric">[] | null | undefined) {
  const failures = bucketOf(metrics, "outcome", "failure");
  return {
    requests,
    failures,
    successRate: shareOf({ requests, failures }),
    responseTime: timingOf(metrics, "firstReceivedMs"),
  };
}

function kpiRow({ expr, value, success }: Wire<"kpiResult">): KpiRow {
  return { expression: expr ?? "", value: value ?? null, holds: success ?? null };
}
