import type { ScriptRequest } from "../../script-run.ts";
import { uuidOf } from "../random.ts";
import type { Recorder } from "../recorder.ts";

/** Where a request is sent, as it is labelled and answered. */
export interface Destination {
  readonly method: string;
  /** With colon: `http:`, `wss:`, `tcp:`. */
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
  /** With query; empty for tcp and tls. */
  readonly path: string;
}

const standardPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443, "ws:": 80, "wss:": 443 };

/** The URL of a destination. */
export function urlOf({ protocol, host, port, path }: Destination): string {
  const shown = host.includes(":") ? `[${host}]` : host;
  return `${protocol}//${shown}${standardPorts[protocol] === port ? "" : `:${port}`}${path}`;
}

/** One request over one connection, as it is measured. */
export class Exchange {
  readonly destination: Destination;
  readonly resource: string;
  readonly connectionId: string;
  readonly #recorder: Recorder;
  /** Number of those that were begun before it. */
  readonly order: number;
  readonly #start: number;
  readonly #phase: ScriptRequest["phase"];
  readonly #threadId: string;
  readonly #times = { open: -1, firstSent: -1, lastSent: -1, firstReceived: -1, lastReceived: -1, close: -1 };
  readonly #sum = { sent: 0, received: 0, packetsSent: 0, packetsReceived: 0 };
  #status: number | null = null;
  #contentType: string | null = null;
  #error: string | null = null;
  #mark: boolean | undefined;
  #trace: string | null = null;
  #reported = false;

  constructor(destination: Destination, of: { recorder: Recorder; seed: string; index: number }) {
    this.destination = destination;
    this.resource = `${destination.method} ${urlOf({ ...destination, path: destination.path.split(/[?#]/)[0] ?? "" })}`;
    this.connectionId = uuidOf(`${of.seed} connection ${of.index}`);
    this.#threadId = uuidOf(`${of.seed} thread`);
    this.#recorder = of.recorder;
    this.order = of.index;
    this.#start = of.recorder.now();
    this.#phase = of.recorder.phase;
  }

  opened(): void {
    this.#times.open = this.#since();
  }

  sent(bytes: number): void {
    this.#sum.sent += bytes;
    this.#sum.packetsSent++;
    this.#times.lastSent = this.#since();
    if (this.#times.firstSent < 0) this.#times.firstSent = this.#times.lastSent;
  }

  received(bytes: number): void {
    this.#sum.received += bytes;
    this.#sum.packetsReceived++;
    this.#times.lastReceived = this.#since();
    if (this.#times.firstReceived < 0) this.#times.firstReceived = this.#times.lastReceived;
  }

  responded(status: number | undefined, contentType: string | undefined): void {
    this.#status = status ?? null;
    this.#contentType = contentType ?? null;
  }

  failed(message: string): void {
    this.#error ??= message;
  }

  /** The connection ended: from now on its record is known, and again whenever the script marks it. */
  closed(): void {
    if (this.#reported) return;
    this.#times.close = this.#since();
    this.finish();
  }

  /** Reports it as it is: what is still open when the script has ended has no close time. */
  finish(): void {
    if (this.#reported) return;
    this.#recorder.request(this.#record(), { order: this.order, isNew: true });
    this.#reported = true;
  }

  mark(success: boolean): void {
    this.#mark = success;
    this.#again();
  }

  trace(status: string): void {
    this.#trace = status;
    this.#again();
  }

  #again(): void {
    if (this.#reported) this.#recorder.request(this.#record(), { order: this.order, isNew: false });
  }

  #since(): number {
    return this.#recorder.now() - this.#start;
  }

  /** A request succeeds when it connected without error and, for HTTP, its status is below 400. */
  #record(): ScriptRequest {
    const { open, firstSent, lastSent, firstReceived, lastReceived, close } = this.#times;
    const isFine = open >= 0 && this.#error === null && (this.#status === null || this.#status < 400);
    const needsStatus = /^http|^ws/.test(this.destination.protocol) && this.#status === null;
    return {
      resource: this.resource,
      url: urlOf(this.destination),
      method: this.destination.method,
      connectionId: this.connectionId,
      threadId: this.#threadId,
      phase: this.#phase,
      startMs: this.#start,
      connectionOpenMs: knownMs(open),
      firstSentMs: knownMs(firstSent),
      lastSentMs: knownMs(lastSent),
      firstReceivedMs: knownMs(firstReceived),
      lastReceivedMs: knownMs(lastReceived),
      connectionCloseMs: knownMs(close),
      status: this.#status,
      contentType: this.#contentType,
      bytesSent: this.#sum.sent,
      bytesReceived: this.#sum.received,
      packetsSent: this.#sum.packetsSent,
      packetsReceived: this.#sum.packetsReceived,
      success: this.#mark ?? (isFine && !needsStatus),
      marked: this.#mark ?? null,
      error: this.#error,
      traceStatus: this.#trace,
    };
  }
}

function knownMs(ms: number): number | null {
  return ms < 0 ? null : ms;
}
