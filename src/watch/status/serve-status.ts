import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Problem } from "../../model/diagnostic.ts";
import type { WatcherView } from "../watcher-view.ts";
import { answerStatus } from "./answer-status.ts";
import { type ListenAddress, listenProblem, parseListenAddress, refusedToListen } from "./listen-address.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { bodyReader, type ReadBody } from "./read-body.ts";
import { statusPage } from "./status-page.ts";
import { jsonAnswer, type StatusAnswer, type StatusRequest, type StatusSources } from "./status-request.ts";

/** Where the status is served, and who may read and write. */
export interface ServeStatusOptions {
  readonly view: WatcherView;
  /** HOST:PORT. */
  readonly address: string;
  readonly token?: string | undefined;
  readonly hookSecret?: string | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A server that accepts connections. */
export interface StatusServer {
  readonly url: string;
  /** Ends it, and answers under way with it. */
  readonly close: () => Promise<void>;
}

/** Serves the page, the API, the metrics and the hooks; throws a Problem when it may not listen there, or cannot. */
export async function serveStatus(options: ServeStatusOptions): Promise<StatusServer> {
  const { address: text, now, token } = options;
  const address = parseListenAddress(text);
  const refused = listenProblem(text, { hasToken: token !== undefined && token !== "" });
  if (refused !== undefined || address === undefined) throw new Problem(refused === undefined ? [] : [refused]);
  const began = now();
  let metrics: Promise<Metrics> | undefined;
  const sources: StatusSources = {
    view: options.view,
    token: token === "" ? undefined : token,
    hookSecret: options.hookSecret,
    now,
    metrics: () => {
      metrics ??= createMetrics(began);
      return metrics;
    },
    page: statusPage,
  };
  const readBody = bodyReader(32_000_000);
  const server = createServer(limits, async (message, response) => {
    sendStatus(message, response, await answerOf(sources, statusRequest(message, readBody)));
  });
  server.maxConnections = 500;
  await listen(server, address);
  return { url: urlOf(server, address), close: () => closeAll(server) };
}

/** Whoever sends slowly is not waited for. */
const limits = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 10_000, maxHeaderSize: 16_384 };

const everyAnswer = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

async function listen(server: Server, address: ListenAddress): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(address.port, address.host, resolve);
    });
  } catch (thrown) {
    const refused = refusedToListen(address, thrown);
    throw refused === undefined ? thrown : new Problem([refused]);
  }
}

async function answerOf(sources: StatusSources, request: StatusRequest): Promise<StatusAnswer> {
  try {
    return await answerStatus(request, sources);
  } catch {
    return jsonAnswer(500, {
      error: "This is a defect in loadform. The watcher continues; the request was not answered",
    });
  }
}

function sendStatus(message: IncomingMessage, response: ServerResponse, { status, headers, body }: StatusAnswer): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...everyAnswer, ...headers, "content-length": bytes.length });
  response.end(message.method === "HEAD" ? undefined : bytes);
}

/** Of a second Host or Authorization nothing is dropped: which of the two counts is not ours to guess. */
function statusRequest(message: IncomingMessage, readBody: ReadBody): StatusRequest {
  const { headers, headersDistinct } = message;
  const alone = ["host", "authorization"].map((name) => {
    const values = headersDistinct[name];
    return [name, values?.length === 1 ? values[0] : values] as const;
  });
  const [path = "/"] = (message.url ?? "/").split("?", 1);
  return {
    method: message.method ?? "GET",
    path,
    headers: { ...headers, ...Object.fromEntries(alone) },
    readBody: (limit) => readBody(message, limit),
  };
}

function urlOf(server: Server, { host, port }: ListenAddress): string {
  const bound = server.address();
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${typeof bound === "object" && bound !== null ? bound.port : port}`;
}

async function closeAll(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
