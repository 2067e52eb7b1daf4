import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Dispatcher } from "undici";
import { interruptedWords } from "../model/service-error.ts";
import { chooseProxy, type Environment, type ProxyChoice } from "./choose-proxy.ts";
import { connectionProblem } from "./connection-problem.ts";
import { LastLook, openDispatcher } from "./open-dispatcher.ts";
import { heldBack, type Transport, type TransportAnswer, TransportError, type TransportRequest } from "./transport.ts";

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
  return {
    ...answer,
    body: () => body,
    json() {
      const { buffer, byteOffset, length } = body;
      const value: unknown = JSON.parse(Buffer.from(buffer, byteOffset, length).toString("utf8"));
      if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0);
      return value;
    },
  };
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
  { timeoutMs, signal, mayLeave, lastLook, ...way }: Patience,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let head: Pick<RawAnswer, "status" | "headers"> = { status: 0, headers: {} };
    let body = collectedBody({});
    let isOver = false;
    const end = (): boolean => {
      if (isOver) return false;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      return true;
    };
    const fail = (problem: Error): void => {
      if (end()) reject(problem);
    };
    const giveUp = (message: string, cause?: unknown): void => {
      fail(new TransportError(message, controller === undefined ? "not-sent" : "maybe-done", { cause }));
      controller?.abort(new Error(message));
    };
    const abort = () => giveUp(interruptedWords, signal?.reason);
    const timer = setTimeout(() => giveUp(`no complete answer came within ${timeoutMs} ms`), timeoutMs);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) return abort();
    dispatcher.dispatch(options, {
      onRequestStart(started) {
        if (isOver) return started.abort(new Error("given up"));
        if (mayLeave?.() === false) {
          // An error thrown here drops the request and leaves its connection open for the next one; an abort would close it.
          const problem = heldBack();
          fail(problem);
          throw problem;
        }
        lastLook.expect(mayLeave);
        controller = started;
      },
      onResponseStart(_, status, found) {
        const headers = answerHeaders(found);
        head = { status, headers };
        body = collectedBody(headers);
      },
      onResponseData: (_, chunk) => body.take(chunk),
      onResponseEnd() {
        if (end()) resolve({ ...head, body: body.whole() });
      },
      onResponseError: (_, error) => fail(problemOf(error, { isSent: controller !== undefined, way })),
    });
  });
}

function problemOf(
  error: Error,
  { isSent, way }: { readonly isSent: boolean; readonly way: Pick<Patience, "origin" | "proxy"> },
): TransportError {
  if (error instanceof TransportError) return error;
  const words = error.message || String(Reflect.get(error, "code"));
  if (isSent) return new TransportError(words, "maybe-done", { cause: error });
  const connection = connectionProblem(error, way);
  return new TransportError(connection.message, "not-sent", { cause: error, connection });
}

/** A body as it arrives in pieces, each of which is overwritten after the call. */
interface ArrivingBody {
  readonly take: (piece: Uint8Array) => void;
  readonly whole: () => Uint8Array;
}

/** Bytes for which a buffer is allocated because a service declares them. */
const mostDeclared = 256_000_000;

/** Bytes from which on a buffer can be emptied: its memory is given back then, not when it is collected one day. */
const large = 1_000_000;

function allocated(length: number): Buffer {
  if (length < large) return Buffer.allocUnsafeSlow(length);
  const memory = new ArrayBuffer(0, { maxByteLength: length });
  memory.resize(length);
  return Buffer.from(memory);
}

/** The body in one buffer of the length that the service declares, or in copies of its pieces where it declares none or another. */
function collectedBody({ "content-length": length }: RawAnswer["headers"]): ArrivingBody {
  const first = allocated(Math.min(Number(length) || 0, mostDeclared));
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
