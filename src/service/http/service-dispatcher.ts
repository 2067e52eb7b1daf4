import type { Dispatcher } from "undici";
import { ConnectionCut, type ServiceAnswer } from "../core/answer.ts";
import type { HandleRequest, ServiceRequest } from "../core/request.ts";

type Options = Dispatcher.DispatchOptions;
type Handler = Dispatcher.DispatchHandler;

/**
 * An undici Dispatcher over the pure core, for users' own clients: `fetch(url, { dispatcher })`, undici's `request`. Its parts
 * are loaded when this is first asked for, with require() since that is a property, which has no time to wait.
 */
export function serviceDispatcher(handle: HandleRequest): Dispatcher {
  const Base = require("undici/lib/dispatcher/dispatcher.js") as new () => Dispatcher;
  Object.assign(Base.prototype, require("undici/lib/api/index.js"));
  class ServiceDispatcher extends Base {
    override dispatch(options: Options, handler: Handler): boolean {
      void answerDispatch(handle, options, handler);
      return true;
    }

    override async close(): Promise<void> {
      await Promise.resolve();
    }

    override async destroy(): Promise<void> {
      await Promise.resolve();
    }
  }
  return new ServiceDispatcher();
}

async function answerDispatch(handle: HandleRequest, options: Options, handler: Handler): Promise<void> {
  const aborted: { reason?: Error } = {};
  const abort = (reason?: Error) => {
    aborted.reason = reason ?? new Error("aborted");
  };
  const controller = {
    paused: false,
    aborted: false,
    reason: null,
    abort,
    pause: () => undefined,
    resume: () => undefined,
  };
  try {
    if (handler.onRequestStart) handler.onRequestStart(controller as never, {});
    else handler.onConnect?.(abort);
    if (aborted.reason) throw aborted.reason;
    const given = await handle(await requestOf(options));
    if (aborted.reason) throw aborted.reason;
    deliver(given, handler, controller as never);
  } catch (thrown) {
    fail(handler, controller as never, thrown instanceof Error ? thrown : new Error(String(thrown)));
  }
}

type Controller = Parameters<NonNullable<Handler["onResponseStart"]>>[0];

function deliver({ status, headers, body }: ServiceAnswer, handler: Handler, controller: Controller): void {
  const bytes = Buffer.from(body());
  const all = { ...headers, "content-length": String(bytes.length) };
  if (handler.onResponseStart) {
    handler.onResponseStart(controller, status, all, "");
    if (bytes.length > 0) handler.onResponseData?.(controller, bytes);
    handler.onResponseEnd?.(controller, {});
    return;
  }
  const raw = Object.entries(all).flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
  handler.onHeaders?.(status, raw, () => undefined, "");
  if (bytes.length > 0) handler.onData?.(bytes);
  handler.onComplete?.([]);
}

function fail(handler: Handler, controller: Controller, error: Error): void {
  const known =
    error instanceof ConnectionCut
      ? Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET", cause: error })
      : error;
  if (handler.onResponseError) handler.onResponseError(controller, known);
  else handler.onError?.(known);
}

async function requestOf({ path, method, query, headers, body }: Options): Promise<ServiceRequest> {
  const params = query
    ? new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))
    : undefined;
  return { method, path, query: params, headers: headersOfDispatch(headers), body: await bodyOfDispatch(body) };
}

/** Headers come as an object, as name and value in turn, or as pairs. */
function headersOfDispatch(headers: Options["headers"]): Readonly<Record<string, string>> {
  if (!headers) return {};
  if (Array.isArray(headers) && headers.every((each) => typeof each === "string"))
    return Object.fromEntries(
      headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? ""]] : [])),
    );
  const pairs = Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value ?? "")]),
  );
}

async function bodyOfDispatch(body: Options["body"]): Promise<Uint8Array | FormData | string | undefined> {
  if (body === null || body === undefined) return undefined;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array | string>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
