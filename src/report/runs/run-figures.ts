import { formatCount, formatDuration, formatFigure, formatMs } from "../../pictures/figures.ts";
import type { RunSummary } from "../../run/run-document.ts";

/** One figure of a run: its name, its value, and how it is written. */
export interface SummaryFigure {
  readonly name: string;
  readonly of: (summary: RunSummary) => number | null;
  readonly format: (value: number) => string;
  /** The difference of two is in percentage points. */
  readonly isShare?: true;
}

const milliseconds = (name: string, key: keyof RunSummary["responseTimeMs"]): SummaryFigure => ({
  name,
  of: ({ responseTimeMs }) => responseTimeMs[key],
  format: timing,
});

const figures = {
  requests: { name: "Requests", of: ({ requests }) => requests, format: formatCount },
  rate: { name: "Requests per second", of: ({ requestsPerSec }) => requestsPerSec, format: formatFigure },
  failures: { name: "Failures", of: ({ failures }) => failures, format: formatCount },
  failed: {
    name: "Failed",
    of: ({ failedPercent }) => failedPercent,
    format: (value) => `${shareFigure(value)} %`,
    isShare: true,
  },
  peak: { name: "Users at peak", of: ({ usersPeak }) => usersPeak, format: formatCount },
  planned: { name: "Users planned", of: ({ usersPlanned }) => usersPlanned, format: formatCount },
  duration: { name: "Duration", of: ({ durationSecs }) => durationSecs, format: formatDuration },
  p50: milliseconds("Response time p50", "p50"),
  p95: milliseconds("Response time p95", "p95"),
  p99: milliseconds("Response time p99", "p99"),
  mean: milliseconds("Response time, mean", "mean"),
  min: milliseconds("Response time, shortest", "min"),
  max: milliseconds("Response time, longest", "max"),
} satisfies Readonly<Record<string, SummaryFigure>>;

/** Every figure of a run, in reading order. */
export const allFigures: readonly SummaryFigure[] = Object.values(figures);

/** The figures that one looks for first. */
export const headFigures: readonly SummaryFigure[] = [
  figures.requests,
  figures.rate,
  figures.failed,
  figures.peak,
  figures.p50,
  figures.p95,
  figures.p99,
  figures.duration,
];

/** The figures in which runs are compared side by side. */
export const trendFigures: readonly SummaryFigure[] = [figures.requests, figures.rate, figures.failed, figures.p95];

/** A figure of a summary as text; a dash where it was not measured. */
export function figureText({ of, format }: SummaryFigure, summary: RunSummary): string {
  const value = of(summary);
  return value === null ? "–" : format(value);
}

/** The difference of a figure between two runs: "+62 ms (+24.8 %)"; a dash where one of them lacks it. */
export function figureChange(figure: SummaryFigure, now: RunSummary, before: RunSummary): string {
  const [value, earlier] = [figure.of(now), figure.of(before)];
  if (value === null || earlier === null) return "–";
  const change = value - earlier;
  if (change === 0) return "±0";
  const sign = change < 0 ? "−" : "+";
  if (figure.isShare) return `${sign}${shareFigure(Math.abs(change))} pp`;
  const relative = earlier === 0 ? "" : ` (${sign}${relativeFigure(Math.abs(change / earlier))} %)`;
  return `${sign}${figure.format(Math.abs(change))}${relative}`;
}

/** The relative difference alone, for a narrow column; of a share in percentage points. */
export function shortChange(figure: SummaryFigure, now: RunSummary, before: RunSummary): string {
  const [value, earlier] = [figure.of(now), figure.of(before)];
  if (value === null || earlier === null) return "–";
  const change = value - earlier;
  if (change === 0) return "±0";
  const sign = change < 0 ? "−" : "+";
  if (figure.isShare) return `${sign}${shareFigure(Math.abs(change))} pp`;
  return earlier === 0
    ? `${sign}${figure.format(Math.abs(change))}`
    : `${sign}${relativeFigure(Math.abs(change / earlier))} %`;
}

/** Milliseconds to a tenth, so that a figure beside a bound reads as it compares. */
function timing(ms: number): string {
  return ms < 10_000 ? `${ms < 1000 ? Number(ms.toFixed(1)) : formatCount(ms)} ms` : formatMs(ms);
}

/** A share is never rounded to nothing. */
function shareFigure(percent: number): string {
  return percent > 0 && percent < 0.005 ? "< 0.01" : String(Number(percent.toFixed(2)));
}

function relativeFigure(share: number): string {
  const percent = share * 100;
  return percent < 0.05 ? "< 0.1" : percent >= 100 ? formatCount(percent) : String(Number(percent.toFixed(1)));
}

const bars = "▁▂▃▄▅▆▇█";

/** The course of a figure over several runs, the oldest first, a bar for each; a blank where it was not measured. */
export function trendBars(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return values
    .map((value) => {
      if (value === null) return " ";
      const height = most === least ? 0.5 : (value - least) / (most - least);
      return bars[Math.round(height * (bars.length - 1))] ?? " ";
    })
    .join("");
}
