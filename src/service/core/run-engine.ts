import type { JsonValue } from "../../api/routes.ts";
import type { Store } from "../store/store.ts";
import { RawReply } from "./handlers.ts";
import type { Match } from "./router.ts";

/** Who carries out a run: the model, the model of what the script really did, real load. */
export const engines = ["model", "script", "live"] as const;

/** Header that names it: in a starting call who is to, in answers about a run who does. */
export const engineHeader = "x-loadform-engine";

const starts = ["POST /test-confs/:confId/executions", "POST /start"];
const validation = "POST /scripts/:id/run";
const traces = "/execution-traces/:id";

/** Whether a call starts a run. */
export function startsRun(key: string): boolean {
  return starts.includes(key);
}

/** Whether answers of a route are about one run. */
export function isAboutRun(key: string): boolean {
  return startsRun(key) || key === validation || key.endsWith(traces) || / \/executions\/:/.test(key);
}

/** Ids of traces begin with that of their execution. */
export const tracesOfExecution = 1_000_000;

/** DECISION (API 2, Executions: who carried out the run that an answer is about): header X-Loadform-Engine, model, script or live; the validation of a scenario is always `script`. */
export function engineOfPath({ mounted, params }: Match, store: Store): string | undefined {
  if (mounted.key === validation) return "script";
  if (!isAboutRun(mounted.key) || startsRun(mounted.key)) return undefined;
  const id = Number(Object.values(params)[0]);
  return store.get("execution", mounted.key.endsWith(traces) ? Math.floor(id / tracesOfExecution) : id)?.engine;
}

/** The same of a run that a call started. */
export function engineOfStarted({ mounted }: Match, reply: JsonValue | RawReply | undefined, store: Store) {
  return startsRun(mounted.key) ? store.get("execution", startedId(reply))?.engine : undefined;
}

function startedId(reply: JsonValue | RawReply | undefined): number {
  if (reply instanceof RawReply) return Number(String(reply.body));
  if (typeof reply !== "object" || reply === null || Array.isArray(reply)) return -1;
  const { id, executionId } = reply as { readonly id?: JsonValue; readonly executionId?: JsonValue };
  return Number(executionId ?? id);
}
