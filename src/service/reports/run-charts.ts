import type { ChartLine, ChartSpec } from "./chart.ts";
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
      { name: "p95", tone: "high", values: values((p) => p.p95), dashed: true },
    ]),
    chart("Failures", "failed requests per second", [
      { name: "Failures per second", tone: "failures", values: values((p) => p.failuresPerSecond), filled: true },
    ]),
  ];
}

/** A chart in a sentence, for who does not see it. */
export function describeChart({ lines, unit }: ChartSpec, format: (value: number) => string): string {
  return lines.map((line) => describeLine(line, unit, format)).join(" ");
}

function describeLine({ name, values }: ChartLine, unit: string, format: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return `${name}: not measured.`;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return `${name}, in ${unit}: from ${format(first)} at the beginning to ${format(last)} at the end, between ${format(least)} and ${format(most)}.`;
}
