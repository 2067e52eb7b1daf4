import type { ChartLine, ChartSpec } from "../../pictures/chart.ts";
import type { RunSeries, SeriesPoint } from "./run-series.ts";

/** The charts of a run, in the order in which one reads them: what was asked of the system, then how it answered. */
export function runCharts(series: RunSeries): readonly ChartSpec[] {
  const chart = (title: string, unit: string, lines: readonly ChartLine[]): ChartSpec => ({
    title,
    unit,
    lines,
    seconds: series.seconds,
    at: series.points.map(({ at, length }) => at + length / 2),
  });
  const values = (read: (point: SeriesPoint) => number | null) => series.points.map(read);
  return [
    chart("Users", "users", [{ name: "Active users", tone: "users", values: values((p) => p.users), filled: true }]),
    chart("Throughput", "requests per second", [
      { name: "Requests per second", tone: "requests", values: values((p) => p.requestsPerSecond), filled: true },
    ]),
    chart("Response time", "milliseconds", [
      { name: "p50 (median)", tone: "middle", values: values((p) => p.p50) },
      { name: "p95", tone: "high", values: values((p) => p.p95), dash: "dashed" },
    ]),
    chart("Failures", "failed requests per second", [
      { name: "Failures per second", tone: "failures", values: values((p) => p.failuresPerSecond), filled: true },
    ]),
  ];
}
