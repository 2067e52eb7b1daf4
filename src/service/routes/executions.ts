import type { executionRoutes } from "../../api/executions.ts";
import type { JsonValue } from "../../api/routes.ts";
import { isJsonObject, show } from "../core/check-body.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { findObject, ownerOf } from "../rules/access.ts";
import { makeExecution } from "../rules/make-execution.ts";
import { pageHistory } from "../rules/page-history.ts";
import { readTagNames, registerTags } from "../rules/tags.ts";
import { tagsOf, viewExecution } from "../views/execution.ts";

const written = { down: true, up: true, includeScript: true, includeSummary: true } as const;

/** Seed 2, Executions, as stored objects; their life comes with a later issue. */
export const executionHandlers: Handlers<BuiltIn<typeof executionRoutes>> = {
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
    const given = { ...readParams(body, scope), ...readQuery(rawQuery) };
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

/** DECISION (seed 2, POST /test-confs/:confId/executions): an optional object of string parameters, query over body. */
function readParams(body: JsonValue | undefined, { findings }: Scope): Readonly<Record<string, string>> {
  if (body === undefined || body === null) return {};
  if (!isJsonObject(body)) {
    findings.add("body", `found ${show(body)}; expected an object of string parameters`);
    return {};
  }
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(body))
    if (typeof value === "string") params[name] = value;
    else findings.add(name, `found ${show(value)}; expected a string`);
  return params;
}

function readQuery(query: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries([...query].filter(([name]) => name !== "key" && name !== "sid"));
}
