import type { Redact } from "../model/redact.ts";
import { sleepUnless } from "../model/sleep-unless.ts";
import type { Notification, ToldEvent } from "./notifications.ts";
import type { ProjectState } from "./project-memory.ts";

/** Who is told of what. The address is a secret: it often holds the right to post. */
export interface Receiver {
  readonly webhook: string;
  readonly on: readonly (ProjectState | ToldEvent)[];
}

/** The world that a sender needs. */
export interface SendOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Takes the watcher's secrets out of a text. */
  readonly redact: Redact;
  /** A line for the log. */
  readonly warn: (line: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Sends in the background; nothing waits for a receiver. */
export interface NotificationSender {
  readonly tell: (notification: Notification) => void;
  /** Tries once more what waits, and ends within five seconds. */
  readonly close: () => Promise<void>;
}

/** Sends notifications to those who want them, to each in their order; one that does not answer holds up no other. */
export function notificationSender(receivers: readonly Receiver[], options: SendOptions): NotificationSender {
  const closing = new AbortController();
  const over = new AbortController();
  const queues = receivers.map((receiver, index) =>
    receiverQueue(receiver, {
      ...options,
      name: `webhook ${index + 1} of notify`,
      closing: closing.signal,
      over: over.signal,
    }),
  );
  return {
    tell: (notification) => {
      for (const queue of queues) queue.add(notification);
    },
    async close() {
      closing.abort();
      const timer = setTimeout(() => over.abort(), longestEnd);
      await Promise.all(queues.map(({ ended }) => ended()));
      clearTimeout(timer);
    },
  };
}

const longestEnd = 4500;
const longestTry = 10_000;
const mostWaiting = 100;
/** Pauses before another try; after the last one a notification is given up. */
const pauses = [1000, 4000, 15_000, 60_000, 300_000];

interface QueueOptions extends SendOptions {
  readonly name: string;
  /** No more pauses. */
  readonly closing: AbortSignal;
  /** No more waiting at all. */
  readonly over: AbortSignal;
}

function receiverQueue({ webhook, on }: Receiver, options: QueueOptions) {
  const { name, redact, warn, over } = options;
  const waiting: string[] = [];
  let dropped = 0;
  let work: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (let next = waiting[0]; next !== undefined && !over.aborted; next = waiting[0]) {
      const failure = await sendOne(webhook, next, options);
      // It may have been dropped meanwhile for newer ones.
      if (waiting[0] === next) waiting.shift();
      if (failure !== undefined) warn(`a notification was not sent to ${name}: ${failure}`);
      if (dropped > 0) warn(`${dropped} older notifications were not sent to ${name}: ${mostWaiting} were waiting`);
      dropped = 0;
    }
    work = undefined;
  };
  return {
    add(notification: Notification): void {
      if (!on.includes(notification.on) || options.closing.aborted) return;
      waiting.push(bodyOf(notification, redact));
      if (waiting.length > mostWaiting) {
        waiting.shift();
        dropped++;
      }
      work ??= run();
    },
    async ended(): Promise<void> {
      await work;
      if (waiting.length > 0) warn(`${waiting.length} notifications were not sent to ${name}: the watcher ended`);
    },
  };
}

function bodyOf({ text, project, state, was, commit, at }: Notification, redact: Redact): string {
  return JSON.stringify({ text: redact(text), project, state, was, commit, at });
}

/** Sends one until it is taken; answers with why it was not. */
async function sendOne(webhook: string, body: string, options: QueueOptions): Promise<string | undefined> {
  const { closing, over, sleep } = options;
  for (let attempt = 0; ; attempt++) {
    const outcome = await tryOne(webhook, body, options);
    if (outcome === undefined) return undefined;
    const pause = pauses[attempt];
    if (outcome.isFinal || pause === undefined || closing.aborted) return outcome.reason;
    await sleepUnless(closing, () => sleep(Math.max(pause, outcome.askedPause ?? 0)));
    if (over.aborted) return outcome.reason;
  }
}

/** A try that failed; a final one is not repeated. */
interface FailedTry {
  readonly reason: string;
  readonly isFinal: boolean;
  /** Milliseconds that the receiver asks to wait. */
  readonly askedPause?: number;
}

async function tryOne(webhook: string, body: string, { fetch, over }: QueueOptions): Promise<FailedTry | undefined> {
  try {
    const signal = AbortSignal.any([over, AbortSignal.timeout(longestTry)]);
    const headers = { "content-type": "application/json" };
    const answer = await fetch(webhook, { method: "POST", headers, body, redirect: "manual", signal });
    // Nobody reads the answer, and one that does not end is not waited for.
    void answer.body?.cancel().catch(() => undefined);
    return answer.ok ? undefined : failedAnswer(answer);
  } catch (thrown) {
    return { reason: connectionTrouble(thrown), isFinal: false };
  }
}

/** An address that it redirects to was not configured, so nothing is sent there. */
function failedAnswer({ status, headers }: Response): FailedTry {
  if (status >= 300 && status < 400)
    return {
      reason: `it answered ${status}, a redirect, which is not followed: set the address that it leads to`,
      isFinal: true,
    };
  const isPassing = status >= 500 || [408, 425, 429].includes(status);
  const asked = Number(headers.get("retry-after"));
  const askedPause = asked > 0 ? { askedPause: Math.min(asked * 1000, 300_000) } : {};
  return { reason: `it answered ${status}`, isFinal: !isPassing, ...askedPause };
}

/** Messages of errors may hold the address, their codes do not. */
function connectionTrouble(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "no answer";
  const { name, cause } = thrown;
  if (name === "TimeoutError") return `no answer within ${longestTry / 1000} s`;
  if (name === "AbortError") return "the watcher ended";
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? `no answer (${code})` : "no answer";
}
