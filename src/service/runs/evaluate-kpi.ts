import type { MeasuredMetric } from "./measure-run.ts";
import type { Kpi, KpiOperator, KpiProblem } from "./parse-kpi.ts";
import { isKpiProblem, parseKpi } from "./parse-kpi.ts";
import type { TimingHistogram } from "./timing-histogram.ts";

/** The evaluation of a KPI. */
export interface KpiResult {
  readonly expr: string;
  /** Null where nothing was measured. */
  readonly value: number | null;
  readonly success: boolean;
}

/** Evaluates the expression of a KPI against what was measured, or says where it is wrong. */
export function evaluateKpi(expr: string, metrics: readonly MeasuredMetric[]): KpiResult | KpiProblem {
  const kpi = parseKpi(expr);
  if (isKpiProblem(kpi)) return kpi;
  const value = figureOf(kpi, expr, metrics);
  if (typeof value === "object") return value;
  const success = value !== undefined && isSatisfied(value, kpi.operator, kpi.threshold);
  return { expr, value: value ?? null, success };
}

export function isSatisfied(value: number, operator: KpiOperator, threshold: number): boolean {
  switch (operator) {
    case "<":
      return value < threshold;
    case "<=":
      return value <= threshold;
    case ">":
      return value > threshold;
    case ">=":
      return value >= threshold;
    case "=":
      return value === threshold;
    case "!=":
      return value !== threshold;
  }
}

/**
 * DECISION (API 2, KPIs: how a metric is found): by its exact name, then by what it is called, in any case, in the system's
 * namespace and then in User; a namespace that is named is the only one looked into.
 */
export function findMetric(
  metrics: readonly MeasuredMetric[],
  { namespace, name }: Pick<Kpi, "namespace" | "name">,
): MeasuredMetric | undefined {
  const wanted = name.toLowerCase();
  for (const space of namespace === null ? ["System", "User"] : [namespace]) {
    const inside = metrics.filter((each) => each.namespace.toLowerCase() === space.toLowerCase());
    const found =
      inside.find((each) => each.name === name) ??
      inside.find((each) => each.label.toLowerCase() === wanted || each.name.toLowerCase() === wanted);
    if (found) return found;
  }
  return undefined;
}

/** Undefined where nothing was measured: the KPI fails then. */
function figureOf(kpi: Kpi, expr: string, metrics: readonly MeasuredMetric[]): number | undefined | KpiProblem {
  const measured = findMetric(metrics, kpi)?.measured;
  const { selector } = kpi;
  const column = expr.indexOf("[") + 2;
  switch (measured?.type) {
    case undefined:
      return undefined;
    case "Counter":
      return selector === null
        ? measured.value
        : { column, problem: `found [${selector}] after a counter; expected none` };
    case "Timing":
      return selector === null
        ? {
            column: expr.search(/[<>=!]/) + 1,
            problem: "found a timing without selector; expected one, such as [p95] or [mean]",
          }
        : timingValue(measured.timings, selector, column);
    case "Histogram":
      return selector === null
        ? {
            column: expr.search(/[<>=!]/) + 1,
            problem: "found a histogram without selector; expected one of its buckets, such as [success]",
          }
        : bucketValue(measured.buckets, selector, kpi.isPercent);
    case "Metered": {
      const which = selector?.toLowerCase() ?? "largest";
      if (which === "largest" || which === "total") return measured[which];
      return { column, problem: `found [${selector}] after a metered metric; expected [largest] or [total]` };
    }
  }
}

/** One figure of a timing: an aggregator in any case, or a percentile; undefined where nothing was measured. */
export function timingFigure(timings: TimingHistogram, selector: string): number | undefined | null {
  const word = selector.toLowerCase();
  if (word === "count") return timings.count;
  const percent = /^p(\d+(?:\.\d+)?)$/.exec(word)?.[1];
  if (percent !== undefined) return Number(percent) > 100 ? null : timings.percentile(Number(percent));
  if (timings.count === 0) return /^(?:median|mean|sd|var|min|max|sum)$/.test(word) ? undefined : null;
  switch (word) {
    case "median":
      return timings.percentile(50);
    case "mean":
      return timings.mean;
    case "sd":
      return Math.sqrt(timings.variance ?? 0);
    case "var":
      return timings.variance;
    case "min":
      return timings.min;
    case "max":
      return timings.max;
    case "sum":
      return timings.sum;
    default:
      return null;
  }
}

function timingValue(timings: TimingHistogram, selector: string, column: number): number | undefined | KpiProblem {
  const figure = timingFigure(timings, selector);
  if (figure === null)
    return {
      column,
      problem: `found [${selector}] after a timing; expected median, mean, sd, var, min, max, count or a percentile such as p95`,
    };
  return figure;
}

/** An empty histogram has no shares. */
function bucketValue(
  buckets: Readonly<Record<string, number>>,
  bucket: string,
  isPercent: boolean,
): number | undefined {
  const name =
    Object.keys(buckets).find((each) => each === bucket) ??
    Object.keys(buckets).find((each) => each.toLowerCase() === bucket.toLowerCase());
  const count = name === undefined ? 0 : (buckets[name] ?? 0);
  if (!isPercent) return count;
  const total = Object.values(buckets).reduce((sum, each) => sum + each, 0);
  return total === 0 ? undefined : (count / total) * 100;
}
