import type { CallOptions } from "../api/routes.ts";
import type { PreparedCall } from "./build-request.ts";
import type { ClientClock } from "./client-options.ts";
import type { Limiter } from "./limit-requests.ts";
import { readAnswer, UnreadableAnswer } from "./read-answer.ts";
import type { Trouble } from "./retry-table.ts";
import { retryAfter } from "./retry-table.ts";
import type { Transport, TransportAnswer } from "./transport.ts";
import { TransportError } from "./transport.ts";

/** What one attempt brought: a value, a refusal that stands, or trouble. */
export type Outcome =
  | { readonly is: "done"; readonly value: unknown; readonly answer: TransportAnswer }
  | { readonly is: "refused"; readonly answer: TransportAnswer; readonly reason?: string; readonly cause?: unknown }
  | {
      readonly is: Trouble;
      readonly answer?: TransportAnswer;
      readonly reason: string;
      readonly cause?: unknown;
      readonly retryAfterMs?: number;
    };

/** What an attempt needs from the client. */
export interface Attempting {
  readonly transport: Transport;
  readonly clock: ClientClock;
  readonly limiter: Limiter;
  /** Time for one attempt. */
  readonly timeoutMs: number;
  readonly beforeWrite?: () => Promise<void>;
  readonly mayWrite?: () => boolean;
}

/** Sends a call once, within the bounds of the limiter. */
export async function sendOnce(client: Attempting, call: PreparedCall, options: CallOptions): Promise<Outcome> {
  const slot = await client.limiter.acquire();
  let outcome: Outcome | undefined;
  try {
    if (isWrite(call)) await client.beforeWrite?.();
    outcome = await exchange(client, call, options);
    return outcome;
  } finally {
    slot.release(outcome?.is === "done" ? "clean" : isBusy(outcome?.answer?.status) ? "busy" : "other");
  }
}

function isWrite({ method }: PreparedCall): boolean {
  return method !== "GET" && method !== "HEAD";
}

async function exchange(client: Attempting, call: PreparedCall, options: CallOptions): Promise<Outcome> {
  try {
    const { signal } = options;
    const answer = await client.transport.send({
      ...call.request,
      timeoutMs: client.timeoutMs,
      ...(signal && { signal }),
      ...(client.mayWrite && isWrite(call) && { mayLeave: client.mayWrite }),
    });
    return await judge(answer, call, client.clock.now());
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { is: error.arrival === "not-sent" ? "not-sent" : "in-doubt", reason: error.message, cause: error };
  }
}

/** The columns of docs/engine.md, Retries. */
async function judge(answer: TransportAnswer, call: PreparedCall, now: number): Promise<Outcome> {
  const { status, headers } = answer;
  const retryAfterMs = retryAfter(headers["retry-after"], now);
  const asked = retryAfterMs === undefined ? {} : { retryAfterMs };
  const reason = `the service answered ${status}`;
  if (status === 429) return { is: "throttled", answer, reason, ...asked };
  if (status === 503 && retryAfterMs !== undefined) return { is: "unavailable", answer, reason, retryAfterMs };
  if (status === 408 || status >= 500) return { is: "in-doubt", answer, reason, ...asked };
  if (status < 200 || status >= 300) return { is: "refused", answer };
  return read(answer, call);
}

async function read(answer: TransportAnswer, call: PreparedCall): Promise<Outcome> {
  try {
    return { is: "done", value: await readAnswer(call, answer), answer };
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    // A page instead of an answer comes from a wrong address or a login wall; asking again brings the same page.
    if (error.isPage && call.method === "GET")
      return { is: "refused", answer, reason: `${error.message}; check service.url`, cause: error };
    return { is: "in-doubt", answer, reason: error.message, cause: error };
  }
}

function isBusy(status: number | undefined): boolean {
  return status === 429 || status === 503;
}
