import type { CallOptions } from "../api/routes.ts";
import type { Arrival } from "../model/service-error.ts";
import type { PreparedCall } from "./build-request.ts";
import type { ClientClock, RequestEvent } from "./client-options.ts";
import { failureError } from "./explain-failure.ts";
import type { Read } from "./reread.ts";
import { rereadWrite } from "./reread.ts";
import type { NextStep, RetryClass } from "./retry-table.ts";
import { pauseAfter, retryClass, retryTable, tries } from "./retry-table.ts";
import type { Attempting, Outcome } from "./send-once.ts";
import { sendOnce } from "./send-once.ts";
import { objectProblem } from "./written-object.ts";

/** What sending with retries needs from the client. */
export interface Sending extends Attempting {
  readonly random: () => number;
  readonly redact: (text: string) => string;
  readonly report: (event: RequestEvent) => void;
  readonly read: Read;
}

/** Sends a call until it is answered for good or the retry table (docs/engine.md, Retries) gives up. */
export async function sendCall(client: Sending, call: PreparedCall, options: CallOptions = {}): Promise<unknown> {
  const safety = retryClass(call.route);
  let inDoubt = false;
  for (let attempt = 1; ; attempt++) {
    const { outcome, step, waitMs } = await tryOnce(client, call, { safety, attempt, options });
    if (outcome.is === "done") return outcome.value;
    if (safety === "delete" && inDoubt && outcome.answer?.status === 404) return undefined;
    inDoubt ||= outcome.is === "in-doubt" || outcome.is === "unavailable";
    if (waitMs === undefined || !(await pause(client.clock, waitMs, options.signal)))
      throw await failure(client, { call, outcome, attempts: attempt, arrival: arrivalOf(outcome, inDoubt), options });
    if (step !== "reread") continue;
    const found = await rereadWrite(call, client.read).catch(async () => {
      // Nobody knows now whether the write was done, whatever became of the look.
      throw await failure(client, { call, outcome, attempts: attempt, arrival: "maybe-done", options });
    });
    if (found !== undefined && objectProblem(call, found) === undefined) return found;
  }
}

interface Attempt {
  readonly safety: RetryClass;
  readonly attempt: number;
  readonly options: CallOptions;
}

/** One attempt, reported; `waitMs` is there when another one is due. */
async function tryOnce(client: Sending, call: PreparedCall, { safety, attempt, options }: Attempt) {
  const started = client.clock.now();
  const outcome = await sendOnce(client, call, options);
  const step = stepAfter(outcome, { safety, attempt, isAborted: options.signal?.aborted === true });
  const waitMs = step === "report" ? undefined : pauseOf(client, outcome, attempt);
  client.report(event({ call, options, attempt, durationMs: client.clock.now() - started, outcome, waitMs }));
  return { outcome, step, waitMs };
}

function stepAfter(
  outcome: Outcome,
  at: { readonly safety: RetryClass; readonly attempt: number; readonly isAborted: boolean },
): NextStep {
  if (outcome.is === "done" || outcome.is === "refused" || at.attempt >= tries || at.isAborted) return "report";
  return retryTable[at.safety][outcome.is];
}

function pauseOf(client: Sending, outcome: Outcome, attempt: number): number {
  return pauseAfter(attempt, client.random, "retryAfterMs" in outcome ? outcome.retryAfterMs : undefined);
}

function arrivalOf(outcome: Outcome, inDoubt: boolean): Arrival {
  // A refusal says nothing of the attempts before it.
  if (inDoubt) return "maybe-done";
  if (outcome.is === "refused") return "answered";
  return outcome.is === "not-sent" ? "not-sent" : "answered";
}

interface Failed {
  readonly call: PreparedCall;
  readonly outcome: Outcome;
  readonly attempts: number;
  readonly arrival: Arrival;
  readonly options: CallOptions;
}

function failure(client: Sending, { call, outcome, attempts, arrival, options }: Failed): Promise<Error> {
  const { answer } = outcome;
  const reason = "reason" in outcome ? outcome.reason : undefined;
  return failureError(
    {
      call,
      attempts,
      arrival,
      ...(answer && { answer }),
      ...(reason !== undefined && { reason }),
      ...("cause" in outcome && { cause: outcome.cause }),
      ...(options.address !== undefined && { address: options.address }),
    },
    client.redact,
  );
}

interface Attempted {
  readonly call: PreparedCall;
  readonly options: CallOptions;
  readonly attempt: number;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly waitMs: number | undefined;
}

function event({ call, options, attempt, durationMs, outcome, waitMs }: Attempted): RequestEvent {
  return {
    method: call.method,
    path: call.path,
    query: call.query,
    attempt,
    durationMs,
    ...(outcome.answer
      ? { status: outcome.answer.status }
      : { failure: "reason" in outcome ? (outcome.reason ?? "") : "" }),
    ...(waitMs !== undefined && { waitMs }),
    ...(options.address !== undefined && { address: options.address }),
  };
}

/** Sleeps; false when the command was interrupted before the end. */
async function pause(clock: ClientClock, milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal === undefined) {
    await clock.sleep(milliseconds);
    return true;
  }
  let wake = (): void => undefined;
  const interrupted = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const onAbort = (): void => wake();
  signal.addEventListener("abort", onAbort, { once: true });
  if (!signal.aborted) await Promise.race([clock.sleep(milliseconds), interrupted]);
  signal.removeEventListener("abort", onAbort);
  return !signal.aborted;
}
