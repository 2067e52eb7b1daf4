import type { Api } from "../api/routes.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { IncompleteAnswer, isMissing, ServiceError } from "../model/service-error.ts";

/** A run at the service as far as loadform looks at it (API 2, Execution). */
export interface RunState {
  readonly id: number;
  readonly completed: boolean;
  readonly running: boolean;
  readonly cancelled: boolean;
  /** The service's own verdict; undefined where it says nothing. */
  readonly success: boolean | undefined;
  readonly summaryCalculated: boolean;
  readonly createdAt: string | undefined;
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
  /** Settings by which runs are comparable. */
  readonly load: Readonly<Record<(typeof loadMembers)[number], number | undefined>>;
  /** Names; undefined where executions do not tell them. */
  readonly tags: readonly string[] | undefined;
  readonly regions: readonly { readonly id: number; readonly name: string }[];
  readonly configuration: JsonObject | undefined;
  /** The header X-Loadform-Engine named another engine than live: no request was sent. */
  readonly simulated: boolean;
}

export const loadMembers = ["concurrentClients", "iterations", "rampupSecs", "iterationSleepSecs"] as const;

/** A run could not be looked at now, and may be later: the connection broke, the service is busy or restarts, or its answer makes no sense. */
export function isPassing(problem: unknown): boolean {
  if (problem instanceof IncompleteAnswer) return true;
  if (!(problem instanceof ServiceError)) return false;
  const { status = 0 } = problem;
  return status < 400 || status === 408 || status === 429 || status >= 500;
}

type Answered = (headers: Readonly<Record<string, string>>) => void;

/** True where an answer says that no request is sent. */
export function isSimulatedBy(headers: Parameters<Answered>[0]): boolean {
  const engine = headers["x-loadform-engine"];
  return engine !== undefined && engine !== "live";
}

/** Reads a run; undefined when there is none of this id. */
export async function readRun(api: Api, id: number, isWhole = false): Promise<RunState | undefined> {
  let simulated = false;
  const told: Answered = (headers) => {
    simulated = isSimulatedBy(headers);
  };
  const query = { down: isWhole, up: isWhole, includeScript: false, includeSummary: false };
  try {
    const answer: unknown = await api.call("GET /executions/:id", { params: { id }, query }, { answered: told });
    if (!isObject(answer as Json)) throw new IncompleteAnswer(`the answer about run ${id} is no run`);
    const { id: answered = id, ...rest } = answer as JsonObject;
    // Whatever an answer about another run says, it is not said of this one.
    if (answered !== id) throw new IncompleteAnswer(`the answer about run ${id} is about ${JSON.stringify(answered)}`);
    return runState({ id, ...rest }, simulated);
  } catch (problem) {
    if (isMissing(problem)) return undefined;
    throw problem;
  }
}

/** A run as an answer shows it; members of other shapes than expected count as absent. */
function runState(wire: JsonObject, simulated = false): RunState {
  const number = (value: Json | undefined) => (typeof value === "number" ? value : undefined);
  const text = (value: Json | undefined) => (typeof value === "string" ? value : undefined);
  const list = (value: Json | undefined) => (Array.isArray(value) ? (value as readonly Json[]) : []);
  const { tags, configuration } = wire;
  return {
    id: number(wire["id"]) ?? 0,
    completed: wire["completed"] === true,
    running: wire["running"] === true,
    cancelled: wire["cancelledByUser"] === true,
    success: typeof wire["success"] === "boolean" ? wire["success"] : undefined,
    summaryCalculated: wire["summaryCalculated"] === true,
    createdAt: text(wire["createdAt"]),
    startedAt: text(wire["startedAt"]),
    finishedAt: text(wire["finishedAt"]),
    load: {
      concurrentClients: number(wire["concurrentClients"]),
      iterations: number(wire["iterations"]),
      rampupSecs: number(wire["rampupSecs"]),
      iterationSleepSecs: number(wire["iterationSleepSecs"]),
    },
    tags: Array.isArray(tags) ? list(tags).flatMap((tag) => tagName(tag)) : undefined,
    regions: list(wire["regions"]).flatMap((region) => regionOf(region)),
    configuration: isObject(configuration) ? configuration : undefined,
    simulated,
  };
}

/** A tag by itself, or a tag info entry with one in it. */
function tagName(tag: Json): readonly string[] {
  if (typeof tag === "string") return [tag];
  if (!isObject(tag)) return [];
  const { name, tag: inner } = tag;
  if (typeof name === "string") return [name];
  return inner === undefined ? [] : tagName(inner);
}

function regionOf(region: Json): RunState["regions"] {
  if (!isObject(region) || typeof region["id"] !== "number") return [];
  const { id, region: of } = region;
  const name = isObject(of) && typeof of["name"] === "string" ? of["name"] : `region ${id}`;
  return [{ id, name }];
}

/** So many runs of a configuration are looked at, the newest. */
const newest = 100;

/** The newest runs of a configuration, the newest first; entries that are none are left out. */
export async function listRuns(api: Api, confId: number, limit = newest): Promise<readonly RunState[]> {
  return listed(api, confId, { limit });
}

/** The newest runs of a configuration that were created before this one. */
export async function runsBefore(api: Api, confId: number, { id, createdAt }: RunState): Promise<readonly RunState[]> {
  const end = Date.parse(createdAt ?? "");
  const runs = await listed(api, confId, { limit: newest + 1, ...(!Number.isNaN(end) && { end }) });
  return runs.filter((run) => run.id < id).slice(0, newest);
}

/** All runs of a configuration that were created since a moment, in epoch milliseconds. */
export async function runsSince(api: Api, confId: number, start: number): Promise<readonly RunState[]> {
  const runs = await listed(api, confId, { limit: -1, start });
  return runs.filter(({ createdAt }) => Date.parse(createdAt ?? "") >= start);
}

/** Runs of a configuration of the last seven days that have not completed. */
export async function runsUnderWay(api: Api, confId: number): Promise<readonly RunState[]> {
  return (await listed(api, confId, { period: "7d" })).filter(({ completed }) => !completed);
}

async function listed(
  api: Api,
  confId: number,
  range: { readonly limit: number; readonly start?: number; readonly end?: number } | { readonly period: "7d" },
): Promise<readonly RunState[]> {
  const query = { down: false, includeScript: false, includeSummary: false, ...range };
  const answer: unknown = await api.call("GET /test-confs/:confId/executions", { params: { confId }, query });
  if (!Array.isArray(answer)) throw new IncompleteAnswer(`the answer about the runs of ${confId} is no list`);
  const wires = (answer as readonly Json[]).filter(isObject);
  const runs = wires.flatMap((wire) => (Number.isInteger(wire["id"]) ? [runState(wire)] : []));
  return runs.sort((left, right) => right.id - left.id);
}
