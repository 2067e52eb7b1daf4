import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { isLoopback } from "../allowed-hosts.ts";
import { reasonOf } from "../refusal.ts";
import { type HttpHeaders, rawHeaders } from "./http-headers.ts";
import type { Connection } from "./record-traffic.ts";
import type { TargetAddress } from "./target-address.ts";

/** A request to a target, head first. */
export interface TargetCall {
  readonly address: TargetAddress;
  readonly method: string;
  readonly headers: HttpHeaders;
  readonly clientIp: string;
  /** The service's time. */
  readonly now: () => string;
}

/** A request under way: its body is written to `stream`. */
export interface TargetExchange {
  readonly stream: ClientRequest;
  /** Resolves with the answer's head; rejects with why none came. */
  readonly answer: Promise<IncomingMessage>;
  /** Calls once the whole request was sent. */
  readonly onSent: (call: () => void) => void;
  /** Valid from then on. */
  readonly connection: () => Connection;
}

/** Time that a target may be silent before its answer. */
const patienceMs = 60_000;

/**
 * Opens a connection of its own and sends a request head over it. DECISION (API 1, Traffic packet: connectionId): each request
 * that passes a gateway has a connection of its own to the target, which is closed after the answer.
 */
export async function sendToTarget({ address, method, headers, clientIp, now }: TargetCall): Promise<TargetExchange> {
  const { request } = address.isSecure ? await import("node:https") : await import("node:http");
  const { hostname, port, path } = address;
  const options: RequestOptions = { hostname, port, path, method, agent: false, setHost: false };
  // A certificate proves a name, and loopback is this machine whatever its name.
  const stream = request({ ...options, headers: rawHeaders(headers), rejectUnauthorized: !isLoopback(hostname) });
  let openedAt = now();
  let serverIp = "";
  stream.on("socket", (socket) => {
    socket.once("connect", () => {
      openedAt = now();
      serverIp = plainAddress(socket.remoteAddress);
    });
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    stream.once("response", resolve);
    stream.on("error", reject);
  });
  // Whoever waits for it hears of it: it may fail before.
  answer.catch(() => undefined);
  const silence = () => stream.destroy(new Error(`it did not answer within ${patienceMs / 1000} s`));
  stream.setTimeout(patienceMs, silence);
  stream.once("response", () => stream.setTimeout(0));
  return {
    stream,
    answer,
    onSent: (call) => void stream.once("finish", call),
    connection: () => ({ clientIp, serverIp, ssl: address.isSecure, openedAt }),
  };
}

/** An address as people write it: IPv4 is not wrapped in IPv6. */
export function plainAddress(address: string | undefined): string {
  return (address ?? "").replace(/^::ffff:(?=\d)/i, "");
}

/** Why a target could not be reached, in words. */
export function unreachable(thrown: unknown, address: TargetAddress): string {
  const server = `${address.hostname}:${address.port}`;
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const causes = thrown instanceof AggregateError ? thrown.errors.map(reasonOf) : [reasonOf(thrown)];
  const reason = causes.join(", ") || code || "the connection failed";
  return `the target ${server} could not be reached: ${reason}; expected a server that listens there: start it, or make a gateway with another url`;
}
