import type { Scope } from "../core/scope.ts";
import { measureRequests } from "../runs/measure-run.ts";
import { RunCounts } from "../runs/run-counts.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { viewMetric } from "./metric-summary.ts";
import { figuresOfRun } from "./run-figures.ts";
import type { View } from "./stamp.ts";

/** The resources of a run: each with the requests of the iteration that it names, by their index. */
export function resourcesOf({
  plan,
}: ExecutionRecord): readonly { readonly name: string; readonly requests: readonly number[] }[] {
  const byName = new Map<string, readonly number[]>();
  for (const [index, { resource }] of (plan?.iteration.requests ?? []).entries())
    byName.set(resource, [...(byName.get(resource) ?? []), index]);
  return [...byName].map(([name, requests]) => ({ name, requests }));
}

/** DECISION (API 2, GET /executions/:id/resources): id, name, url, count and the metrics of its requests; ids count from 1 in the order of the iteration. */
export function viewResources(row: ExecutionRecord, scope: Scope): readonly View[] {
  const { plan } = row;
  if (plan === null) return [];
  const { counts } = figuresOfRun(row, scope);
  return resourcesOf(row).map(({ name, requests }, index) => {
    const own = new RunCounts(counts.resources.length);
    for (const each of requests) {
      const counted = counts.resources[each];
      if (counted) own.resources[each]?.merge(counted);
    }
    const url = plan.iteration.requests[requests[0] ?? 0]?.url ?? "";
    const metrics = measureRequests(plan.iteration, own).map((each) => viewMetric(each, row.percentiles));
    return { id: index + 1, name, url, count: own.requests, metrics };
  });
}
