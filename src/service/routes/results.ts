import type { executionRoutes } from "../../api/executions.ts";
import { type Handlers, RawReply } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { findRegion } from "../downloads/find-part.ts";
import { searchExecutions } from "../executions/search-executions.ts";
import { shareExecution } from "../executions/share-links.ts";
import { Refusal } from "../refusal.ts";
import { findObject } from "../rules/access.ts";
import { evaluateKpi, findMetric, kpiProblem, kpiProblemWords } from "../runs/evaluate-kpi.ts";
import { measureCharts } from "../runs/measure-run.ts";
import { isKpiProblem } from "../runs/parse-kpi.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { viewIntervals, viewMetric, viewSummary } from "../views/metric-summary.ts";
import { viewShareLink } from "../views/organization.ts";
import { viewResources } from "../views/resources.ts";
import { figuresOfRun, peakPerSec } from "../views/run-figures.ts";
import { logText, viewLogs } from "../views/run-logs.ts";
import type { View } from "../views/stamp.ts";

type ResultRoute = Extract<
  keyof typeof executionRoutes,
  | "GET /executions/:id/summary"
  | "GET /executions/:id/metric"
  | "GET /executions/:id/intervals"
  | "GET /executions/:id/regions/:regionId/intervals"
  | "GET /executions/:id/resources"
  | "GET /executions/:id/resources/:resourceId"
  | "GET /executions/:id/logs"
  | "GET /executions/:id/logs.txt"
  | "POST /orgs/:orgId/tokens"
  | "POST /search"
  | "POST /executions/:id/evaluate-kpis"
>;

/** API 2, Executions: what was measured in a run, during it and after. */
export const resultHandlers: Handlers<ResultRoute> = {
  "GET /executions/:id/summary": ({ params, scope }) => viewSummary(findObject(scope, "execution", params.id), scope),
  "GET /executions/:id/metric": ({ params, query, scope }) => {
    const row = findObject(scope, "execution", params.id);
    if (query.name === undefined) scope.findings.add("name", "found none; expected the name of a metric");
    scope.findings.check();
    return oneMetric(row, { namespace: query.ns ?? null, name: query.name ?? "" }, scope);
  },
  "GET /executions/:id/intervals": ({ params, query, scope }) =>
    viewIntervals(findObject(scope, "execution", params.id), periodOf(query), scope),
  "GET /executions/:id/regions/:regionId/intervals": ({ params, query, scope }) => {
    const row = findObject(scope, "execution", params.id);
    return viewIntervals(row, { ...periodOf(query), regionId: findRegion(row, params.regionId) }, scope);
  },
  "GET /executions/:id/resources": ({ params, scope }) =>
    viewResources(findObject(scope, "execution", params.id), scope),
  "GET /executions/:id/resources/:resourceId": ({ params, scope }) => {
    const row = findObject(scope, "execution", params.id);
    const found = viewResources(row, scope).find(({ id }) => id === params.resourceId);
    if (found === undefined) throw new Refusal(404, `found no resource ${params.resourceId} in execution ${row.id}`);
    return found;
  },
  "GET /executions/:id/logs": ({ params, scope }) => viewLogs(findObject(scope, "execution", params.id)),
  "GET /executions/:id/logs.txt": ({ params, scope }) =>
    new RawReply(logText(findObject(scope, "execution", params.id)), "text/plain; charset=utf-8"),
  "POST /orgs/:orgId/tokens": ({ params, body, scope }) => viewShareLink(shareExecution(params.orgId, body, scope)),
  "POST /search": ({ body, scope }) => searchExecutions(body ?? {}, scope),
  "POST /executions/:id/evaluate-kpis": ({ params, body, scope }) => {
    const row = findObject(scope, "execution", params.id);
    const kpis = (body?.kpis ?? row.kpis).map(({ expr }) => ({ expr: expr ?? "" }));
    for (const [index, { expr }] of kpis.entries()) {
      const problem = kpiProblem(expr);
      if (problem !== undefined) scope.findings.add(`kpis[${index}].expr`, problem);
    }
    scope.findings.check();
    return evaluated(row, kpis, scope);
  },
};

/** DECISION (API 2, POST /executions/:id/evaluate-kpis): the given KPIs, or those of the run, against what was measured so far. */
function evaluated(row: ExecutionRecord, kpis: readonly { readonly expr: string }[], scope: Scope): View {
  const { metrics } = figuresOfRun(row, scope);
  const results = kpis.flatMap(({ expr }, index) => {
    const result = evaluateKpi(expr, metrics);
    if (!isKpiProblem(result)) return [{ ...result }];
    scope.findings.add(`kpis[${index}].expr`, kpiProblemWords(result));
    return [];
  });
  return { success: results.every(({ success }) => success), kpis: results };
}

/** API 2, Aggregated metric; the metrics of charts are found by their names too. */
function oneMetric(
  row: ExecutionRecord,
  wanted: { readonly namespace: string | null; readonly name: string },
  scope: Scope,
): View {
  const { counts, load, metrics } = figuresOfRun(row, scope);
  const all = [...metrics, ...measureCharts(counts, load, peakPerSec(row, scope))];
  const found = findMetric(all, wanted);
  if (found) return viewMetric(found, row.percentiles);
  const known = all.map(({ namespace, name }) => `${namespace}/${name}`).join(", ");
  throw new Refusal(404, `found no metric "${wanted.name}" in execution ${row.id}; it has ${known || "none yet"}`);
}

function periodOf(query: { readonly numIntervals?: number; readonly since?: number | string }): {
  readonly numIntervals?: number;
  readonly since?: number;
} {
  return {
    ...(query.numIntervals === undefined ? {} : { numIntervals: query.numIntervals }),
    ...(query.since === undefined ? {} : { since: Number(query.since) }),
  };
}
