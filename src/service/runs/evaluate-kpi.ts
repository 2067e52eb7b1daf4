import { type MeasuredMetric, measure } from "./measure-run.ts";
import { isKpiProblem, type Kpi, type KpiOperator, type KpiProblem, type KpiUnit, parseKpi } from "./parse-kpi.ts";
import { RunCounts } from "./run-counts.ts";
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
  const metric = findMetric(metrics, kpi);
  const value = figureOf(kpi, expr, metric?.measured);
  if (typeof value === "object") return value;
  const threshold = metric === undefined ? kpi.threshold : thresholdIn(metric, kpi);
  if (typeof threshold === "object") return threshold;
  const success = value !== undefined && isSatisfied(value, kpi.operator, threshold);
  return { expr, value: value ?? null, success };
}

/** What is measured of every run, as it is before one: the types of these metrics are known. */
const unmeasured = () =>
  measure({ requests: [], restMs: 0, metrics: [] }, new RunCounts(0), {
    ...{ users: 0, maxUsers: 0, maxOnRunner: 0, ms: 0, breakingPoint: 0 },
  });

/** The mistake in the expression of a KPI, with its column (API 2, KPIs); undefined when it can be judged. */
export function kpiProblem(expr: string): string | undefined {
  if (expr.trim() === "") return "found none; expected an expression, such as Outcome[success] > 95%";
  const read = evaluateKpi(expr, unmeasured());
  return isKpiProblem(read) ? kpiProblemWords(read) : undefined;
}

/** A mistake in the expression of a KPI as a finding says it. */
export function kpiProblemWords({ column, problem }: KpiProblem): string {
  return `column ${column}: ${problem}`;
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

/**
 * The number of a KPI in the unit of its metric, or that its unit does not fit.
 * DECISION (API 2, KPIs: units): `ms` and `s` fit a timing in milliseconds or seconds, and 1 s is 1000 ms; `bytes` fits a metric in
 * bytes, `%` a bucket, whose share is compared then, and a metric in percent. The `count` and the `var` of a timing have no unit.
 */
function thresholdIn(metric: MeasuredMetric, { threshold, unit, unitColumn, selector }: Kpi): number | KpiProblem {
  if (unit === "") return threshold;
  const factor = factorsOf(metric, selector).get(unit);
  // What is written in decimals is compared as such: 1.001 s are 1001 ms.
  if (factor !== undefined) return Number((threshold * factor).toPrecision(15));
  const expected = ["none", ...factorsOf(metric, selector).keys()].join(" or ");
  const kind = { Counter: "a counter", Timing: "a timing", Histogram: "a histogram", Metered: "a metered metric" };
  const figure = `${kind[metric.measured.type]}${metric.units === "" ? "" : ` in ${metric.units}`}`;
  return { column: unitColumn, problem: `found the unit "${unit}" for ${figure}; expected ${expected}` };
}

/** The units that fit a figure, each with what leads from it to that of the metric. */
function factorsOf({ measured, units }: MeasuredMetric, selector: string | null): ReadonlyMap<KpiUnit, number> {
  const isTiming = measured.type === "Timing";
  if (measured.type === "Histogram") return new Map([["%", 1]]);
  if (isTiming && /^(?:count|var)$/i.test(selector ?? "")) return new Map();
  if (units === "bytes") return new Map([["bytes", 1]]);
  if (units === "percent" || units === "%") return new Map([["%", 1]]);
  if (!isTiming || (units !== "ms" && units !== "s" && units !== "")) return new Map();
  const factor = units === "s" ? 0.001 : 1;
  return new Map([
    ["ms", factor],
    ["s", factor * 1000],
  ]);
}

/** Undefined where nothing was measured: the KPI fails then. A bucket that is missing in a measured histogram is 0. */
function figureOf(
  kpi: Kpi,
  expr: string,
  measured: MeasuredMetric["measured"] | undefined,
): number | undefined | KpiProblem {
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
        : bucketValue(measured.buckets, selector, kpi.unit === "%");
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
