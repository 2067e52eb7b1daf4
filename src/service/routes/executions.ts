import type { executionRoutes } from "../../api/executions.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { standardStart } from "../core/start-options.ts";
import { takeStep } from "../executions/execution-steps.ts";
import { pageHistory } from "../executions/page-history.ts";
import { startRun } from "../executions/start-run.ts";
import { findObject, owningOrganization } from "../rules/access.ts";
import { deleteObject } from "../rules/cascade.ts";
import { readGivenParams } from "../rules/script-params.ts";
import { readTagNames, registerTags } from "../rules/tags.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { tagsOf, viewExecution } from "../views/execution.ts";
import { viewResources } from "../views/resources.ts";
import type { controlHandlers } from "./execution-control.ts";
import type { outputFileHandlers } from "./output-files.ts";
import type { reportHandlers } from "./reports.ts";
import type { resultHandlers } from "./results.ts";
import type { traceHandlers } from "./traces.ts";

const written = { down: true, up: true, includeScript: true, includeSummary: true } as const;

/** API 2, Executions, as stored objects, and what is built of Starting a run. */
export const executionHandlers: Handlers<
  Exclude<
    BuiltIn<typeof executionRoutes>,
    | keyof typeof resultHandlers
    | keyof typeof controlHandlers
    | keyof typeof outputFileHandlers
    | keyof typeof traceHandlers
    | keyof typeof reportHandlers
  >
> = {
  "GET /ai-models": ({ scope }) => scope.settings.aiModels.map((model) => ({ ...model })),
  "GET /test-confs/:confId/executions": ({ params, query, scope }) => {
    const { id } = findObject(scope, "configuration", params.confId);
    const rows = pageHistory(scope.store.where("execution", "configurationId", id), query, scope.now);
    return rows.map((row) => {
      const view = viewExecution(row, query, scope);
      return query.includeResources ? { ...view, resources: viewResources(row, scope) } : view;
    });
  },
  "GET /executions/:id": ({ params, query, scope }) =>
    viewExecution(countRead(findObject(scope, "execution", params.id), scope), query, scope),
  "HEAD /executions/:id": ({ params, scope }) => void findObject(scope, "execution", params.id),
  "DELETE /executions/:id": ({ params, scope }) => {
    const row = findObject(scope, "execution", params.id);
    const view = viewExecution(row, written, scope);
    deleteObject(scope, "execution", row.id);
    return view;
  },
  "POST /test-confs/:confId/executions": ({ params, body, rawQuery, headers, scope }) => {
    findObject(scope, "configuration", params.confId);
    const given = { ...readGivenParams(body, scope), ...readQuery(rawQuery) };
    const order = (current: Scope) => {
      const configuration = findObject(current, "configuration", params.confId);
      const options = standardStart(owningOrganization(current.store, "configuration", configuration), current);
      return { configuration, given, options };
    };
    return startRun({ headers, order, view: (row, current) => viewExecution(row, written, current) }, scope);
  },
  "POST /executions/:id/tags": ({ params, body, scope }) => {
    const row = findObject(scope, "execution", params.id);
    const names = readTagNames(body, scope, "body");
    scope.findings.check();
    registerTags(names, owningOrganization(scope.store, "execution", row) ?? -1, scope);
    const changed = scope.store.update("execution", row.id, { tags: [...new Set([...row.tags, ...names])] });
    return tagsOf(changed, scope);
  },
};

/** Runners may be allocated once an execution was read so often (setting `allocation`). */
function countRead(row: ExecutionRecord, scope: Scope): ExecutionRecord {
  const { allocation } = scope.settings;
  if (row.phase !== "queued" || allocation === "immediate" || !("afterReads" in allocation)) return row;
  return takeStep(scope.store.update("execution", row.id, { reads: row.reads + 1 }), scope);
}

/** DECISION (API 2, POST /test-confs/:confId/executions): an optional object of string parameters, query over body. */
function readQuery(query: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries([...query].filter(([name]) => name !== "key" && name !== "sid"));
}
