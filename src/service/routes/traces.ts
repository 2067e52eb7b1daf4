import { downloadRoutes } from "../../api/downloads.ts";
import type { executionRoutes } from "../../api/executions.ts";
import { type Handlers, RawReply, type Reply, WaitingReply } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { findPart, type PartParams } from "../downloads/find-part.ts";
import { makeZip } from "../downloads/make-zip.ts";
import { executionOfTrace, tracesOf } from "../downloads/traces.ts";
import { traceEntries, viewTrace } from "../downloads/view-trace.ts";
import { Refusal } from "../refusal.ts";
import { findObject } from "../rules/access.ts";

type TraceRoute = Extract<keyof typeof executionRoutes, "GET /executions/:id/traces" | "GET /execution-traces/:id">;
type TraceZipRoute = Extract<keyof typeof downloadRoutes, `${string}/traces.zip`>;

/** API 2, Executions: what was sent and received in single requests. */
export const traceHandlers: Handlers<TraceRoute> = {
  "GET /executions/:id/traces": ({ params, scope }) =>
    tracesOf({ row: findObject(scope, "execution", params.id) }, scope).map(viewTrace),
  "GET /execution-traces/:id": ({ params, scope }) => {
    const execution = executionOfTrace(params.id);
    const row = scope.store.get("execution", execution) && findObject(scope, "execution", execution);
    const found = row && tracesOf({ row }, scope).find(({ id }) => id === params.id);
    if (found === undefined)
      throw new Refusal(404, `found no trace ${params.id}; expected an id of GET /executions/:id/traces`);
    return viewTrace(found);
  },
};

/** API 2, download routes: the traces of an execution, a region or a resource as a zip. */
export const traceZipHandlers = Object.fromEntries(
  Object.keys(downloadRoutes)
    .filter((key) => key.endsWith("/traces.zip"))
    .map((key) => [key, zipTraces]),
) as unknown as Handlers<TraceZipRoute>;

function zipTraces({ params, scope }: { readonly params: PartParams; readonly scope: Scope }): Reply {
  findPart(params, scope);
  return WaitingReply.of(
    () => import("fflate"),
    (zip, later) => {
      const entries = tracesOf(findPart(params, later), later).flatMap(traceEntries);
      return new RawReply(makeZip(entries, zip), "application/zip");
    },
  );
}
