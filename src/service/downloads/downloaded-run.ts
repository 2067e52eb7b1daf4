import type { Scope } from "../core/scope.ts";
import { type BegunExecution, elapsed, elapsedNow } from "../core/simulations.ts";
import type { ReplayedRun } from "../runs/replay-run.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";

/** The part of a run that is downloaded. */
export interface DownloadedPart {
  readonly row: ExecutionRecord;
  /** One of its execution regions; all of them where it is absent. */
  readonly regionId?: number;
  /** Indexes of the requests of one resource; all of them where it is absent. */
  readonly requests?: readonly number[];
}

/** Parameters of the download routes. */
export interface DownloadQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly threadId?: string;
  readonly includeErrors?: boolean;
}

/** A run as far as it is: while it runs, what ended before now. */
export function replayedRun(row: BegunExecution, scope: Scope): ReplayedRun {
  const { plan, controls, finishedAt } = row;
  const untilMs = finishedAt === null ? elapsedNow(row, scope) : elapsed(row, Date.parse(finishedAt)) + 1;
  const happened = scope.simulations.measured(row);
  return { plan, controls, untilMs, ...(happened && { happened }) };
}

/**
 * DECISION (API 2, download routes: how many rows): the first 100,000; that there are more is told by `count` of the summary of
 * the execution, its region or resource, and for suites by `total` of their summaries, which count all.
 */
export const mostRows = 100_000;

/** Number of rows that have to be known for a page; all when `limit` is -1. */
export function endOfPage({ limit = -1, offset = 0 }: Pick<DownloadQuery, "limit" | "offset">): number {
  return limit < 0 ? mostRows : Math.min(mostRows, Math.max(0, offset) + limit);
}
