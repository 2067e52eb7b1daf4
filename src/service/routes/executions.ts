import type { executionRoutes } from "../../api/executions.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";
import { findObject, ownerOf } from "../rules/access.ts";
import { makeExecution } from "../rules/make-execution.ts";
import { readGivenParams } from "../rules/script-params.ts";
import { readTagNames, registerTags } from "../rules/tags.ts";
import { newestFirst } from "../views/configuration.ts";
import { tagsOf, viewExecution } from "../views/execution.ts";

const written = { down: true, up: true, includeScript: true, includeSummary: true } as const;

/** API 2, Executions, as stored objects, and what is built of Starting a run. */
export const executionHandlers: Handlers<BuiltIn<typeof executionRoutes>> = {
  "GET /ai-models": ({ scope }) => scope.settings.aiModels.map((model) => ({ ...model })),
  "GET /test-confs/:confId/executions": ({ params, query, scope }) => {
    const { id } = findObject(scope, "configuration", params.confId);
    const rows = pageHistory(scope.store.where("execution", "configurationId", id), query, scope.now);
    return rows.map((row) => {
      const view = viewExecution(row, query, scope);
      return query.includeResources ? { ...view, resources: [] } : view;
    });
  },
  "GET /executions/:id": ({ params, query, scope }) =>
    viewExecution(findObject(scope, "execution", params.id), query, scope),
  "HEAD /executions/:id": ({ params, scope }) => void findObject(scope, "execution", params.id),
  "DELETE /executions/:id": ({ params, scope }) => {
    const row = findObject(scope, "execution", params.id);
    const view = viewExecution(row, written, scope);
    scope.store.remove("execution", row.id);
    return view;
  },
  "POST /test-confs/:confId/executions": ({ params, body, rawQuery, scope }) => {
    const configuration = findObject(scope, "configuration", params.confId);
    const given = { ...readGivenParams(body, scope), ...readQuery(rawQuery) };
    scope.findings.check();
    return viewExecution(makeExecution(configuration, given, scope), written, scope);
  },
  "POST /executions/:id/tags": ({ params, body, scope }) => {
    const row = findObject(scope, "execution", params.id);
    const names = readTagNames(body, scope, "body");
    scope.findings.check();
    registerTags(names, ownerOf(scope.store, "execution", row) ?? -1, scope);
    const changed = scope.store.update("execution", row.id, { tags: [...new Set([...row.tags, ...names])] });
    return tagsOf(changed, scope);
  },
};

/** DECISION (API 2, POST /test-confs/:confId/executions): an optional object of string parameters, query over body. */
function readQuery(query: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries([...query].filter(([name]) => name !== "key" && name !== "sid"));
}

/** Paging and period of a history (API 1, conventions 7). */
interface HistoryQuery {
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
function pageHistory<R extends { readonly id: number; readonly createdAt: string }>(
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

/** `start` overrides `period`; `end` defaults to now when `start` is given. */
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
    ranged: query.end !== undefined,
  };
}
