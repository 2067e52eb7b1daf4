import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { type BegunExecution, hasBegun } from "../core/simulations.ts";
import type { MeasuredMetric } from "../runs/measure-run.ts";
import { intervalMs } from "../runs/simulate-region.ts";
import type { TimingHistogram } from "../runs/timing-histogram.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { closedIntervals, figuresOfInterval, figuresOfRun, type RunFigures } from "./run-figures.ts";
import type { View } from "./stamp.ts";

/** API 1, Metric summary: of an execution so far, or of one of its regions. */
export function viewSummary(row: ExecutionRecord, scope: Scope, regionId?: number): View {
  const figures = figuresOfRun(row, scope, regionId);
  return {
    id: regionId ?? row.id,
    executionId: row.id,
    executionRegionId: regionId ?? null,
    intervalStart: row.startedAt,
    ...numbersOf(row, figures, regionId),
    timespan: Math.round(figures.load.ms / 1000),
    metrics: figures.metrics.map((each) => viewMetric(each, row.percentiles)),
  };
}

/** API 2, Interval: like a metric summary, with `intervalStart` as epoch milliseconds; the oldest first. */
export function viewIntervals(
  row: ExecutionRecord,
  wanted: { readonly regionId?: number | undefined; readonly numIntervals?: number; readonly since?: number },
  scope: Scope,
): readonly View[] {
  if (!hasBegun(row)) return [];
  const { regionId, numIntervals, since = Number.NEGATIVE_INFINITY } = wanted;
  const closed = closedIntervals(row, scope);
  const first = numIntervals === undefined ? 0 : Math.max(0, closed - Math.max(0, numIntervals));
  const start = Date.parse(row.startedAt);
  return Array.from({ length: closed - first }, (_, at) => first + at)
    .filter((index) => start + index * intervalMs >= since)
    .map((index) => viewInterval(row, { index, regionId }, scope));
}

function viewInterval(
  row: BegunExecution,
  { index, regionId }: { readonly index: number; readonly regionId?: number | undefined },
  scope: Scope,
): View {
  const figures = figuresOfInterval(row, { index, regionId }, scope);
  return {
    id: index + 1,
    executionId: row.id,
    executionRegionId: regionId ?? null,
    intervalStart: Date.parse(row.startedAt) + index * intervalMs,
    ...numbersOf(row, figures, regionId),
    concurrentClients: usersUntil(row, { index, regionId }),
    timespan: intervalMs / 1000,
    metrics: figures.metrics.map((each) => viewMetric(each, row.percentiles)),
  };
}

function numbersOf(row: ExecutionRecord, { counts, load, metrics }: RunFigures, regionId: number | undefined): View {
  const region = row.regions.find(({ id }) => id === regionId);
  return {
    iterationsExecuted: counts.iterations,
    count: counts.requests,
    concurrentClients: region?.concurrentClients ?? row.concurrentClients,
    actualConcurrentClients: load.users,
    maxConcurrentClients: load.maxUsers,
    memory: meteredOf(metrics, "memory"),
    cpu: meteredOf(metrics, "cpu"),
  };
}

/** Users of a run when an interval closed: those that were added later are none of it. */
function usersUntil(
  row: BegunExecution,
  { index, regionId }: { readonly index: number; readonly regionId?: number | undefined },
): number {
  const { concurrentClients } = row.regions.find(({ id }) => id === regionId) ?? row;
  const later = row.controls.added.filter(
    (each) => (regionId === undefined || each.regionId === regionId) && each.atMs >= (index + 1) * intervalMs,
  );
  return concurrentClients - later.reduce((sum, { users }) => sum + users, 0);
}

function meteredOf(metrics: readonly MeasuredMetric[], name: string): number {
  const measured = metrics.find((each) => each.namespace === "System" && each.name === name)?.measured;
  return measured?.type === "Metered" ? measured.largest : 0;
}

/**
 * API 1, Metric. DECISION (API 1, Metric summary and metric): a histogram has the total of its buckets as `metricValue` beside
 * its map, and a metered metric its largest beside `{largest, total}`.
 */
export function viewMetric({ namespace, name, units, measured }: MeasuredMetric, percentiles: readonly number[]): View {
  const common = { namespace, metricDef: name, metricType: measured.type, metricUnits: units };
  switch (measured.type) {
    case "Counter":
      return { ...common, metricValue: measured.value };
    case "Histogram": {
      const total = Object.values(measured.buckets).reduce((sum, each) => sum + each, 0);
      return { ...common, metricValue: total, metricValueMap: { ...measured.buckets } };
    }
    case "Metered":
      return {
        ...common,
        metricValue: measured.largest,
        metricValueMap: { largest: measured.largest, total: measured.total },
      };
    case "Timing":
      return { ...common, metricValueMap: viewTimings(measured.timings, percentiles) };
  }
}

const documented = [50, 95, 99];

/** API 1, Metric: count, mean, min, max, sd, var, sum, p50, p95, p99, and the requested percentiles; null where nothing was measured. */
function viewTimings(timings: TimingHistogram, percentiles: readonly number[]): Readonly<Record<string, JsonValue>> {
  const isEmpty = timings.count === 0;
  const variance = timings.variance;
  const map: Record<string, JsonValue> = {
    count: timings.count,
    mean: rounded(timings.mean),
    min: isEmpty ? null : rounded(timings.min),
    max: isEmpty ? null : rounded(timings.max),
    sd: rounded(variance === undefined ? undefined : Math.sqrt(variance)),
    var: rounded(variance),
    sum: rounded(timings.sum),
  };
  for (const percent of new Set([...documented, ...percentiles]))
    map[`p${percent}`] = rounded(timings.percentile(percent));
  return map;
}

/** Microseconds are the finest that is told. */
function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value * 1000) / 1000;
}
