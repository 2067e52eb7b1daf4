import type { FigureName, Kpi, KpiProblem } from "./kpi.ts";

export type MetricType = "Histogram" | "Timing" | "Counter" | "Metered";

/** One metric as it was measured (API 1, Metric summary and metric). */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly type: MetricType;
  /** `ms`, `bytes`, `percent`, `requests` …; empty where it has none. */
  readonly units: string;
  /** Of a counter. */
  readonly value?: number;
  /** Of the others: by aggregator, percentile, bucket, or largest and total. */
  readonly values?: Readonly<Record<string, number>>;
}

/** Metrics that the service measures by itself, with their display names (docs/gates.md). */
export const systemMetrics: Readonly<
  Record<string, { readonly label: string; readonly type: MetricType; readonly units: string }>
> = {
  count: { label: "Requests", type: "Counter", units: "requests" },
  outcome: { label: "Outcome", type: "Histogram", units: "requests" },
  responseCode: { label: "Response Code", type: "Histogram", units: "requests" },
  httpContentType: { label: "Content Type", type: "Histogram", units: "requests" },
  firstReceivedMs: { label: "Response Time", type: "Timing", units: "ms" },
  dnsLookupMs: { label: "DNS Lookup", type: "Timing", units: "ms" },
  connectionOpenMs: { label: "Connection Open", type: "Timing", units: "ms" },
  connectionCloseMs: { label: "Connection Close", type: "Timing", units: "ms" },
  bytesSent: { label: "Bytes Sent", type: "Counter", units: "bytes" },
  bytesReceived: { label: "Bytes Received", type: "Counter", units: "bytes" },
  bandwidth: { label: "Bandwidth", type: "Counter", units: "bytes" },
  throughput: { label: "Throughput", type: "Counter", units: "requests" },
  "outcome-success-percent": { label: "Success Rate", type: "Counter", units: "percent" },
  peakRequestsPerSec: { label: "Peak Requests", type: "Counter", units: "requests" },
  actualConcurrentClients: { label: "Actual Concurrent Clients", type: "Counter", units: "clients" },
  maxConcurrentClients: { label: "Max Concurrent Clients", type: "Counter", units: "clients" },
  breakingPoint: { label: "Breaking Point", type: "Counter", units: "clients" },
  cpu: { label: "CPU", type: "Metered", units: "cpus" },
  cpuUtilization: { label: "CPU Utilization", type: "Metered", units: "percent" },
  memory: { label: "Memory", type: "Metered", units: "bytes" },
  memoryUtilization: { label: "Memory Utilization", type: "Metered", units: "percent" },
  testRunnerBandwidth: { label: "Test Runner Bandwidth", type: "Metered", units: "requests" },
  testRunnerConnections: { label: "Test Runner Connections", type: "Metered", units: "connections" },
};

/** A figure of a run: null where it was not measured; `missing` where the metric is known, and this percentile has to be asked for. */
export interface Figure {
  readonly value: number | null;
  /** `ms`, `%`, `bytes`, or null for a plain number. */
  readonly unit: string | null;
  readonly missing?: true;
}

/** The metric of the system that a name or a display name stands for, in any case; undefined for any other. */
export function systemName(name: string): string | undefined {
  const wanted = name.toLowerCase();
  const all = Object.entries(systemMetrics);
  const found =
    all.find(([each]) => each.toLowerCase() === wanted) ?? all.find(([, { label }]) => label.toLowerCase() === wanted);
  return found?.[0];
}

/** The metric of this name: in its namespace, else in System and then in User; by exact name, then in any case or by display name. */
export function findMetric(metrics: readonly Metric[], { namespace, name }: FigureName): Metric | undefined {
  const wanted = name.toLowerCase();
  const standsFor = systemName(name);
  for (const space of namespace === undefined ? ["system", "user"] : [namespace.toLowerCase()]) {
    const inside = metrics.filter((each) => each.namespace.toLowerCase() === space);
    const found =
      inside.find((each) => each.name === name) ??
      inside.find((each) => each.name.toLowerCase() === wanted) ??
      (space === "system" ? inside.find((each) => each.name === standsFor) : undefined);
    if (found) return found;
  }
  return undefined;
}

/** Units of a figure as KPIs name them; every other number is plain. Times are those of timings, in milliseconds unless they say otherwise. */
function unitOf({ type, units }: Metric): string | null {
  const shown: Readonly<Record<string, string>> = { bytes: "bytes", percent: "%", "%": "%" };
  const times: Readonly<Record<string, string>> = type === "Timing" ? { ms: "ms", s: "s", "": "ms" } : {};
  return { ...shown, ...times }[units] ?? null;
}

/** A figure of a metric; `isShare` asks for the share of a bucket. A problem says that the metric has no such figure. */
export function figureOf(
  metric: Metric | undefined,
  { selector }: FigureName,
  isShare: boolean,
): Figure | { readonly problem: string } {
  if (metric === undefined) return { value: null, unit: null };
  const { type, values = {}, value } = metric;
  const unit = unitOf(metric);
  switch (type) {
    case "Counter":
      if (selector !== undefined) return { problem: `found [${selector}] after a counter; expected none` };
      return { value: value ?? null, unit };
    case "Timing":
      return timingFigure(values, selector, unit);
    case "Histogram":
      if (selector === undefined)
        return { problem: "found a histogram without a selector; expected one of its buckets, such as [success]" };
      return bucketFigure(values, selector, isShare);
    case "Metered":
      return meteredFigure(values, selector ?? "largest", unit);
  }
}

const aggregators: ReadonlySet<string> = new Set(["median", "mean", "sd", "var", "min", "max", "sum", "count"]);

function timingFigure(
  values: Readonly<Record<string, number>>,
  selector: string | undefined,
  unit: string | null,
): Figure | { readonly problem: string } {
  const word = selector?.toLowerCase();
  if (word === undefined)
    return { problem: "found a timing without a selector; expected one, such as [p95] or [mean]" };
  const percent = /^p(\d+(?:\.\d+)?)$/.exec(word)?.[1];
  if (percent === undefined ? !aggregators.has(word) : Number(percent) > 100)
    return {
      problem: `found [${selector}] after a timing; expected median, mean, sd, var, min, max, sum, count or a percentile such as p95`,
    };
  const key = word === "median" ? "p50" : percent === undefined ? word : `p${Number(percent)}`;
  const own = word === "count" || word === "var" ? null : unit;
  if (word === "count") return { value: values["count"] ?? 0, unit: null };
  // A service may write 0 where there was nothing to add up.
  if (values["count"] === 0) return { value: null, unit: own };
  return values[key] === undefined ? { value: null, unit: own, missing: true } : { value: values[key], unit: own };
}

function meteredFigure(
  values: Readonly<Record<string, number>>,
  selector: string,
  unit: string | null,
): Figure | { readonly problem: string } {
  const which = selector.toLowerCase();
  if (which === "largest" || which === "total") return { value: values[which] ?? null, unit };
  return { problem: `found [${selector}] after a metered metric; expected [largest] or [total]` };
}

function bucketFigure(values: Readonly<Record<string, number>>, bucket: string, isShare: boolean): Figure {
  const total = Object.values(values).reduce((sum, each) => sum + each, 0);
  const unit = isShare ? "%" : null;
  if (total === 0) return { value: null, unit };
  const name = Object.hasOwn(values, bucket)
    ? bucket
    : Object.keys(values).find((each) => each.toLowerCase() === bucket.toLowerCase());
  const count = name === undefined ? 0 : (values[name] ?? 0);
  return { value: isShare ? (count / total) * 100 : count, unit };
}

/** So many of the unit of a figure is one of another. */
const factors: Readonly<Record<string, Readonly<Record<string, number>>>> = { ms: { s: 1_000 }, s: { ms: 0.001 } };

/** A number of a unit in the unit of a figure; undefined where they do not fit. What is written in decimals remains so: 1.001 s are 1001 ms. */
export function amountIn(amount: number, given: string | undefined, unit: string | null): number | undefined {
  if (given === undefined || given === unit) return amount;
  const factor = factors[unit ?? ""]?.[given];
  return factor === undefined ? undefined : Number((amount * factor).toPrecision(15));
}

/** The threshold of a KPI in the unit of its figure, or the column at which its unit does not fit. */
export function thresholdIn(kpi: Kpi, unit: string | null): number | KpiProblem {
  const { unit: given, threshold } = kpi;
  const amount = amountIn(threshold, given, unit);
  if (amount !== undefined) return amount;
  const isTime = unit === "ms" || unit === "s";
  const fitting = isTime ? "ms or s" : unit === null ? "none" : `${unit}, or none`;
  return { column: kpi.columns.unit, problem: `found the unit ${given}; expected ${fitting} for this figure` };
}
