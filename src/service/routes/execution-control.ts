import type { executionRoutes } from "../../api/executions.ts";
import type { Handlers } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { addUsers, extendExecution, startManually, stopExecution } from "../executions/control-execution.ts";
import { Refusal } from "../refusal.ts";
import { findObject } from "../rules/access.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { viewExecution } from "../views/execution.ts";
import type { View } from "../views/stamp.ts";

type ControlRoute = Extract<
  keyof typeof executionRoutes,
  | "PUT /executions/:id/manual-start"
  | "PUT /executions/:id/stop"
  | "POST /executions/:id/live-extension"
  | "POST /executions/:id/add-users"
  | "POST /executions/:id/send-event"
>;

/** API 2, Starting a run: control routes; API 2, Executions: what is done to a run while it runs. */
export const controlHandlers: Handlers<ControlRoute> = {
  "PUT /executions/:id/manual-start": ({ params, scope }) =>
    whole(startManually(findObject(scope, "execution", params.id), scope), scope),
  "PUT /executions/:id/stop": ({ params, scope }) =>
    whole(stopExecution(findObject(scope, "execution", params.id), scope), scope),
  "POST /executions/:id/live-extension": ({ params, body, scope }) => {
    const row = findObject(scope, "execution", params.id);
    const secs = body?.durationSecs ?? (body?.durationMins ?? 0) * 60;
    if (!(secs > 0)) scope.findings.add("durationSecs", `found ${secs}; expected more than 0 seconds`);
    scope.findings.check();
    return whole(extendExecution(row, secs, scope), scope);
  },
  "POST /executions/:id/add-users": ({ params, body, scope }) => {
    const row = findObject(scope, "execution", params.id);
    const users = body.concurrentClients ?? 0;
    if (!(users > 0)) scope.findings.add("concurrentClients", `found ${users}; expected at least 1`);
    if (users > scope.settings.accountMaximum)
      scope.findings.add("concurrentClients", `found ${users}; expected at most ${scope.settings.accountMaximum}`);
    const regionId = body.regionId ?? undefined;
    const known = row.regions.map(({ id }) => id);
    if (regionId !== undefined && !known.includes(regionId))
      scope.findings.add("regionId", `found ${regionId}; expected one of the execution's regions: ${known.join(", ")}`);
    scope.findings.check();
    return whole(addUsers(row, { users, regionId }, scope), scope);
  },
  // DECISION (API 2, POST /executions/:id/send-event): an event reaches every chunk of a run; a modelled one does not react to it.
  "POST /executions/:id/send-event": ({ params, scope }) => {
    const row = findObject(scope, "execution", params.id);
    if (row.phase !== "running") throw new Refusal(409, `execution ${row.id} does not run; expected one that runs`);
    return { delivered: row.regions.reduce((sum, { chunks }) => sum + chunks.length, 0) };
  },
};

function whole(row: ExecutionRecord, scope: Scope): View {
  return viewExecution(row, { down: true, up: true, includeScript: true, includeSummary: true }, scope);
}
