import type { ChartLine, ChartSpec } from "../../pictures/chart.ts";
import type { RunInterval } from "../../run/run-document.ts";

/** The course of a run or of one region, with as many points as a chart can show. */
export interface RunSeries {
  readonly points: readonly RunInterval[];
  /** Seconds to the end of the last point. */
  readonly seconds: number;
  /** The most intervals that one point was made of. */
  readonly merged: number;
}

/**
 * Intervals as at most `most` points. A point that covers several has their sums and mean rates, and of users and percentiles
 * the highest, so that no peak is lost.
 */
export function condense(intervals: readonly RunInterval[], most: number): RunSeries {
  const sorted = [...intervals].sort((left, right) => left.at - right.at);
  const merged = Math.max(1, Math.ceil(sorted.length / most));
  const points = Array.from({ length: Math.ceil(sorted.length / merged) }, (_, index) =>
    mergeIntervals(sorted.slice(index * merged, (index + 1) * merged)),
  ).flatMap((point) => point ?? []);
  const last = points.at(-1);
  return { points, merged, seconds: last === undefined ? 0 : last.at / 1000 + last.seconds };
}

/** Several intervals as one; undefined for none. */
export function mergeIntervals(intervals: readonly RunInterval[]): RunInterval | undefined {
  const [first] = intervals;
  if (first === undefined || intervals.length === 1) return first;
  const values = (read: (interval: RunInterval) => number | null) =>
    intervals.map(read).filter((value) => value !== null);
  const sum = (all: readonly number[]) => (all.length === 0 ? null : all.reduce((total, value) => total + value, 0));
  const highest = (all: readonly number[]) =>
    all.length === 0 ? null : all.reduce((most, value) => Math.max(most, value));
  return {
    at: first.at,
    seconds: sum(intervals.map(({ seconds }) => seconds)) ?? 0,
    users: highest(values((each) => each.users)),
    requests: sum(values((each) => each.requests)),
    failures: sum(values((each) => each.failures)),
    requestsPerSec: meanRate(intervals),
    failedPercent: failedShare(intervals),
    p50: highest(values((each) => each.p50)),
    p95: highest(values((each) => each.p95)),
    p99: highest(values((each) => each.p99)),
  };
}

/** The share of those sums, of what counted both. */
function failedShare(intervals: readonly RunInterval[]): number | null {
  const counted = intervals.flatMap(({ requests, failures }) =>
    requests === null || failures === null ? [] : [{ requests, failures }],
  );
  const requests = counted.reduce((total, each) => total + each.requests, 0);
  return requests === 0 ? null : (100 * counted.reduce((total, each) => total + each.failures, 0)) / requests;
}

/** The mean over the time that was measured. */
function meanRate(intervals: readonly RunInterval[]): number | null {
  const measured = intervals.flatMap(({ requestsPerSec, seconds }) =>
    requestsPerSec === null ? [] : [{ requestsPerSec, seconds }],
  );
  const seconds = measured.reduce((total, each) => total + each.seconds, 0);
  if (seconds === 0) return null;
  return measured.reduce((total, each) => total + each.requestsPerSec * each.seconds, 0) / seconds;
}

/** The charts of a run, in the order in which one reads them: what was asked of the system, then how it answered. */
export function seriesCharts(series: RunSeries): readonly ChartSpec[] {
  const { of, values } = chartsOf(series);
  return [
    of("Users", "users", [{ name: "Users", tone: "users", values: values(({ users }) => users), filled: true }]),
    of("Throughput", "requests per second", [
      { name: "Requests per second", tone: "requests", values: values((each) => each.requestsPerSec), filled: true },
    ]),
    of("Response time", "milliseconds", [
      { name: "p50", tone: "middle", values: values(({ p50 }) => p50) },
      { name: "p95", tone: "high", values: values(({ p95 }) => p95), dash: "dashed" },
      { name: "p99", tone: "highest", values: values(({ p99 }) => p99), dash: "dotted" },
    ]),
    of("Failures", "% of the requests", [
      { name: "Failed", tone: "failures", values: values((each) => each.failedPercent), filled: true },
    ]),
  ];
}

/** The charts of one region: what it was asked, and how it answered. */
export function regionCharts(series: RunSeries): readonly ChartSpec[] {
  const { of, values } = chartsOf(series);
  return [
    of("Throughput", "requests per second", [
      { name: "Requests per second", tone: "requests", values: values((each) => each.requestsPerSec), filled: true },
    ]),
    of("Response time", "milliseconds", [
      { name: "p50", tone: "middle", values: values(({ p50 }) => p50) },
      { name: "p95", tone: "high", values: values(({ p95 }) => p95), dash: "dashed" },
    ]),
  ];
}

function chartsOf({ points, seconds }: RunSeries) {
  const at = points.map((point) => point.at / 1000 + point.seconds / 2);
  return {
    of: (title: string, unit: string, lines: readonly ChartLine[]): ChartSpec => ({ title, unit, seconds, at, lines }),
    values: (read: (point: RunInterval) => number | null) => points.map(read),
  };
}
