import { figureOf, findMetric } from "../model/gates/metric.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { type Measured, metricsOf } from "./read-figures.ts";
import type { RunState } from "./read-run.ts";
import type { RunInterval, RunSummary } from "./run-document.ts";

/** The figures of a run that was measured. */
export async function summarizeRun(
  state: RunState,
  measured: Measured,
  usersPlanned: number | undefined,
): Promise<RunSummary> {
  const read = async (name: string, selector?: string, isShare = false): Promise<number | null> => {
    const figure = await measured.figure({ name, ...(selector !== undefined && { selector }) }, isShare);
    return "problem" in figure ? null : figure.value;
  };
  const secs = (Date.parse(state.finishedAt ?? "") - Date.parse(state.startedAt ?? "")) / 1_000;
  const requests = await read("count");
  const time = (selector: string) => read("firstReceivedMs", selector);
  return {
    requests,
    failures: await read("outcome", "failure"),
    failedPercent: await read("outcome", "failure", true),
    requestsPerSec: requests === null || !(secs > 0) ? null : requests / secs,
    usersPlanned: state.load.concurrentClients ?? usersPlanned ?? null,
    usersPeak: await read("maxConcurrentClients"),
    durationSecs: Number.isNaN(secs) ? null : secs,
    responseTimeMs: {
      ...{ mean: await time("mean"), min: await time("min"), max: await time("max") },
      ...{ p50: await time("p50"), p95: await time("p95"), p99: await time("p99") },
    },
  };
}

/** A run of which nothing was measured. */
export const emptySummary: RunSummary = {
  ...{ requests: null, failures: null, failedPercent: null, requestsPerSec: null },
  ...{ usersPlanned: null, usersPeak: null, durationSecs: null },
  responseTimeMs: { mean: null, min: null, max: null, p50: null, p95: null, p99: null },
};

/** Intervals of an answer as spans of a run (API 2, Interval); those of an unknown shape are left out. */
export function runIntervals(answer: Json, startedAt: string | undefined): readonly RunInterval[] {
  const start = Date.parse(startedAt ?? "");
  const wires = Array.isArray(answer) ? (answer as readonly Json[]).filter(isObject) : [];
  const begins = wires.map(({ intervalStart }) => (typeof intervalStart === "number" ? intervalStart : Number.NaN));
  return wires.flatMap((wire, index) => {
    const begin = begins[index] ?? Number.NaN;
    const first = Number.isNaN(start) ? (begins[0] ?? begin) : start;
    return Number.isNaN(begin) ? [] : [runInterval(wire, begin - first)];
  });
}

/** Intervals last ten seconds unless they say otherwise (API 2, Interval). */
const usualSecs = 10;

function runInterval(wire: JsonObject, at: number): RunInterval {
  const metrics = metricsOf(wire["metrics"]);
  const read = (name: string, selector?: string, isShare = false): number | null => {
    const figure = figureOf(
      findMetric(metrics, { name }),
      { name, ...(selector !== undefined && { selector }) },
      isShare,
    );
    return "problem" in figure ? null : figure.value;
  };
  const { timespan, count, actualConcurrentClients } = wire;
  const span = typeof timespan === "number" && timespan > 0 ? timespan : usualSecs;
  // The unit of the span is not documented: seconds as we read it, and nobody measures a quarter of an hour at once.
  const seconds = span >= 1_000 ? span / 1_000 : span;
  const requests = read("count") ?? (typeof count === "number" ? count : null);
  return {
    at: Math.max(0, at),
    seconds,
    users: typeof actualConcurrentClients === "number" ? actualConcurrentClients : read("actualConcurrentClients"),
    requests,
    requestsPerSec: requests === null ? null : requests / seconds,
    failures: read("outcome", "failure"),
    failedPercent: read("outcome", "failure", true),
    ...{
      p50: read("firstReceivedMs", "p50"),
      p95: read("firstReceivedMs", "p95"),
      p99: read("firstReceivedMs", "p99"),
    },
  };
}
