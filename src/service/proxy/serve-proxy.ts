import type { IncomingMessage, ServerResponse } from "node:http";
import { refusalAnswer } from "../core/answer.ts";
import type { Instance } from "../instance.ts";
import { type TargetExchange, unreachable } from "../recordings/send-to-target.ts";
import { targetAddress } from "../recordings/target-address.ts";
import { Refusal, reasonOf } from "../refusal.ts";
import { maskedQuery } from "../request-log.ts";
import { forwardRequest, refuseUpgrade } from "./forward-request.ts";
import { GatewayKeys, isProxyPath, type Located } from "./locate-gateway.ts";

/** The recording proxy of a service that listens. */
export interface RecordingProxy {
  /** Takes a request that is meant for a gateway; false for all others. */
  readonly takes: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Resolves when what was taken has ended. */
  readonly settled: () => Promise<void>;
}

/** The proxy of one service (API 1, Gateway key). The gateway's key is the credential: the service's own is not asked for. */
export function serveProxy(instance: Instance): RecordingProxy {
  const keys = new GatewayKeys(instance.store);
  const running = new Set<Promise<void>>();
  const ownPorts = new Set<number>();
  return {
    takes: (request, response) => {
      const url = request.url ?? "/";
      const isByPath = isProxyPath(url);
      const located = isByPath ? keys.byPath(url) : keys.byHost(request.headers.host, url);
      if (located === undefined && !isByPath) return false;
      const work = answer({ instance, keys, located, request, response, ownPorts }).finally(() => running.delete(work));
      running.add(work);
      return true;
    },
    settled: async () => void (await Promise.all(running)),
  };
}

interface Taken {
  readonly instance: Instance;
  readonly keys: GatewayKeys;
  readonly located: Located | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Local ports of the connections that the proxy itself has opened. */
  readonly ownPorts: Set<number>;
}

async function answer(taken: Taken): Promise<void> {
  const { request, response } = taken;
  const started = performance.now();
  try {
    await forward(taken);
  } catch (thrown) {
    sendRefusal(taken, thrown instanceof Refusal ? thrown : new Refusal(502, reasonOf(thrown)));
  }
  // The rest of a body that nobody read must not hold the connection.
  request.resume();
  if (!response.writableEnded) response.destroy();
  log(taken, performance.now() - started);
}

async function forward(taken: Taken): Promise<void> {
  const { instance, keys, request, response, ownPorts } = taken;
  const located = taken.located ?? refuseUnknownGateway(request);
  refuseUpgrade(request);
  refuseLoop(request, ownPorts);
  if (redirectToRoot(located, response)) return;
  const address = targetAddress(located.key.url, located.path, instance.settings);
  const track = ({ stream }: TargetExchange) =>
    stream.on("socket", (socket) => {
      socket.once("connect", () => {
        const port = socket.localPort ?? 0;
        ownPorts.add(port);
        socket.once("close", () => ownPorts.delete(port));
      });
    });
  try {
    await forwardRequest({ instance, keys, located, address, request, response }, track);
  } catch (thrown) {
    throw thrown instanceof Refusal ? thrown : new Refusal(502, unreachable(thrown, address));
  }
}

function refuseUnknownGateway({ url = "" }: IncomingMessage): never {
  const path = url.split("?", 1)[0];
  throw new Refusal(
    404,
    `found ${path}; expected /_gw/<key>/… with the key of a gateway: GET /gateways/:id lists them`,
  );
}

/** A gateway that leads to its own proxy would never end. */
function refuseLoop({ socket }: IncomingMessage, ownPorts: ReadonlySet<number>): void {
  if (ownPorts.has(socket.remotePort ?? -1))
    throw new Refusal(
      400,
      "this request comes from the proxy itself; expected a gateway whose url is no gateway's address",
    );
}

/** Relative links of a page are right only below a path that ends in a slash. */
function redirectToRoot({ path, addressOf, key, isByHost }: Located, response: ServerResponse): boolean {
  if (isByHost || path.startsWith("/")) return false;
  response.writeHead(308, { location: `${addressOf(key.key)}/${path}`, "content-length": 0 });
  response.end();
  return true;
}

function sendRefusal({ instance, response }: Taken, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, headers, body } = refusalAnswer(refusal, instance.settings.errors);
  const content = Buffer.from(body());
  response.writeHead(status, { ...headers, "content-length": content.length });
  response.end(response.req.method === "HEAD" ? undefined : content);
}

/** One entry per request, under the path of the proxy without the key; what the target's query says is the user's. */
function log({ instance, located, request, response }: Taken, durationMs: number): void {
  const [path = "", query = ""] = (located?.path ?? "").split(/\?(.*)/s);
  const masked = maskedQuery(new URLSearchParams(query), true);
  const method = request.method ?? "GET";
  instance.log.add({
    at: instance.clock.iso(),
    method,
    path: located ? `/_gw/***${path}` : ((request.url ?? "").split("?", 1)[0] ?? ""),
    ...(masked === undefined ? {} : { query: masked }),
    status: response.headersSent ? response.statusCode : 0,
    durationMs: Math.round(durationMs * 1000) / 1000,
    unknownFields: [],
    route: `${method} /_gw/:key`,
  });
}
