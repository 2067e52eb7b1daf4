import type { Api } from "../api/routes.ts";
import type { JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { ServiceError, UnresolvedAnswer } from "../model/service-error.ts";
import type { RunState } from "./read-run.ts";
import { runState } from "./read-run.ts";

/** Time, as an argument; `now` is epoch milliseconds. */
export interface RunClock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Aborted: sleeps end at once, and nothing is waited for. */
  readonly signal?: AbortSignal;
}

/** A configuration at the service, and how it is started. */
export interface RunOrder {
  readonly configurationId: number;
  readonly params: Readonly<Record<string, string>>;
  /** Time for one request, in milliseconds. */
  readonly timeoutMs: number;
}

/** A run that was started, or why none was, or why it is not known. */
export type StartedRun =
  | { readonly is: "started"; readonly id: number; readonly warning?: string }
  | { readonly is: "refused" | "in-doubt"; readonly reason: string };

/** Pauses between two looks for a run whose start was not answered. */
const lookEveryMs = 2_000;
/** A request may take effect so long after its time is over. */
const lateMs = 15_000;

/** The runs of a configuration of the last seven days, the newest first. */
export async function listRuns(api: Api, confId: number, limit?: number): Promise<readonly RunState[]> {
  const query = {
    down: false,
    includeScript: false,
    includeSummary: false,
    ...(limit === undefined ? { period: "7d" as const } : { limit }),
  };
  const answer: unknown = await api.call("GET /test-confs/:confId/executions", { params: { confId }, query });
  const runs = Array.isArray(answer)
    ? answer.flatMap((each: unknown) => (isObject(each as never) ? [runState(each as JsonObject)] : []))
    : [];
  return runs.sort((left, right) => right.id - left.id);
}

/**
 * Starts a run: the request is sent once and never again. When its answer is lost, the first list that shows exactly one
 * new run has ours (docs/gates.md, Starting).
 */
export async function startRun(
  api: Api,
  clock: RunClock,
  { configurationId, params, timeoutMs }: RunOrder,
): Promise<StartedRun> {
  const before = new Set((await listRuns(api, configurationId)).map(({ id }) => id));
  const sentAt = clock.now();
  try {
    const answer: unknown = await api.call("POST /test-confs/:confId/executions", {
      ...{ params: { confId: configurationId }, body: params },
    });
    const id = isObject(answer as never) ? (answer as JsonObject)["id"] : undefined;
    if (typeof id === "number" && Number.isInteger(id) && !before.has(id)) return { is: "started", id };
  } catch (problem) {
    if (!isLost(problem))
      return { is: "refused", reason: problem instanceof Error ? problem.message : String(problem) };
  }
  return findStarted({ api, clock, configurationId, before }, sentAt + timeoutMs + lateMs);
}

/** The start may have happened: no answer came, or one that cannot be read. A refusal is an answer. */
function isLost(problem: unknown): boolean {
  if (problem instanceof UnresolvedAnswer) return true;
  if (!(problem instanceof ServiceError) || problem.arrival !== "maybe-done") return false;
  return problem.status === undefined || problem.status < 400;
}

async function findStarted(
  at: {
    readonly api: Api;
    readonly clock: RunClock;
    readonly configurationId: number;
    readonly before: ReadonlySet<number>;
  },
  until: number,
): Promise<StartedRun> {
  const { api, clock, configurationId, before } = at;
  let made: readonly number[] = [];
  for (let isLast = false; ; isLast = clock.now() >= until) {
    const runs = await listRuns(api, configurationId).catch(() => []);
    made = runs.flatMap(({ id }) => (before.has(id) ? [] : [id]));
    const [only, ...others] = made;
    if (only !== undefined && others.length === 0)
      return {
        is: "started",
        id: only,
        warning: `the answer to the start was lost; the only new run, ${only}, is taken for it`,
      };
    if (isLast || made.length > 1 || clock.signal?.aborted) break;
    await clock.sleep(Math.max(0, Math.min(lookEveryMs, until - clock.now())));
  }
  const found = made.length === 0 ? "no new run appeared" : `several new runs appeared: ${made.join(", ")}`;
  return {
    is: "in-doubt",
    reason: `the answer to the start was lost, and ${found}. It is not sent again; look at the service`,
  };
}
