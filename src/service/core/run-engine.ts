import type { JsonValue } from "../../api/routes.ts";
import { Refusal } from "../refusal.ts";
import { RawReply } from "./handlers.ts";
import type { Match } from "./router.ts";
import type { Scope, ServiceScope } from "./scope.ts";

/** Who carries out a run: the model, the model of what the script really did, real load. */
export const engines = ["model", "script", "live"] as const;
type Engine = (typeof engines)[number];

/** Header that names it: in a starting call who is to, in answers about a run who does. */
export const engineHeader = "x-loadform-engine";

const starts = ["POST /test-confs/:confId/executions", "POST /start"];
const validation = "POST /scripts/:id/run";
const traces = "/execution-traces/:id";

export function startsRun(key: string): boolean {
  return starts.includes(key);
}

/** True for a route whose answers are about one run. */
export function isAboutRun(key: string): boolean {
  return startsRun(key) || key === validation || key.endsWith(traces) || / \/executions\/:/.test(key);
}

/** Ids of traces begin with that of their execution. */
export const tracesOfExecution = 1_000_000;

/** DECISION (API 2, Starting a run: who carries it out): the setting `engine`, unless the header X-Loadform-Engine of the starting call names another one. */
export function readEngine(named: string | undefined, { settings, findings, permits, whyNoLoad }: Scope): Engine {
  const engine = engines.find((each) => each === named?.trim().toLowerCase());
  if (named !== undefined && engine === undefined)
    findings.add("X-Loadform-Engine", `found "${named}"; expected ${engines.join(", ")}`);
  findings.check();
  const wanted = engine ?? settings.engine;
  if (wanted === "live" && whyNoLoad !== undefined)
    throw new Refusal(permits.live ? 409 : 400, `engine live: ${whyNoLoad}`);
  return wanted;
}

type KnownRuns = Pick<ServiceScope, "store" | "settings">;

/** DECISION (API 2, Executions: who carried out the run that an answer is about): header X-Loadform-Engine, model (no request was sent), script (one iteration was really sent, the load was computed from it) or live; the validation of a scenario is always `script`, and its log says whether its requests were simulated. */
export function engineOfPath({ mounted, params }: Match, known: KnownRuns): Engine | undefined {
  if (mounted.key === validation) return "script";
  if (!isAboutRun(mounted.key) || startsRun(mounted.key)) return undefined;
  const id = Number(Object.values(params)[0]);
  return engineOfRun(mounted.key.endsWith(traces) ? Math.floor(id / tracesOfExecution) : id, known);
}

/** Who carries out a run that a call started. */
export function engineOfStarted(
  { mounted }: Match,
  reply: JsonValue | RawReply | undefined,
  known: KnownRuns,
): Engine | undefined {
  return startsRun(mounted.key) ? engineOfRun(startedId(reply), known) : undefined;
}

/** Who carried out a run: the probe iteration of a modelled one is really sent where the setting `network` lets it. */
export function engineOfRun(id: number, { store, settings }: KnownRuns): Engine | undefined {
  const row = store.get("execution", id);
  if (row?.engine !== "model" || settings.network !== "loopback") return row?.engine;
  const scenario = store.get("scenario", store.get("configuration", row.configurationId)?.scriptId ?? -1);
  return scenario?.scriptType === "Code" ? "script" : "model";
}

function startedId(reply: JsonValue | RawReply | undefined): number {
  if (reply instanceof RawReply) return Number(String(reply.body));
  if (typeof reply !== "object" || reply === null || Array.isArray(reply)) return -1;
  const { id, executionId } = reply as { readonly id?: JsonValue; readonly executionId?: JsonValue };
  return Number(executionId ?? id);
}
