import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import { urlToHttpOptions } from "node:url";
import type { Network } from "./network.ts";
import { SimulatedSocket } from "./simulated-socket.ts";

type Options = Record<string, unknown>;
type Callback = (response: http.IncomingMessage) => void;

/** Node's `http` or `https` over the network of the run: every request has a connection of its own and is measured. */
export function measuredHttp(network: Network, encrypted: boolean): Readonly<Record<string, unknown>> {
  const real = encrypted ? https : http;
  const request = (...args: readonly unknown[]) => measuredRequest(network, encrypted, readArguments(args));
  // As an import it has the whole module beside its parts.
  const { default: _whole, ...parts } = http as typeof http & { readonly default?: unknown };
  return {
    ...parts,
    ...(encrypted ? { Agent: https.Agent } : {}),
    globalAgent: real.globalAgent,
    request,
    get: (...args: readonly unknown[]) => {
      const made = request(...args);
      made.end();
      return made;
    },
    createServer: noServer,
    Server: noServer,
  };
}

function noServer(): never {
  throw new Error("a script makes requests; servers are not available in it");
}

interface RequestArguments {
  readonly options: Options;
  readonly callback: Callback | undefined;
}

/** `(url, options, callback)`, each of the first two or both. */
function readArguments(args: readonly unknown[]): RequestArguments {
  const [first, second] = args;
  const callback = args.find((arg): arg is Callback => typeof arg === "function");
  if (typeof first === "string" || first instanceof URL) {
    const own = typeof second === "object" && second !== null ? second : {};
    return { options: { ...urlToHttpOptions(new URL(first)), ...own }, callback };
  }
  return { options: { ...(typeof first === "object" ? first : {}) }, callback };
}

function measuredRequest(network: Network, encrypted: boolean, { options, callback }: RequestArguments) {
  if (options["socketPath"]) throw new Error("found socketPath; expected a host: a script reaches no local sockets");
  const exchange = network.begin({
    method: String(options["method"] ?? "GET").toUpperCase(),
    protocol: encrypted ? "https:" : "http:",
    host: String(options["hostname"] ?? options["host"] ?? "localhost").replace(/^\[|\]$/g, ""),
    port: Number(options["port"] || options["defaultPort"] || (encrypted ? 443 : 80)),
    path: String(options["path"] ?? "/"),
  });
  const socket = () => network.connect(exchange, { peer: "http", encrypted, options });
  let opened: ReturnType<typeof socket> | undefined;
  const createConnection = () => {
    opened = socket();
    // As net.connect does with its own option.
    if (typeof options["timeout"] === "number") (opened as Socket).setTimeout(options["timeout"]);
    return opened;
  };
  const { agent: _agent, lookup: _lookup, ...rest } = options;
  const make = encrypted ? https.request : http.request;
  const request = make({ ...rest, createConnection } as unknown as http.RequestOptions, callback);
  request.once("finish", () => {
    if (opened instanceof SimulatedSocket) opened.respond(exchange.destination.method);
  });
  // No listener: an answer that nobody listens to is thrown away by Node.
  const emit = request.emit.bind(request);
  request.emit = (name: string, ...args: readonly unknown[]) => {
    if (name === "response") noteResponse(exchange, args[0] as http.IncomingMessage);
    if (name === "error") exchange.failed((args[0] as Error).message);
    return emit(name, ...args);
  };
  exchanges.set(request, exchange);
  return request;
}

function noteResponse(exchange: ReturnType<Network["begin"]>, response: http.IncomingMessage): void {
  exchange.responded(response.statusCode, response.headers["content-type"]);
  exchanges.set(response, exchange);
}

/** The exchange that a request or a response belongs to. */
export const exchanges = new WeakMap<object, ReturnType<Network["begin"]>>();
