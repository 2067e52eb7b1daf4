import type { CallOptions } from "../api/routes.ts";
import type { Arrival } from "../model/service-error.ts";
import { sleepUnless } from "../model/sleep-unless.ts";
import { isRead, type PreparedCall } from "./build-request.ts";
import type { CallWatch, ClientClock, RequestEvent } from "./client-options.ts";
import type { Limiter } from "./limit-requests.ts";
import { failureError, objectProblem, readAnswer, UnreadableAnswer } from "./read-answer.ts";
import {
  pauseAfter,
  type ReadCall,
  type RetryClass,
  rereadWrite,
  retryAfter,
  retryClass,
  stepAfter,
  type Trouble,
} from "./retry-table.ts";
import { type Transport, type TransportAnswer, TransportError } from "./transport.ts";

/** The client as the sending of one call needs it. */
export interface Sending {
  readonly transport: Transport;
  readonly clock: ClientClock;
  readonly limiter: Limiter;
  /** Times a request is sent at most. */
  readonly tries: number;
  /** Time for one attempt. */
  readonly timeoutMs: number;
  readonly watch?: CallWatch;
  /** `before` is true once the service has answered anything. */
  readonly reached: { before: boolean };
  readonly beforeWrite?: () => Promise<void>;
  readonly mayWrite?: () => boolean;
  readonly random: () => number;
  readonly redact: (text: string) => string;
  readonly report: (event: RequestEvent) => void;
  readonly read: ReadCall;
}

/** Sends a call until it is answered for good or the retry table (docs/engine.md, Retries) gives up. */
export async function sendCall(client: Sending, call: PreparedCall, options: CallOptions = {}): Promise<unknown> {
  try {
    return await sendUntilDone(client, call, options);
  } finally {
    client.watch?.ended(call);
  }
}

async function sendUntilDone(client: Sending, call: PreparedCall, options: CallOptions): Promise<unknown> {
  const safety = retryClass(call.route);
  const { address } = options;
  let inDoubt = false;
  for (let attempt = 1; ; attempt++) {
    client.watch?.trying(call, attempt, client.tries);
    const { outcome, step } = await tryOnce(client, call, { safety, attempt, options });
    if (outcome.is === "done") return outcome.value;
    if (safety === "delete" && inDoubt && outcome.answer?.status === 404) return undefined;
    inDoubt ||= outcome.is === "in-doubt" || outcome.is === "unavailable";
    const failed = (arrival: Arrival) =>
      failureError({ ...outcome, call, attempts: attempt, arrival, address }, client.redact);
    if (step === "report") throw await failed(arrivalOf(outcome, inDoubt));
    if (step === "resend") continue;
    const found = await doneInDoubt(client, call, () => failed("maybe-done"));
    if (found !== undefined) return found;
    if (step === "last look") throw await failed("maybe-done");
  }
}

/** The object of a write in doubt, if all that was sent is there. */
async function doneInDoubt(client: Sending, call: PreparedCall, failed: () => Promise<Error>): Promise<unknown> {
  const found = await rereadWrite(call, client.read).catch(async () => {
    // The write may have been done: the read that followed could not tell.
    throw await failed();
  });
  return found !== undefined && objectProblem(call, found) === undefined ? found : undefined;
}

/** One attempt, reported, and the pause after it: an interrupt makes it the last one. */
async function tryOnce(
  client: Sending,
  call: PreparedCall,
  at: { readonly safety: RetryClass; readonly attempt: number; readonly options: CallOptions },
) {
  const { safety, attempt, options } = at;
  const started = client.clock.now();
  const outcome = await sendOnce(client, call, options);
  const isLast = attempt >= client.tries || isHopeless(outcome, client.reached);
  const step = options.signal?.aborted ? "report" : stepAfter(safety, outcome.is, isLast);
  client.reached.before ||= outcome.answer !== undefined;
  if (outcome.is === "done" && outcome.answer) options.answered?.(outcome.answer.headers);
  const isGivenUp = step === "report" || step === "last look";
  const waitMs = isGivenUp ? undefined : pauseAfter(attempt, client.random, outcome.retryAfterMs);
  client.report({
    method: call.method,
    path: call.path,
    query: call.query,
    attempt,
    durationMs: client.clock.now() - started,
    ...(outcome.answer ? { status: outcome.answer.status } : { failure: outcome.reason ?? "" }),
    ...(waitMs !== undefined && { waitMs }),
    ...(options.address !== undefined && { address: options.address }),
  });
  if (waitMs === undefined) return { outcome, step };
  await sleepUnless(options.signal, () => client.clock.sleep(waitMs));
  return { outcome, step: options.signal?.aborted ? ("report" as const) : step };
}

/** A connection that nobody takes is tried again only where the service has answered before: it may be restarting. */
function isHopeless({ cause }: AttemptOutcome, reached: Sending["reached"]): boolean {
  const retry = cause instanceof TransportError ? cause.connection?.retry : undefined;
  return retry === "never" || (retry === "once-reached" && !reached.before);
}

/** A refusal says nothing of the attempts before it. */
function arrivalOf({ is }: AttemptOutcome, inDoubt: boolean): Arrival {
  if (inDoubt) return "maybe-done";
  return is === "not-sent" ? "not-sent" : "answered";
}

/** The end of one attempt: a value, a final refusal, or trouble. */
interface AttemptOutcome {
  readonly is: "done" | "refused" | Trouble;
  readonly value?: unknown;
  readonly answer?: TransportAnswer;
  readonly reason?: string;
  readonly cause?: unknown;
  readonly retryAfterMs?: number;
}

/** Sends a call once, within the bounds of the limiter. */
async function sendOnce(client: Sending, call: PreparedCall, options: CallOptions): Promise<AttemptOutcome> {
  const slot = await client.limiter.acquire();
  let outcome: AttemptOutcome | undefined;
  try {
    if (!isRead(call)) await client.beforeWrite?.();
    outcome = await exchange(client, call, options);
    return outcome;
  } finally {
    const isBusy = [429, 503].includes(outcome?.answer?.status ?? 0);
    slot.release(outcome?.is === "done" ? "clean" : isBusy ? "busy" : "other");
  }
}

async function exchange(client: Sending, call: PreparedCall, options: CallOptions): Promise<AttemptOutcome> {
  try {
    const { signal, unlessTag } = options;
    const condition = unlessTag === undefined ? {} : { "if-none-match": unlessTag };
    const answer = await client.transport.send({
      ...call.request,
      headers: { ...call.request.headers, ...condition },
      timeoutMs: client.timeoutMs,
      ...(signal && { signal }),
      ...(client.mayWrite && !isRead(call) && { mayLeave: client.mayWrite }),
    });
    if (answer.status === 304 && unlessTag !== undefined) return { is: "done", value: undefined, answer };
    return judge(answer, client.clock.now()) ?? (await readOk(answer, call, options));
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { is: error.arrival === "not-sent" ? "not-sent" : "in-doubt", reason: error.message, cause: error };
  }
}

/** The columns of docs/engine.md, Retries; undefined for a good answer. */
function judge(answer: TransportAnswer, now: number): AttemptOutcome | undefined {
  const { status, headers } = answer;
  const retryAfterMs = retryAfter(headers["retry-after"], now);
  const asked = retryAfterMs === undefined ? {} : { retryAfterMs };
  const reason = `the service answered ${status}`;
  if (status === 429) return { is: "throttled", answer, reason, ...asked };
  if (status === 503 && retryAfterMs !== undefined) return { is: "unavailable", answer, reason, retryAfterMs };
  if (status === 408 || status >= 500) return { is: "in-doubt", answer, reason, ...asked };
  return status < 200 || status >= 300 ? { is: "refused", answer } : undefined;
}

async function readOk(answer: TransportAnswer, call: PreparedCall, { isKnown }: CallOptions): Promise<AttemptOutcome> {
  if (isKnown?.(await answer.body())) return { is: "done", value: undefined, answer };
  try {
    return { is: "done", value: await readAnswer(call, answer), answer };
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    // A page instead of an answer comes from a wrong address or a login wall; asking again brings the same page.
    if (error.isPage && call.method === "GET") return { is: "refused", answer, reason: error.message, cause: error };
    return { is: "in-doubt", answer, reason: error.message, cause: error };
  }
}
