import * as net from "node:net";
import { Duplex } from "node:stream";
import * as tls from "node:tls";
import { isAllowedHost } from "../../../allowed-hosts.ts";
import type { ScenarioTask } from "../../worker-task.ts";
import type { Recorder } from "../recorder.ts";
import type { TimerQueue } from "../timer-queue.ts";
import { drawAnswer } from "./draw-answer.ts";
import { type Destination, Exchange, urlOf } from "./exchange.ts";
import { type Peer, SimulatedSocket } from "./simulated-socket.ts";

/** Protocol, encryption and options of a connection, wherever it leads. */
interface Way {
  readonly peer: Peer;
  readonly encrypted: boolean;
  /** Options that a script gave, of which those about certificates count. */
  readonly options: Readonly<Record<string, unknown>>;
}

const certificateOptions = ["ca", "cert", "key", "pfx", "passphrase", "rejectUnauthorized", "servername"].concat([
  "ALPNProtocols",
  "minVersion",
  "maxVersion",
  "ciphers",
  "checkServerIdentity",
]);

/** Every connection of a script, simulated or real, each measured as one exchange. */
export class Network {
  readonly exchanges: Exchange[] = [];
  readonly #sockets = new Set<Duplex>();
  readonly #task: ScenarioTask;
  readonly #recorder: Recorder;
  readonly #timers: TimerQueue;

  constructor(task: ScenarioTask, { recorder, timers }: { recorder: Recorder; timers: TimerQueue }) {
    this.#task = task;
    this.#recorder = recorder;
    this.#timers = timers;
  }

  begin(destination: Destination): Exchange {
    const { seed } = this.#task.input;
    const exchange = new Exchange(destination, { recorder: this.#recorder, seed, index: this.exchanges.length });
    this.exchanges.push(exchange);
    return exchange;
  }

  connect(exchange: Exchange, way: Way): Duplex {
    const socket = this.#open(exchange, way);
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    return socket;
  }

  /** True while a connection is open. */
  get isBusy(): boolean {
    return this.#sockets.size > 0;
  }

  /** Ends what is still open, so that nothing of an iteration reaches beyond it. */
  end(): void {
    for (const exchange of this.exchanges) exchange.finish();
    for (const socket of this.#sockets) socket.on("error", () => undefined).destroy();
  }

  #open(exchange: Exchange, way: Way): Duplex {
    const { network, targets, input } = this.#task;
    const refused = refusal(exchange.destination, this.#task);
    if (refused !== undefined) return this.#refused(exchange, refused);
    if (network === "loopback") return realSocket(exchange, way);
    const answer = drawAnswer(exchange.destination, targets, `${input.seed} request ${exchange.order}`);
    const { peer, encrypted } = way;
    return new SimulatedSocket({ exchange, timers: this.#timers, answer, peer, encrypted });
  }

  /** A connection that fails once its listeners are there. */
  #refused(exchange: Exchange, message: string): Duplex {
    const socket = new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, done) => done(),
      destroy: (error, done) => {
        exchange.failed(error?.message ?? message);
        exchange.closed();
        done(error);
      },
    });
    Object.assign(socket, Object.fromEntries(socketMethods.map((name) => [name, () => socket])));
    this.#timers.add(() => socket.destroy(Object.assign(new Error(message), { code: "EACCES" })), 0);
    return socket;
  }
}

const socketMethods = ["setTimeout", "setNoDelay", "setKeepAlive", "ref", "unref"];

/** Why a destination may not be reached. */
function refusal(destination: Destination, { network, allowedHosts }: ScenarioTask): string | undefined {
  const wanted = `${destination.method} ${urlOf(destination)}`;
  if (network === "deny") return `${wanted} was not sent: this run has no network`;
  if (network === "simulated" || isAllowedHost(destination.host, { allowedHosts })) return undefined;
  return `${wanted} was not sent: found host ${destination.host}; expected loopback or a host of the setting allowedHosts`;
}

function realSocket(exchange: Exchange, { encrypted, options }: Way): Duplex {
  const { host, port } = exchange.destination;
  const given = Object.entries(options).filter(([name]) => certificateOptions.includes(name));
  const servername = net.isIP(host) === 0 ? { servername: host } : {};
  const socket = encrypted
    ? tls.connect({ ...servername, ...Object.fromEntries(given), host, port })
    : net.connect({ host, port });
  socket.once(encrypted ? "secureConnect" : "connect", () => exchange.opened());
  // No listener of "data": the script says when its connection flows.
  const push = socket.push.bind(socket);
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk !== null) exchange.received(chunk.length);
    return push(chunk, encoding);
  };
  socket.once("error", (error) => exchange.failed(error.message));
  socket.once("close", () => exchange.closed());
  countWrites(socket, exchange);
  return socket;
}

type Written = (error?: Error | null) => void;

/** Bytes count once they are sent, which is not before the connection is open. */
function countWrites(socket: net.Socket, exchange: Exchange): void {
  const { _write: write, _writev: writev } = socket;
  const counted = (bytes: number, done: Written) => (error?: Error | null) => {
    if (!error) exchange.sent(bytes);
    done(error);
  };
  socket._write = (chunk: string | Uint8Array, encoding, done) =>
    write.call(socket, chunk, encoding, counted(Buffer.byteLength(chunk), done));
  socket._writev = (chunks: { chunk: string | Uint8Array; encoding: BufferEncoding }[], done) => {
    const bytes = chunks.reduce((sum, { chunk }) => sum + Buffer.byteLength(chunk), 0);
    writev?.call(socket, chunks, counted(bytes, done));
  };
}
