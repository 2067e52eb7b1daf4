import type { IncomingMessage } from "node:http";
import * as net from "node:net";
import type { Duplex } from "node:stream";
import * as tls from "node:tls";
import WebSocketClient from "ws";
import { exchanges } from "./measured-http.ts";
import type { Network } from "./network.ts";

/** `WebSocket` (the API of browsers and of `ws`) over the network of the run. */
export function measuredWebSocket(network: Network): typeof WebSocketClient {
  return class WebSocket extends WebSocketClient {
    constructor(address: string | URL, protocols?: string | string[], given: WebSocketClient.ClientOptions = {}) {
      const { protocol, hostname, port, pathname, search } = new URL(address);
      const encrypted = protocol === "wss:" || protocol === "https:";
      const exchange = network.begin({
        method: "GET",
        protocol: encrypted ? "wss:" : "ws:",
        host: hostname.replace(/^\[|\]$/g, ""),
        port: Number(port || (encrypted ? 443 : 80)),
        path: pathname + search,
      });
      const options = { ...(given as Readonly<Record<string, unknown>>) };
      const createConnection = () => network.connect(exchange, { peer: "websocket", encrypted, options });
      const { agent: _agent, ...rest } = given;
      super(address, protocols, { ...rest, createConnection } as unknown as WebSocketClient.ClientOptions);
      const note = (answer: IncomingMessage) => exchange.responded(answer.statusCode, answer.headers["content-type"]);
      this.once("upgrade", note);
      this.once("error", (error) => exchange.failed(error.message));
      exchanges.set(this, exchange);
    }
  } as typeof WebSocketClient;
}

/** `net` or `tls` as far as it makes connections. */
export function measuredSockets(network: Network, encrypted: boolean): Readonly<Record<string, unknown>> {
  const connect = (...args: readonly unknown[]) => openSocket(network, encrypted, args);
  const { isIP, isIPv4, isIPv6 } = net;
  const shared = { connect, createConnection: connect, createServer: noServer, Server: noServer, Socket: noSocket };
  return encrypted
    ? { ...shared, TLSSocket: noSocket, rootCertificates: tls.rootCertificates }
    : { ...shared, isIP, isIPv4, isIPv6 };
}

function noServer(): never {
  throw new Error("a script makes requests; servers are not available in it");
}

function noSocket(): never {
  throw new Error(
    "found new Socket(); expected connect(port, host): connections of a script are measured from their start",
  );
}

/** `(options, callback)`, `(port, host, callback)`, `(port, host, options, callback)`. */
function openSocket(network: Network, encrypted: boolean, args: readonly unknown[]): Duplex {
  const [first, second] = args;
  const object = args.find((arg): arg is Record<string, unknown> => typeof arg === "object" && arg !== null) ?? {};
  const isNumbered = typeof first === "number" || (typeof first === "string" && /^\d+$/.test(first));
  const host = (isNumbered && typeof second === "string" ? second : object["host"]) ?? "localhost";
  const port = Number(isNumbered ? first : object["port"]);
  if (!Number.isInteger(port) || port <= 0 || port > 65_535 || object["path"])
    throw new Error(`found port ${String(object["port"] ?? first)}; expected a port from 1 to 65535 and a host`);
  const protocol = encrypted ? "tls:" : "tcp:";
  const exchange = network.begin({ method: "CONNECT", protocol, host: String(host), port, path: "" });
  const socket = network.connect(exchange, { peer: "echo", encrypted, options: object });
  const callback = args.find((arg): arg is () => void => typeof arg === "function");
  if (callback) socket.once(encrypted ? "secureConnect" : "connect", callback);
  exchanges.set(socket, exchange);
  return socket;
}
