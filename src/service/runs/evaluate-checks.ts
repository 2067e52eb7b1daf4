import { compare, evaluateKpi, findMetric, timingFigure } from "./evaluate-kpi.ts";
import type { MeasuredMetric } from "./measure-run.ts";
import { measure } from "./measure-run.ts";
import type { KpiOperator } from "./parse-kpi.ts";
import type { RunCounts } from "./run-counts.ts";
import type { PlannedCheck, RunPlan } from "./run-plan.ts";
import { intervalMs } from "./simulate-region.ts";

/** What checks look at of a run. */
export interface CheckedRun {
  readonly plan: RunPlan;
  readonly counts: (from?: number, to?: number) => RunCounts;
  readonly usersAt: (ms: number) => number;
}

const minute = 6;

/** The first condition of a trigger that is satisfied when an interval closes, in words (API 1, Trigger: any one fires it). */
export function satisfiedCheck(run: CheckedRun, atMs: number): string | undefined {
  const closed = Math.round(atMs / intervalMs);
  const check = run.plan.checks.find((each) => isSatisfied(run, each, closed));
  return check && `${check.metric}${check.key === null ? "" : `[${check.key}]`} ${check.operator} ${check.threshold}`;
}

/** The first KPI that stops its run and fails when an interval closes. */
export function brokenKpi(run: CheckedRun, atMs: number): string | undefined {
  const breaking = run.plan.kpis.filter(({ breakOnFail }) => breakOnFail);
  if (breaking.length === 0) return undefined;
  const metrics = measured(run, 0, Math.round(atMs / intervalMs));
  return breaking.find(({ expr }) => {
    const result = evaluateKpi(expr, metrics);
    return "success" in result && !result.success;
  })?.expr;
}

/** One figure of what was measured, as a condition names it; undefined where there is none. */
export function checkValue(
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
function isSatisfied(run: CheckedRun, check: PlannedCheck, closed: number): boolean {
  const from = check.timePeriod === "LastMinute" ? Math.max(0, closed - minute) : 0;
  const value = checkValue(measured(run, from, closed), check);
  if (value === undefined) return false;
  if (check.valueType === "Absolute") return compare(value, operators[check.operator], check.threshold);
  const before = check.valueType === "ChangeFromHistory" ? (check.history ?? undefined) : earlier(run, check, closed);
  if (before === undefined) return false;
  const change = check.isPercentage ? ((value - before) / before) * 100 : value - before;
  return Number.isFinite(change) && compare(change, operators[check.operator], check.threshold);
}

function earlier(run: CheckedRun, check: PlannedCheck, closed: number): number | undefined {
  if (closed < 2 * minute) return undefined;
  return checkValue(measured(run, closed - 2 * minute, closed - minute), check);
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
