import type { ConnectionProblem } from "./connection-problem.ts";

/** One request, ready to be sent: the path is relative to the service's base address. */
export interface TransportRequest {
  /** In capitals. */
  readonly method: string;
  /** Begins with a slash. */
  readonly path: string;
  /** With the key, where it is sent there. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text or bytes as on the wire. */
  readonly body?: string | Uint8Array;
  /** Aborted: the request is given up. */
  readonly signal?: AbortSignal;
  /** Called at the last moment before the first byte could leave; on false the request is given up as not sent. */
  readonly mayLeave?: () => boolean;
  /** Time for this attempt, connection and whole answer included. */
  readonly timeoutMs: number;
}

/** An answer that arrived whole; its body is bytes, or JSON that may never have been text. */
export interface TransportAnswer {
  /** Status of HTTP. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body; not after `json` has parsed them. */
  body(): Uint8Array | Promise<Uint8Array>;
  /** The body as a JSON value; throws when it is none. */
  json(): unknown;
}

/** The way to a service: over HTTP, or to the bundled one in the same process. */
export interface Transport {
  /** Sends once. Rejects with a TransportError when no whole answer came. */
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** Ends its connections. */
  close?(): Promise<void>;
}

/** The failure of a request that its sender held back at the last moment. */
export function heldBack(): TransportError {
  return new TransportError("it was not sent, because the lock of the state must be proved again first", "not-sent");
}

/** No whole answer came. `not-sent` only when it is certain that the service did not see the request. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly arrival: "not-sent" | "maybe-done";
  /** Advice, and whether another attempt can help; absent where nothing special is known. */
  readonly connection: ConnectionProblem | undefined;
  constructor(
    message: string,
    arrival: "not-sent" | "maybe-done",
    more: { readonly cause?: unknown; readonly connection?: ConnectionProblem } = {},
  ) {
    super(message, { cause: more.cause });
    this.arrival = arrival;
    this.connection = more.connection;
  }
}
