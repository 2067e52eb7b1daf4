import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { closeServer } from "./asked.ts";

/** What the server does with one request. */
export interface Behaviour {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON unless it is text or bytes. */
  readonly body?: unknown;
  /** The connection is cut instead of an answer. */
  readonly reset?: true;
  /** The answer is announced whole and cut after so many bytes. */
  readonly truncate?: number;
  readonly delayMs?: number;
  readonly gzip?: true;
}

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A server that follows a plan, one behaviour per request; the last one stays. */
export interface MisbehavingServer {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** How many requests the other side gave up before they were answered. */
  givenUp(): number;
  /** The most requests that were under way at the same time. */
  mostAtOnce(): number;
  close(): Promise<void>;
}

/** Starts a server with a plan on a free port of loopback. */
export async function misbehavingServer(
  plan: readonly (Behaviour | ((request: Arrived) => Behaviour))[],
): Promise<MisbehavingServer> {
  const arrived: Arrived[] = [];
  const counts = { givenUp: 0, underWay: 0, mostAtOnce: 0 };
  const server = createServer(async (request, response) => {
    counts.mostAtOnce = Math.max(counts.mostAtOnce, ++counts.underWay);
    response.on("close", () => {
      counts.underWay--;
      if (!response.writableFinished) counts.givenUp++;
    });
    const entry = plan[Math.min(arrived.length, plan.length - 1)] ?? {};
    const received = await receive(request);
    arrived.push(received);
    await behave(typeof entry === "function" ? entry(received) : entry, request, response);
  });
  const url = await listening(server);
  const { givenUp, mostAtOnce } = { givenUp: () => counts.givenUp, mostAtOnce: () => counts.mostAtOnce };
  return { url, arrived, givenUp, mostAtOnce, close: () => closeServer(server) };
}

/** The address of a port of loopback at which nobody listens. */
export async function closedPort(): Promise<string> {
  const server = createServer();
  const url = await listening(server);
  await closeServer(server);
  return url;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function receive(request: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "", headers } = request;
  return { method, url, headers, body: Buffer.concat(chunks) };
}

async function behave(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (behaviour.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
  if (behaviour.reset) return void request.socket.destroy();
  const plain = bytesOf(behaviour.body);
  const bytes = behaviour.gzip ? gzipSync(plain) : plain;
  const type = Buffer.isBuffer(behaviour.body) ? "application/octet-stream" : "application/json";
  response.writeHead(behaviour.status ?? 200, {
    "content-type": type,
    "content-length": String(bytes.length),
    ...(behaviour.gzip && { "content-encoding": "gzip" }),
    ...behaviour.headers,
  });
  if (behaviour.truncate === undefined) return void response.end(bytes);
  response.write(bytes.subarray(0, behaviour.truncate), () => request.socket.destroy());
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === "string") return Buffer.from(body);
  return Buffer.from(body === undefined ? "" : JSON.stringify(body));
}
