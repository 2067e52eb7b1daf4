import type { JsonValue, Wire } from "../../api/routes.ts";

type Metrics = readonly Wire<"metric">[] | null | undefined;

/** Figures of a timing in milliseconds. */
export interface TimingFigures {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** By their names in the answer (`p50`, `p99.9`), the lowest first. */
  readonly percentiles: readonly { readonly name: string; readonly value: number }[];
}

/** Value of a counter of the system, null when it was not measured. */
export function counterOf(metrics: Metrics, name: string): number | null {
  return metricOf(metrics, name)?.metricValue ?? null;
}

/** Count of one bucket of a histogram of the system. */
export function bucketOf(metrics: Metrics, name: string, bucket: string): number {
  return numberIn(valueMap(metricOf(metrics, name)), bucket) ?? 0;
}

/** Figures of a timing of the system, null when nothing was timed. */
export function timingOf(metrics: Metrics, name: string): TimingFigures | null {
  const map = valueMap(metricOf(metrics, name));
  if (!numberIn(map, "count")) return null;
  return {
    mean: numberIn(map, "mean") ?? 0,
    min: numberIn(map, "min") ?? 0,
    max: numberIn(map, "max") ?? 0,
    percentiles: Object.keys(map)
      .filter((key) => /^p\d+(\.\d+)?$/.test(key))
      .sort((left, right) => Number(left.slice(1)) - Number(right.slice(1)))
      .flatMap((key) => {
        const value = numberIn(map, key);
        return value === null ? [] : [{ name: key, value }];
      }),
  };
}

/** Requests that a summary or an interval counts. */
export function requestsOf(summary: Pick<Wire<"metricSummary">, "count" | "metrics"> | null | undefined): number {
  return counterOf(summary?.metrics, "count") ?? summary?.count ?? 0;
}

/** Succeeded requests of all, from 0 to 1; null when there were none. */
export function shareOf({ requests, failures }: { readonly requests: number; readonly failures: number }) {
  return requests > 0 ? Math.max(0, requests - failures) / requests : null;
}

/** Value of a percentile, null when it was not asked for. */
export function percentileOf(timing: TimingFigures | null, name: string): number | null {
  return timing?.percentiles.find((each) => each.name === name)?.value ?? null;
}

/** A user's metric may have the name of one of the system. */
function metricOf(metrics: Metrics, name: string): Wire<"metric"> | undefined {
  return metrics?.find((each) => each.metricDef === name && (each.namespace ?? "System") === "System");
}

function valueMap(metric: Wire<"metric"> | undefined): { readonly [key: string]: JsonValue } {
  const map = metric?.metricValueMap;
  return typeof map === "object" && map !== null && !Array.isArray(map)
    ? (map as { readonly [key: string]: JsonValue })
    : {};
}

function numberIn(map: { readonly [key: string]: JsonValue }, key: string): number | null {
  const value = map[key];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
