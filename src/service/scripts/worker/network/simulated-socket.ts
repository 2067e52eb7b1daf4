import { createHash } from "node:crypto";
import { Duplex } from "node:stream";
import type { Timer, TimerQueue } from "../timer-queue.ts";
import type { SimulatedAnswer } from "./draw-answer.ts";
import { type Exchange, urlOf } from "./exchange.ts";
import { answerFrame, takeFrame } from "./websocket-frames.ts";

/** The other end of a connection. */
export type Peer = "http" | "websocket" | "echo";

interface SimulatedParts {
  readonly exchange: Exchange;
  readonly timers: TimerQueue;
  readonly answer: SimulatedAnswer;
  readonly peer: Peer;
  readonly encrypted: boolean;
}

type Done = (error?: Error | null) => void;

/** A connection to nowhere that answers after the time that was drawn for it. */
export class SimulatedSocket extends Duplex {
  connecting = true;
  readonly encrypted: boolean;
  readonly authorized = true;
  readonly remoteAddress = "192.0.2.1";
  readonly remoteFamily = "IPv4";
  readonly remotePort: number;
  readonly #parts: SimulatedParts;
  #idle: Timer | undefined;
  #idleMs = 0;
  #answered = false;
  #input = Buffer.alloc(0);

  constructor(parts: SimulatedParts) {
    super();
    this.#parts = parts;
    this.encrypted = parts.encrypted;
    this.remotePort = parts.exchange.destination.port;
    parts.timers.add(() => this.#open(), parts.answer.openMs);
  }

  #open(): void {
    if (this.destroyed) return;
    this.connecting = false;
    this.#parts.exchange.opened();
    this.emit("connect");
    if (this.encrypted) this.emit("secureConnect");
    this.emit("ready");
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    if (this.connecting) {
      this.once("connect", () => this._write(chunk, _encoding, done));
      return;
    }
    this.#parts.exchange.sent(chunk.length);
    this.#touch();
    this.#take(chunk);
    done();
  }

  override _final(done: Done): void {
    if (this.#parts.peer === "echo") this.#after(() => this.push(null));
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#idle?.close();
    if (error) this.#parts.exchange.failed(error.message);
    this.#parts.exchange.closed();
    done(error);
  }

  /** The request is whole: the target answers it. */
  respond(method: string): void {
    const { answer, exchange } = this.#parts;
    const body = JSON.stringify({ simulated: true, url: urlOf(exchange.destination), status: answer.status });
    const line = `HTTP/1.1 ${answer.status} ${answer.status === 200 ? "OK" : "Internal Server Error"}`;
    const head = `${line}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
    this.#after(() => {
      this.#give(method === "HEAD" ? head : head + body);
      this.push(null);
    });
  }

  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once("finish", () => this.destroy());
  }

  setTimeout(ms: number, callback?: () => void): this {
    this.#idleMs = ms;
    if (callback) this.once("timeout", callback);
    this.#touch();
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  address(): object {
    return {};
  }

  #touch(): void {
    this.#idle?.close();
    if (this.#idleMs > 0) this.#idle = this.#parts.timers.add(() => this.emit("timeout"), this.#idleMs);
    this.#idle?.unref();
  }

  /** Once the latency of the first answer has passed; later ones take as long. */
  #after(work: () => void): void {
    const { latencyMs, openMs } = this.#parts.answer;
    this.#parts.timers.add(() => {
      if (!this.destroyed) work();
    }, latencyMs - openMs);
  }

  #give(data: string | Buffer): void {
    const bytes = Buffer.from(data as string);
    this.#parts.exchange.received(bytes.length);
    this.#touch();
    this.push(bytes);
  }

  /** DECISION (API 1, Scenarios: POST /scripts/:id/run): a simulated WebSocket, TCP or TLS target sends back what it is sent. */
  #take(chunk: Buffer): void {
    if (this.#parts.peer === "echo") this.#after(() => this.#give(chunk));
    if (this.#parts.peer !== "websocket") return;
    this.#input = Buffer.concat([this.#input, chunk]);
    if (!this.#answered) this.#upgrade();
    else this.#echoFrames();
  }

  #upgrade(): void {
    const end = this.#input.indexOf("\r\n\r\n");
    if (end < 0) return;
    const key = /^sec-websocket-key: *(\S+)/im.exec(this.#input.toString("latin1"))?.[1] ?? "";
    const protocol = /^sec-websocket-protocol: *([^,\r]+)/im.exec(this.#input.toString("latin1"))?.[1];
    this.#input = this.#input.subarray(end + 4);
    this.#answered = true;
    const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    const chosen = protocol === undefined ? "" : `Sec-WebSocket-Protocol: ${protocol.trim()}\r\n`;
    const head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
    this.#after(() => this.#give(`${head}${chosen}Sec-WebSocket-Accept: ${accept}\r\n\r\n`));
  }

  #echoFrames(): void {
    for (let taken = takeFrame(this.#input); taken; taken = takeFrame(this.#input)) {
      const { frame } = taken;
      this.#input = this.#input.subarray(taken.length);
      this.#after(() => {
        this.#give(answerFrame(frame));
        if (frame.opcode === 8) this.push(null);
      });
    }
  }
}
