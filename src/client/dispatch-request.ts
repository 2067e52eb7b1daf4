import type { Dispatcher } from "undici";
import { expectLook } from "./last-look.ts";
import { heldBack, TransportError } from "./transport.ts";

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** When to give up waiting. */
export interface Patience {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** See TransportRequest. */
  readonly mayLeave?: () => boolean;
}

/**
 * Sends one request and collects its whole answer. A failure before undici starts to write is certain not to have
 * arrived (name not found, refused, no TLS, no connection in time); any later one may have.
 */
export function dispatchRequest(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  patience: Patience,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const exchange = new Exchange(patience, { resolve, reject });
    const abort = () => exchange.giveUp("the command was interrupted", patience.signal?.reason);
    patience.signal?.addEventListener("abort", abort, { once: true });
    exchange.onEnd = () => patience.signal?.removeEventListener("abort", abort);
    if (patience.signal?.aborted) abort();
    else dispatcher.dispatch(options, exchange.handler());
  });
}

class Exchange {
  onEnd: () => void = () => undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: Readonly<Record<string, string>> = {};
  private isOver = false;
  private readonly chunks: Buffer[] = [];
  private readonly timer: NodeJS.Timeout;
  private readonly mayLeave: Patience["mayLeave"];
  private readonly promise: { resolve(answer: RawAnswer): void; reject(error: Error): void };

  constructor(
    { timeoutMs, mayLeave }: Patience,
    promise: { resolve(answer: RawAnswer): void; reject(error: Error): void },
  ) {
    this.promise = promise;
    this.mayLeave = mayLeave;
    this.timer = setTimeout(() => this.giveUp(`no whole answer came within ${timeoutMs} ms`), timeoutMs);
  }

  handler(): Dispatcher.DispatchHandler {
    return {
      onRequestStart: (controller) => {
        if (this.isOver) return controller.abort(new Error("given up"));
        if (this.mayLeave?.() === false) this.holdBack();
        expectLook(this.mayLeave);
        this.controller = controller;
      },
      onResponseStart: (_, status, headers) => {
        this.status = status;
        this.headers = flatHeaders(headers);
      },
      onResponseData: (_, chunk) => void this.chunks.push(chunk),
      onResponseEnd: () => this.finish(),
      onResponseError: (_, error) => this.failed(error),
    };
  }

  giveUp(message: string, cause?: unknown): void {
    this.fail(message, cause);
    this.controller?.abort(new Error(message));
  }

  /** What is thrown here takes the request away and leaves its connection open for the next one; an abort would close it. */
  private holdBack(): never {
    const problem = heldBack();
    if (this.end()) this.promise.reject(problem);
    throw problem;
  }

  private finish(): void {
    if (!this.end()) return;
    this.promise.resolve({ status: this.status, headers: this.headers, bytes: Buffer.concat(this.chunks) });
  }

  private failed(error: Error): void {
    if (!(error instanceof TransportError)) this.fail(error.message || String(Reflect.get(error, "code")), error);
    else if (this.end()) this.promise.reject(error);
  }

  private fail(message: string, cause: unknown): void {
    const arrival = this.controller === undefined ? "not-sent" : "maybe-done";
    if (this.end()) this.promise.reject(new TransportError(message, arrival, cause));
  }

  private end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.timer);
    this.onEnd();
    return true;
  }
}

function flatHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : String(value ?? ""),
    ]),
  );
}
