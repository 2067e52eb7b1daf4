import { evaluateKpi, findMetric, isSatisfied, type KpiResult, timingFigure } from "./evaluate-kpi.ts";
import { type MeasuredMetric, measure } from "./measure-run.ts";
import { isKpiProblem, type KpiOperator, parseKpi } from "./parse-kpi.ts";
import type { RunCounts } from "./run-counts.ts";
import type { PlannedCheck, RunPlan } from "./run-plan.ts";
import { intervalMs } from "./simulate-region.ts";

/** A run as checks see it. */
export interface CheckedRun {
  readonly plan: RunPlan;
  readonly counts: (from?: number, to?: number) => RunCounts;
  readonly usersAt: (ms: number) => number;
}

const minute = 6;

/** The figure that a condition is compared with, and its unit. */
interface Seen {
  readonly value: number;
  readonly unit: string;
}

/** The first condition of a trigger that is satisfied when an interval closes, in words (API 1, Trigger: any one fires it). */
export function satisfiedCheck(run: CheckedRun, atMs: number): string | undefined {
  const closed = Math.round(atMs / intervalMs);
  for (const check of run.plan.checks) {
    const seen = seenBy(run, check, closed);
    if (seen !== undefined && isSatisfied(seen.value, operators[check.operator], check.threshold))
      return checkInWords(check, seen);
  }
  return undefined;
}

/** The first KPI that stops its run and fails when an interval closes, in words. */
export function brokenKpi(run: CheckedRun, atMs: number): string | undefined {
  const breaking = run.plan.kpis.filter(({ breakOnFail }) => breakOnFail);
  if (breaking.length === 0) return undefined;
  const metrics = measured(run, 0, Math.round(atMs / intervalMs));
  for (const { expr } of breaking) {
    const result = evaluateKpi(expr, metrics);
    if ("success" in result && !result.success) return kpiInWords(result, metrics);
  }
  return undefined;
}

/** One figure of what was measured, as a condition names it; undefined where there is none. */
export function checkedFigure(
  metrics: readonly MeasuredMetric[],
  check: Pick<PlannedCheck, "metric" | "key" | "isPercentage">,
): number | undefined {
  const found = findMetric(metrics, { namespace: null, name: check.metric })?.measured;
  switch (found?.type) {
    case "Counter":
      return found.value;
    case "Timing":
      return timingFigure(found.timings, check.key ?? "p50") ?? undefined;
    case "Histogram":
      return bucketFigure(found.buckets, check);
    case "Metered":
      return check.key === "total" ? found.total : found.largest;
    default:
      return undefined;
  }
}

/**
 * DECISION (API 1, Condition: what the words mean): LastMinute is the last six closed intervals merged, Execution the run so
 * far; a change is the difference to the minute before, or to the weighted average of earlier runs, in percent of it where
 * `isPercentage`; without anything to compare with nothing is satisfied.
 */
function seenBy(run: CheckedRun, check: PlannedCheck, closed: number): Seen | undefined {
  const from = check.timePeriod === "LastMinute" ? Math.max(0, closed - minute) : 0;
  const metrics = measured(run, from, closed);
  const value = checkedFigure(metrics, check);
  const unit = unitOf(findMetric(metrics, { namespace: null, name: check.metric }), check.key, check.isPercentage);
  if (value === undefined) return undefined;
  if (check.valueType === "Absolute") return { value, unit };
  const before = check.valueType === "ChangeFromHistory" ? (check.history ?? undefined) : earlier(run, check, closed);
  if (before === undefined) return undefined;
  const change = check.isPercentage ? ((value - before) / before) * 100 : value - before;
  return Number.isFinite(change) ? { value: change, unit: check.isPercentage ? " %" : unit } : undefined;
}

function earlier(run: CheckedRun, check: PlannedCheck, closed: number): number | undefined {
  if (closed < 2 * minute) return undefined;
  return checkedFigure(measured(run, closed - 2 * minute, closed - minute), check);
}

function bucketFigure(
  buckets: Readonly<Record<string, number>>,
  { key, isPercentage }: Pick<PlannedCheck, "key" | "isPercentage">,
): number | undefined {
  const count = buckets[key ?? ""] ?? 0;
  if (!isPercentage) return count;
  const total = Object.values(buckets).reduce((sum, each) => sum + each, 0);
  return total === 0 ? undefined : (count / total) * 100;
}

function measured(run: CheckedRun, from: number, to: number): readonly MeasuredMetric[] {
  const { iteration, regions } = run.plan;
  const users = run.usersAt(to * intervalMs);
  const maxOnRunner = Math.max(0, ...regions.flatMap(({ chunks }) => chunks.map((each) => each.users)));
  const load = { users, maxUsers: users, maxOnRunner, ms: (to - from) * intervalMs };
  return measure(iteration, run.counts(from, to), load);
}

const operators: Readonly<Record<PlannedCheck["operator"], KpiOperator>> = {
  GT: ">",
  GTE: ">=",
  LT: "<",
  LTE: "<=",
  EQ: "=",
  NEQ: "!=",
};

/** Such as `firstReceivedMs[p95] was 2,104 ms (in the last minute; the trigger is 2,000 ms or more)`. */
function checkInWords({ metric, key, operator, threshold, timePeriod, valueType }: PlannedCheck, seen: Seen): string {
  const size = `${figure(valueType === "Absolute" ? seen.value : Math.abs(seen.value))}${seen.unit}`;
  const was = valueType === "Absolute" ? size : `${size} ${seen.value < 0 ? "below" : "above"} ${compared[valueType]}`;
  const period = timePeriod === "LastMinute" ? "in the last minute" : "in the whole run so far";
  const bound = bounds[operator](`${figure(threshold)}${seen.unit}`);
  return `${metric}${key === null ? "" : `[${key}]`} was ${was} (${period}; the trigger is ${bound})`;
}

/** Such as `Response Time[p95] < 800 ms does not hold: it was 2,104 ms`. */
function kpiInWords({ expr, value }: KpiResult, metrics: readonly MeasuredMetric[]): string {
  const kpi = parseKpi(expr);
  if (value === null || isKpiProblem(kpi)) return `${expr} does not hold: nothing was measured`;
  return `${expr} does not hold: it was ${figure(value)}${unitOf(findMetric(metrics, kpi), kpi.selector, kpi.unit === "%")}`;
}

const compared = {
  ChangeFromLastMinute: "that of the minute before",
  ChangeFromHistory: "that of earlier runs",
} as const;

const bounds: Readonly<Record<PlannedCheck["operator"], (bound: string) => string>> = {
  GT: (bound) => `more than ${bound}`,
  GTE: (bound) => `${bound} or more`,
  LT: (bound) => `less than ${bound}`,
  LTE: (bound) => `${bound} or less`,
  EQ: (bound) => `exactly ${bound}`,
  NEQ: (bound) => `anything but ${bound}`,
};

/** The unit of one figure of a metric, after a space; nothing where it has none. */
function unitOf(metric: MeasuredMetric | undefined, key: string | null, isPercentage: boolean): string {
  if (metric?.measured.type === "Histogram" && isPercentage) return " %";
  if (metric?.measured.type === "Timing" && /^(?:count|var)$/i.test(key ?? "")) return "";
  return metric?.units ? ` ${metric.units}` : "";
}

function figure(value: number): string {
  return Number(value.toPrecision(4)).toLocaleString("en-US", { maximumFractionDigits: 20 });
}
