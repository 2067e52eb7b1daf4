import { setMaxListeners } from "node:events";
import type { Answer, Api, CallInput, CallOptions, RouteKey } from "../api/routes.ts";
import { markingRedactor, sensitiveText } from "../model/redact.ts";
import { usualTimeoutMs } from "../model/service-error.ts";
import { isRead, type LooseInput, prepareCall } from "./build-request.ts";
import type { ClientClock, ClientOptions, RequestEvent } from "./client-options.ts";
import { httpTransport } from "./http-transport.ts";
import { makeLimiter } from "./limit-requests.ts";
import { usualTries } from "./retry-table.ts";
import { type Sending, sendCall } from "./send-call.ts";

/** Requests sent so far, every attempt counted. */
export interface ClientStats {
  /** Reads and writes. */
  readonly requests: number;
  /** GET and HEAD. */
  readonly reads: number;
  /** All others. */
  readonly writes: number;
}

/** A typed client of the service: retries, bounds and explains as docs/engine.md, Retries says. Failures are ServiceErrors. */
export interface Client extends Api {
  /** Counts of the requests sent so far. */
  stats(): ClientStats;
  /** Ends the connections; requests in flight fail. */
  close(): Promise<void>;
}

const mostInFlight = 16;

/**
 * Makes a client of one service; nothing is sent before the first call. `client.call("GET /test-cases", { query })` is typed by the
 * table of routes, tries again what may be sent again, and rejects with a ServiceError.
 */
export function createClient(options: ClientOptions): Client {
  const counts = { reads: 0, writes: 0 };
  const credentials = { apiKey: options.apiKey, auth: options.auth ?? { header: "X-Api-Key" } };
  const { url, env = {}, parallelism = mostInFlight } = options;
  const transport = options.transport ?? httpTransport(url, env, Math.max(mostInFlight, parallelism));
  const secrets = (options.secrets ?? []).map((secret) => [secret, sensitiveText] as const);
  const redact = markingRedactor([...secrets, [options.apiKey, "***"]]);
  const { signal } = options;
  // Every request in flight listens to it; Node would warn of a leak from the eleventh on.
  if (signal) setMaxListeners(0, signal);
  const call = async (route: RouteKey, input: LooseInput, how: CallOptions = {}) => {
    const either = signal && how.signal ? AbortSignal.any([signal, how.signal]) : (signal ?? how.signal);
    const prepared = await prepareCall(route, input, credentials);
    return sendCall(sending, prepared, { ...how, ...(either && { signal: either }) });
  };
  const sending: Sending = {
    transport,
    clock: options.clock ?? realClock,
    random: options.random ?? Math.random,
    limiter: makeLimiter(options.parallelism),
    tries: options.tries ?? usualTries,
    timeoutMs: options.timeoutMs ?? usualTimeoutMs,
    redact,
    reached: { before: false },
    ...(options.watch && { watch: options.watch }),
    ...(options.beforeWrite && { beforeWrite: options.beforeWrite }),
    ...(options.mayWrite && { mayWrite: options.mayWrite }),
    read: call,
    report: (event) => {
      counts[isRead(event) ? "reads" : "writes"]++;
      options.onRequest?.(event);
      options.log?.(redact(requestLine(event)));
    },
  };
  return {
    call<R extends RouteKey>(route: R, input: CallInput<R> = {}, how?: CallOptions) {
      return call(route, input as LooseInput, how) as Promise<Answer<R>>;
    },
    stats: () => ({ ...counts, requests: counts.reads + counts.writes }),
    close: async () => transport.close?.(),
  };
}

const realClock: ClientClock = {
  now: Date.now,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Query parameters that open links: like keys. */
const secretParameters = new Set(["key", "sid"]);

/** One attempt as a line of the debug log. */
export function requestLine(event: RequestEvent): string {
  const query = Object.entries(event.query).map(([key, text]) => `${key}=${secretParameters.has(key) ? "***" : text}`);
  const target = `${event.method} ${event.path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  const result = event.status === undefined ? `failed: ${event.failure}` : String(event.status);
  const attempt = event.attempt === 1 ? "" : `, try ${event.attempt}`;
  const wait = event.waitMs === undefined ? "" : `, again in ${Math.round(event.waitMs)} ms`;
  const address = event.address === undefined ? "" : ` for ${event.address}`;
  return `${target}${address}: ${result} in ${Math.round(event.durationMs)} ms${attempt}${wait}`;
}
