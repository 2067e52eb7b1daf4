import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Dispatcher } from "undici";
import type { RawAnswer } from "./dispatch-request.ts";
import { dispatchRequest } from "./dispatch-request.ts";
import type { DispatcherSettings } from "./open-dispatcher.ts";
import { openDispatcher } from "./open-dispatcher.ts";
import type { Transport, TransportAnswer, TransportRequest } from "./transport.ts";
import { TransportError } from "./transport.ts";

/** HTTP to a base address. undici is loaded and a connection opened at the first request. */
export function httpTransport(url: string, settings: Omit<DispatcherSettings, "origin">): Transport {
  const base = baseOf(url);
  let opening: Promise<Dispatcher> | undefined;
  return {
    async send(request) {
      opening ??= openDispatcher({ ...settings, origin: base.origin });
      const raw = await dispatchRequest(await opening, dispatchOptions(base, request), request);
      return answerOf(raw, await decoded(raw));
    },
    async close() {
      await (await opening)?.destroy();
    },
  };
}

function baseOf(url: string): { readonly origin: string; readonly prefix: string } {
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isWeb)
    throw new TypeError(`found the service address ${url}; expected one that begins with http:// or https://`);
  const { origin, pathname } = new URL(url);
  return { origin, prefix: pathname.replace(/\/+$/, "") };
}

function dispatchOptions(base: ReturnType<typeof baseOf>, request: TransportRequest): Dispatcher.DispatchOptions {
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

async function decoded({ headers, bytes }: RawAnswer): Promise<Uint8Array> {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || bytes.length === 0) return bytes;
  const decode = decoders[encoding];
  if (decode === undefined) throw new TransportError(`found an answer encoded as ${encoding}`, "maybe-done");
  try {
    return await decode(bytes);
  } catch (cause) {
    throw new TransportError(`found an answer that cannot be unpacked (${encoding})`, "maybe-done", cause);
  }
}

function answerOf({ status, headers }: RawAnswer, bytes: Uint8Array): TransportAnswer {
  return {
    status,
    headers,
    body: () => bytes,
    json: () => JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8")),
  };
}
