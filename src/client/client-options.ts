import type { Transport } from "./transport.ts";

/** Where a request carries the key: a header (X-Api-Key unless said otherwise) or a query parameter. */
export type Auth = { readonly header: string } | { readonly query: string };

/** Time as the client sees it. */
export interface ClientClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after so many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
}

/** One attempt, as it is logged. The query is without the key. */
export interface RequestEvent {
  /** Method of HTTP. */
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  /** Parameters, without the key. */
  readonly query: Readonly<Record<string, string>>;
  /** Counted from 1. */
  readonly attempt: number;
  /** From sending to the whole answer, in milliseconds. */
  readonly durationMs: number;
  /** Status of the answer. */
  readonly status?: number;
  /** Why there is no status. */
  readonly failure?: string;
  /** Pause before the next attempt; absent when there is none. */
  readonly waitMs?: number;
  /** The object that the call is about. */
  readonly address?: string;
}

/** Is told which calls are under way; `call` is the same object for all tries of one call. */
export interface CallWatch {
  /** A try begins; `attempt` counts from 1, of at most `tries`. */
  readonly trying: (call: object, attempt: number, tries: number) => void;
  /** The call has its answer, or failed. */
  readonly ended: (call: object) => void;
}

/** The service, and the pace and surroundings of its requests. */
export interface ClientOptions {
  /** Base URL, with `/api` when the service is there. */
  readonly url: string;
  /** Never in a message or a log. */
  readonly apiKey: string;
  /** Values that appear in no message and no log, whatever repeats them. */
  readonly secrets?: readonly string[];
  /** Default: the header X-Api-Key. */
  readonly auth?: Auth;
  /** Default: HTTP to `url`. */
  readonly transport?: Transport;
  /** Default: real time. */
  readonly clock?: ClientClock;
  /** A number from 0 to below 1, for the jitter. */
  readonly random?: () => number;
  /** One line per attempt, secrets left out. */
  readonly log?: (line: string) => void;
  /** Told of every call. */
  readonly watch?: CallWatch;
  /** Told of every attempt. */
  readonly onRequest?: (event: RequestEvent) => void;
  /** Called right before each attempt of a write leaves; if it throws, the call is stopped and nothing is sent. */
  readonly beforeWrite?: () => Promise<void>;
  /** Asked once more when its first byte could leave, which may be later; on false it is not sent, and tried again as a whole. */
  readonly mayWrite?: () => boolean;
  /** Aborted: every call in flight is given up, and nothing more is sent. */
  readonly signal?: AbortSignal;
  /** Fixes the number of requests in flight, which otherwise adapts from 8 up to 16. */
  readonly parallelism?: number;
  /** Times a request is sent at most, the first one included; default 5. */
  readonly tries?: number;
  /** Time for one attempt, default 30,000. */
  readonly timeoutMs?: number;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up; default none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}
