import type { Wire } from "../../api/routes.ts";
import { bucketOf, counterOf, percentileOf, requestsOf, timingOf } from "./read-metrics.ts";

/** The course of a run over time. */
export interface RunSeries {
  /** Length of the run so far, in seconds. */
  readonly seconds: number;
  readonly points: readonly SeriesPoint[];
}

/** True when there is something to draw: one interval is only a point, and its figures are shown elsewhere. */
export function hasCourse({ points }: RunSeries): boolean {
  return points.length > 1;
}

/** One interval of a run; null is "not measured". */
export interface SeriesPoint {
  /** Beginning and length of the interval, in seconds since the start of the run. */
  readonly at: number;
  readonly length: number;
  readonly users: number | null;
  readonly requestsPerSecond: number;
  readonly failuresPerSecond: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

/** The aggregation bucket (API 2, Interval). */
const bucketMs = 10_000;

/** The time series of a run; the last bucket of a finished run may be shorter than the others, and its rates are over what it has. */
export function makeRunSeries(
  intervals: readonly Wire<"interval">[],
  run: { readonly startedAt: number | null; readonly finishedAt: number | null },
): RunSeries {
  const sorted = intervals
    .filter((each) => typeof each.intervalStart === "number")
    .map((interval) => ({ interval, from: Number(interval.intervalStart) }))
    .sort((left, right) => left.from - right.from);
  const start = run.startedAt ?? sorted[0]?.from ?? 0;
  const last = sorted.at(-1);
  const end = run.finishedAt ?? (last ? last.from + bucketMs : start);
  return {
    seconds: Math.max(0, (end - start) / 1000),
    points: sorted.map(({ interval, from }) => pointOf(interval, { start, from, end })),
  };
}

function pointOf(
  interval: Wire<"interval">,
  { start, from, end }: { readonly start: number; readonly from: number; readonly end: number },
): SeriesPoint {
  // A bucket may begin before its run does, on the clock's round ten seconds, and end after it.
  const begins = Math.max(from, start);
  const remaining = Math.min(from + bucketMs, end) - begins;
  const length = (remaining > 0 ? remaining : bucketMs) / 1000;
  const timing = timingOf(interval.metrics, "firstReceivedMs");
  return {
    at: (begins - start) / 1000,
    length,
    users: usersIn(interval),
    requestsPerSecond: requestsOf(interval) / length,
    failuresPerSecond: bucketOf(interval.metrics, "outcome", "failure") / length,
    p50: percentileOf(timing, "p50"),
    p95: percentileOf(timing, "p95"),
  };
}

/** The most users at once in the bucket: what is active at its end is 0 in the last one. */
function usersIn(interval: Wire<"interval">): number | null {
  const { metrics, maxConcurrentClients, actualConcurrentClients } = interval;
  return counterOf(metrics, "maxConcurrentClients") ?? maxConcurrentClients ?? actualConcurrentClients ?? null;
}
