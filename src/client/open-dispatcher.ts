import type { Socket } from "node:net";
import type { buildConnector, Dispatcher } from "undici";
import type { ProxyChoice } from "./choose-proxy.ts";
import { heldBack } from "./transport.ts";

/** Below the idle time after which servers hang up, so that a POST rarely meets a dead connection (docs/engine.md, Retries). */
const keepAliveMs = 4_000;

/** Loads undici and opens connections to one origin, through a proxy when there is one. */
export async function openDispatcher(settings: {
  readonly origin: string;
  readonly connections: number;
  readonly proxy: ProxyChoice | undefined;
  /** Watches the bytes written to the connections. */
  readonly lastLook: LastLook;
}): Promise<Dispatcher> {
  const { origin, connections, proxy, lastLook } = settings;
  const options = {
    connections,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (proxy === undefined) {
    const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
    return new Pool(origin, { ...options, connect: await watchedConnector(lastLook) });
  }
  // Tunnels need methods that undici adds to its dispatchers only as a whole; a bundle has them under `default`.
  const { EnvHttpProxyAgent, Pool } = (await import("undici")).default;
  const clientFactory = (address: URL, settings: object) => {
    const pool = new Pool(address, settings);
    const connect = pool.connect.bind(pool) as (to: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;
    // Where the proxy hangs up, undici would connect again and again: it fails a request for another reason only.
    const failed = (cause: Error) => {
      throw Reflect.get(cause, "code") === "UND_ERR_SOCKET" ? new Error("the proxy hung up", { cause }) : cause;
    };
    return Object.assign(pool, { connect: (to: Dispatcher.ConnectOptions) => connect(to).catch(failed) });
  };
  return new EnvHttpProxyAgent({ ...options, clientFactory, httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: "" });
}

/** Opens connections as undici does, and watches the bytes written to them. */
async function watchedConnector(lastLook: LastLook): Promise<buildConnector.connector> {
  const { default: build } = await import("undici/lib/core/connect.js");
  const connect = build({ onread: { buffer: received, callback: handOver } } as buildConnector.BuildOptions);
  return (options, callback) =>
    connect(options, (...[problem, socket]) =>
      socket
        ? callback(null, lastLook.watch(readingInPlace(socket)))
        : callback(problem ?? new Error("no connection"), null),
    );
}

/**
 * The bytes that just came, on any connection: undici reads them before the next ones can come. A buffer of its own for every
 * piece of a long list, as Node allocates them, costs more CPU time than all else that is done with the list.
 */
const received = Buffer.allocUnsafeSlow(65_536);

/** Bytes that came and were not read yet. */
const unread = new WeakMap<Socket, Buffer>();

/** Answers whether more may come: not while undici does not read. */
function handOver(this: Socket, length: number): boolean {
  const before = unread.get(this);
  const piece = received.subarray(0, length);
  unread.set(this, before ? Buffer.concat([before, piece]) : piece);
  this.emit("readable");
  const rest = unread.get(this);
  if (rest) unread.set(this, Buffer.from(rest));
  return rest === undefined;
}

/** Has the socket's `read` answer what was handed over; what undici gives back is read again. */
function readingInPlace(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  return Object.assign(socket, {
    read(size?: number): unknown {
      const piece = unread.get(socket);
      if (size === 0 || piece === undefined) return read(size);
      unread.delete(socket);
      return piece;
    },
    unshift(piece: Buffer): void {
      if (piece.length > 0) unread.set(socket, piece);
    },
  });
}

/**
 * The last check before undici writes a client's request. It starts a request and writes it without a pause, so the
 * next bytes on any connection of the client are that request's.
 */
export class LastLook {
  private mayNextLeave: (() => boolean) | undefined;

  /** Has the next bytes asked for; without a question they are not. */
  expect(mayLeave: (() => boolean) | undefined): void {
    this.mayNextLeave = mayLeave;
  }

  /**
   * Asks when bytes are handed to the system. Between the start of a request and that moment its head is put together, which
   * takes milliseconds the first time: a process that is stopped there would send it when it continues.
   */
  watch(socket: Socket): Socket {
    const write = socket.write.bind(socket) as (...args: readonly unknown[]) => boolean;
    const uncork = socket.uncork.bind(socket);
    const look = () => this.look();
    return Object.assign(socket, {
      write(...args: readonly unknown[]): boolean {
        if (socket.writableCorked === 0) look();
        return write(...args);
      },
      uncork(): void {
        look();
        uncork();
      },
    });
  }

  private look(): void {
    const mayLeave = this.mayNextLeave;
    this.mayNextLeave = undefined;
    if (mayLeave?.() === false) throw heldBack();
  }
}
