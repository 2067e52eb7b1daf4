import { newestFirst } from "../views/configuration.ts";

/** Paging and period of a history (API 1, conventions 7). */
export interface HistoryQuery {
  readonly period?: string;
  readonly start?: number | string;
  readonly end?: number | string;
  readonly limit?: number;
  readonly offset: number;
}

const dayMs = 24 * 60 * 60 * 1000;
/** DECISION (API 1, conventions 7: how long a period is): `7d` are the last 7 days, `1m` the last 30, `3m` the last 90; months of the calendar play no part. */
const periods: Readonly<Record<string, number>> = { "7d": 7 * dayMs, "1m": 30 * dayMs, "3m": 90 * dayMs };

/** Entries of a history, newest first, by the shared parameters; start and end filter on createdAt (API 2, Executions). */
export function pageHistory<R extends { readonly id: number; readonly createdAt: string }>(
  rows: readonly R[],
  query: HistoryQuery,
  now: number,
): readonly R[] {
  const { start, end, ranged } = rangeOf(query, now);
  const limit = query.limit ?? (ranged ? -1 : 15);
  const within = newestFirst(rows).filter(({ createdAt }) => {
    const at = Date.parse(createdAt);
    return at >= start && at <= end;
  });
  const first = Math.max(0, query.offset);
  return within.slice(first, limit < 0 ? undefined : first + limit);
}

/**
 * `start` overrides `period`; `end` defaults to now when `start` is given. DECISION (API 1, conventions 7: how many entries between
 * `start` and `end`): all of them, as of a period other than `recent`.
 */
function rangeOf(
  query: HistoryQuery,
  now: number,
): { readonly start: number; readonly end: number; readonly ranged: boolean } {
  const end = query.end === undefined ? now : Number(query.end);
  if (query.start !== undefined) return { start: Number(query.start), end, ranged: true };
  const length = periods[query.period ?? "recent"];
  if (length !== undefined) return { start: end - length, end, ranged: true };
  return {
    start: Number.NEGATIVE_INFINITY,
    end: query.end === undefined ? Number.POSITIVE_INFINITY : end,
    ranged: query.end !== undefined && query.period === undefined,
  };
}
