import type { Api } from "../api/routes.ts";
import { thrownWords } from "../model/diagnostic.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { ServiceError } from "../model/service-error.ts";
import { sleepUnless } from "../model/sleep-unless.ts";
import { isSimulatedBy, listRuns } from "./read-run.ts";

/** Time, as an argument; `now` is epoch milliseconds. */
export interface RunClock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A configuration at the service, and how it is started. */
export interface RunOrder {
  readonly configurationId: number;
  readonly params: Readonly<Record<string, string>>;
  /** Time for one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborted: nothing is started any more, and a start under way is waited for only shortly. */
  readonly signal: AbortSignal;
}

/** A run that was started, or why none was, or why it is not known. */
export type StartedRun =
  | { readonly is: "started"; readonly id: number; readonly warning?: string; readonly simulated?: boolean }
  | { readonly is: "refused" | "in-doubt"; readonly reason: string };

/** Why nothing was started after a signal. */
export const interruptedBefore = "the command was interrupted before it";
/** Pauses between two looks for a run whose start was not answered. */
const lookEveryMs = 2_000;
/** A request may take effect so long after its time is over. */
const lateMs = 15_000;

/**
 * Starts a run: the request is sent once and never again. When its answer is lost, the first list that shows exactly one
 * new run has ours (docs/gates.md, Starting).
 */
export async function startRun(api: Api, clock: RunClock, order: RunOrder): Promise<StartedRun> {
  const { configurationId, params, timeoutMs, signal } = order;
  const before = (await listRuns(api, configurationId)).map(({ id }) => id);
  if (signal.aborted) return { is: "refused", reason: interruptedBefore };
  const sentAt = clock.now();
  let simulated = false;
  const answered = (headers: Readonly<Record<string, string>>) => {
    simulated = isSimulatedBy(headers);
  };
  const written = { params: { confId: configurationId }, body: params };
  const sent = api.call("POST /test-confs/:confId/executions", written, { answered });
  try {
    const answer: unknown = await unlessInterrupted(sent, clock, signal);
    const id = isObject((answer ?? null) as Json) ? (answer as JsonObject)["id"] : undefined;
    // An id that is not above all others is one of a run that was there.
    if (typeof id === "number" && Number.isInteger(id) && before.every((known) => id > known))
      return { is: "started", id, simulated };
  } catch (problem) {
    if (!isLost(problem)) return { is: "refused", reason: thrownWords(problem) };
  }
  const known = new Set(before);
  const look = () => newRuns(api, order.configurationId, known);
  return findStarted(look, { clock, signal: order.signal }, sentAt + timeoutMs + lateMs);
}

/** A start under way is waited for so long after a signal, in milliseconds: what it began has to be stopped in time. */
const interruptedMs = 3_000;

/** The answer to a request; undefined where none came shortly after a signal. */
async function unlessInterrupted(answer: Promise<unknown>, { sleep }: RunClock, signal: AbortSignal): Promise<unknown> {
  let giveUp = (): void => undefined;
  const givenUp = new Promise<undefined>((resolve) => {
    giveUp = () => void sleep(interruptedMs).then(() => resolve(undefined));
  });
  answer.catch(() => undefined);
  signal.addEventListener("abort", giveUp, { once: true });
  return Promise.race([answer, givenUp]).finally(() => signal.removeEventListener("abort", giveUp));
}

/** The start may have happened: no answer came, or one that cannot be read. A refusal is an answer. */
function isLost(problem: unknown): boolean {
  if (!(problem instanceof ServiceError)) return true;
  return problem.arrival === "maybe-done" && (problem.status === undefined || problem.status < 400);
}

/** The runs that are new; undefined while they cannot be listed. */
async function newRuns(
  api: Api,
  configurationId: number,
  before: ReadonlySet<number>,
): Promise<readonly number[] | undefined> {
  const runs = await listRuns(api, configurationId).catch(() => undefined);
  return runs?.flatMap(({ id }) => (before.has(id) ? [] : [id]));
}

async function findStarted(
  look: () => Promise<readonly number[] | undefined>,
  { clock, signal }: { readonly clock: RunClock; readonly signal: AbortSignal },
  until: number,
): Promise<StartedRun> {
  let made: readonly number[] | undefined;
  for (let isLast = false; ; isLast = clock.now() >= until) {
    made = (await look()) ?? made;
    const [only, ...others] = made ?? [];
    if (only !== undefined && others.length === 0)
      return {
        is: "started",
        id: only,
        warning: `the answer to the start was lost; the only new run, ${only}, is taken for it`,
      };
    if (isLast || others.length > 0 || signal.aborted) break;
    await sleepUnless(signal, () => clock.sleep(Math.max(0, Math.min(lookEveryMs, until - clock.now()))));
  }
  const found = made === undefined ? "the runs could not be listed" : "no new run appeared";
  const several = (made?.length ?? 0) > 1 ? `several new runs appeared: ${made?.join(", ")}` : found;
  return {
    is: "in-doubt",
    reason: `the answer to the start was lost, and ${several}. It is not sent again; look at the service`,
  };
}
