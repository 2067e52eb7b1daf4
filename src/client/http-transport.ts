import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Dispatcher } from "undici";
import { interruptedWords } from "../model/service-error.ts";
import type { Environment, ProxyChoice } from "./choose-proxy.ts";
import { chooseProxy } from "./choose-proxy.ts";
import { connectionProblem } from "./connection-problem.ts";
import { LastLook, openDispatcher } from "./open-dispatcher.ts";
import type { Transport, TransportAnswer, TransportRequest } from "./transport.ts";
import { heldBack, TransportError } from "./transport.ts";

/** HTTP to a base address, by the proxy of `env`. undici is loaded and a connection opened at the first request. */
export function httpTransport(url: string, env: Environment, connections: number): Transport {
  const base = baseAddress(url);
  const proxy = chooseProxy(base.origin, env);
  const lastLook = new LastLook();
  let opening: Promise<Dispatcher> | undefined;
  return {
    async send(request) {
      opening ??= openDispatcher({ connections, proxy, origin: base.origin, lastLook });
      const way = { lastLook, origin: base.origin, proxy };
      return decoded(await dispatchRequest(await opening, dispatchOptions(base, request), { ...request, ...way }));
    },
    async close() {
      await (await opening)?.destroy();
    },
  };
}

function baseAddress(url: string): { readonly origin: string; readonly prefix: string } {
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isWeb) throw new TypeError(`the address of the service must begin with http:// or https://, and is "${url}"`);
  const { origin, pathname } = new URL(url);
  return { origin, prefix: pathname.replace(/\/+$/, "") };
}

function dispatchOptions(base: ReturnType<typeof baseAddress>, request: TransportRequest): Dispatcher.DispatchOptions {
  const query = new URLSearchParams(request.query).toString();
  return {
    origin: base.origin,
    path: `${base.prefix}${request.path}${query === "" ? "" : `?${query}`}`,
    method: request.method as Dispatcher.HttpMethod,
    headers: { "accept-encoding": "gzip, deflate, br", "user-agent": "loadform", ...request.headers },
    body: request.body ?? null,
  };
}

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

async function decoded(raw: RawAnswer): Promise<TransportAnswer> {
  const encoding = raw.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || raw.body.length === 0) return transportAnswer(raw);
  const decode = decoders[encoding];
  if (decode === undefined)
    throw new TransportError(`the answer is encoded as ${encoding}, which is not understood`, "maybe-done");
  try {
    return transportAnswer({ ...raw, body: await decode(raw.body) });
  } catch (cause) {
    throw new TransportError(`the answer cannot be unpacked (${encoding})`, "maybe-done", { cause });
  }
}

function transportAnswer({ body, ...answer }: RawAnswer): TransportAnswer {
  return { ...answer, body: () => body, json: () => JSON.parse(textOf(body)) };
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("utf8");
}

/** An answer as it came over the wire. */
interface RawAnswer extends Pick<TransportAnswer, "status" | "headers"> {
  readonly body: Uint8Array;
}

/** The part of a request that its exchange needs: when to give up waiting. */
interface Patience extends Pick<TransportRequest, "timeoutMs" | "signal" | "mayLeave"> {
  /** Of the client whose request it is. */
  readonly lastLook: LastLook;
  readonly origin: string;
  readonly proxy: ProxyChoice | undefined;
}

/**
 * Sends one request and collects its whole answer. A failure before undici starts to write is certain not to have
 * arrived (name not found, refused, no TLS, no connection in time); any later one may have.
 */
function dispatchRequest(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  patience: Patience,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const exchange = new Exchange(patience, { resolve, reject });
    const abort = () => exchange.giveUp(interruptedWords, patience.signal?.reason);
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
  private body: ArrivingBody = collectedBody({});
  private readonly timer: NodeJS.Timeout;
  private readonly mayLeave: Patience["mayLeave"];
  private readonly lastLook: LastLook;
  private readonly way: Pick<Patience, "origin" | "proxy">;
  private readonly promise: { resolve(answer: RawAnswer): void; reject(error: Error): void };

  constructor(
    { timeoutMs, mayLeave, lastLook, ...way }: Patience,
    promise: { resolve(answer: RawAnswer): void; reject(error: Error): void },
  ) {
    this.promise = promise;
    this.mayLeave = mayLeave;
    this.lastLook = lastLook;
    this.way = way;
    this.timer = setTimeout(() => this.giveUp(`no complete answer came within ${timeoutMs} ms`), timeoutMs);
  }

  handler(): Dispatcher.DispatchHandler {
    return {
      onRequestStart: (controller) => {
        if (this.isOver) return controller.abort(new Error("given up"));
        if (this.mayLeave?.() === false) this.holdBack();
        this.lastLook.expect(this.mayLeave);
        this.controller = controller;
      },
      onResponseStart: (_, status, headers) => {
        this.status = status;
        this.headers = answerHeaders(headers);
        this.body = collectedBody(this.headers);
      },
      onResponseData: (_, chunk) => this.body.take(chunk),
      onResponseEnd: () => this.finish(),
      onResponseError: (_, error) => this.failed(error),
    };
  }

  giveUp(message: string, cause?: unknown): void {
    this.fail(message, cause);
    this.controller?.abort(new Error(message));
  }

  /** An error thrown here drops the request and leaves its connection open for the next one; an abort would close it. */
  private holdBack(): never {
    const problem = heldBack();
    if (this.end()) this.promise.reject(problem);
    throw problem;
  }

  private finish(): void {
    if (!this.end()) return;
    this.promise.resolve({ status: this.status, headers: this.headers, body: this.body.whole() });
  }

  private failed(error: Error): void {
    const problem = this.problemOf(error);
    if (this.end()) this.promise.reject(problem);
  }

  private problemOf(error: Error): TransportError {
    if (error instanceof TransportError) return error;
    const words = error.message || String(Reflect.get(error, "code"));
    if (this.controller !== undefined) return new TransportError(words, "maybe-done", { cause: error });
    const connection = connectionProblem(error, this.way);
    return new TransportError(connection.message, "not-sent", { cause: error, connection });
  }

  private fail(message: string, cause: unknown): void {
    const arrival = this.controller === undefined ? "not-sent" : "maybe-done";
    if (this.end()) this.promise.reject(new TransportError(message, arrival, { cause }));
  }

  private end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.timer);
    this.onEnd();
    return true;
  }
}

/** A body as it arrives in pieces, each of which is overwritten after the call. */
interface ArrivingBody {
  readonly take: (piece: Uint8Array) => void;
  readonly whole: () => Uint8Array;
}

/** Bytes for which a buffer is allocated because a service declares them. */
const mostDeclared = 256_000_000;

/** The body in one buffer of the length that the service declares, or in copies of its pieces where it declares none or another. */
function collectedBody({ "content-length": length }: RawAnswer["headers"]): ArrivingBody {
  const declared = Math.min(Number(length) || 0, mostDeclared);
  const first = Buffer.allocUnsafeSlow(declared);
  const more: Buffer[] = [];
  let filled = 0;
  return {
    take(piece) {
      if (more.length > 0 || filled + piece.length > first.length) return void more.push(Buffer.from(piece));
      first.set(piece, filled);
      filled += piece.length;
    },
    whole: () => (more.length === 0 ? first.subarray(0, filled) : Buffer.concat([first.subarray(0, filled), ...more])),
  };
}

function answerHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : String(value ?? ""),
    ]),
  );
}
