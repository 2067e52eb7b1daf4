import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { ConnectionCut, type ServiceAnswer } from "../core/answer.ts";
import { refuseLarge } from "../core/body-bytes.ts";
import type { HandleRequest, ServiceRequest } from "../core/request.ts";
import type { RecordingProxy } from "../proxy/serve-proxy.ts";

/** A server that accepts connections. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Where to listen, and who takes what the core does not. */
export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** Takes the requests that are meant for a gateway. */
  readonly proxy?: RecordingProxy;
}

/** Serves the pure core over HTTP. */
export async function listenHttp(handle: HandleRequest, options: ListenOptions): Promise<Listening> {
  const { port, host, proxy } = options;
  const server = createServer((request, response) => {
    if (!proxy?.takes(request, response)) void serve(handle, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${bound}`, port: bound, close: () => closeServer(server, proxy) };
}

async function serve(handle: HandleRequest, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    sendAnswer(request, response, await handle(messageOf(request)));
  } catch (thrown) {
    if (thrown instanceof ConnectionCut && thrown.partial) sendPart(response, thrown.partial);
    else request.socket.destroy();
  }
}

function messageOf(request: IncomingMessage): ServiceRequest {
  const [path = "/", query = ""] = splitOnce(request.url ?? "/");
  const body = hasBody(request) ? (limit: number) => readBytes(request, limit) : undefined;
  return { method: request.method ?? "GET", path, query, headers: headersOfMessage(request), body };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** Reads a body to its end. Of one that is too large only the length is kept, as it may be told where the client waits for its end. */
async function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else chunks = [];
    }
  } catch {
    // The client has gone: nobody waits for an answer.
    throw new ConnectionCut();
  }
  refuseLarge(length, limit);
  return length === 0 ? undefined : Buffer.concat(chunks);
}

function splitOnce(url: string): readonly string[] {
  const at = url.indexOf("?");
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)];
}

/** Of a second Host nothing is dropped: which of the two counts is not ours to guess. */
function headersOfMessage({ headers, headersDistinct }: IncomingMessage): Readonly<Record<string, string>> {
  const all = headers.host === undefined ? headers : { ...headers, host: headersDistinct["host"] };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: ServiceAnswer): void {
  const body = answer.body();
  // Encoded once: a text would be for its length, and again to be sent.
  const content = typeof body === "string" ? Buffer.from(body) : body;
  const tag =
    request.method === "GET" && answer.status === 200 && answer.json !== undefined ? tagOf(content) : undefined;
  const headers = tag === undefined ? answer.headers : { ...answer.headers, etag: tag };
  if (tag !== undefined && isNamed(tag, request.headers["if-none-match"]))
    return void response.writeHead(304, headers).end();
  response.writeHead(answer.status, { ...headers, "content-length": content.length });
  response.end(request.method === "HEAD" ? undefined : content);
}

/** The ETag of an answer: equal ones have the same bytes. */
function tagOf(content: Uint8Array): string {
  return `"${hash("sha1", content, "base64url")}"`;
}

/** True where the client has the answer already (If-None-Match, RFC 9110, 13.1.2). */
function isNamed(tag: string, condition: string | undefined): boolean {
  const named = condition?.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return named?.some((each) => each === tag || each === "*") ?? false;
}

/** Announces the whole answer and breaks off after some bytes (fault `truncate`). */
function sendPart(response: ServerResponse, { answer, bytes }: NonNullable<ConnectionCut["partial"]>): void {
  const content = Buffer.from(answer.body());
  response.writeHead(answer.status, { ...answer.headers, "content-length": content.length });
  response.write(content.subarray(0, bytes), () => response.socket?.destroy());
  if (bytes === 0) response.flushHeaders();
}

async function closeServer(server: Server, proxy: RecordingProxy | undefined): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
  await proxy?.settled();
}
