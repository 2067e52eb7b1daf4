import type { JsonValue } from "../../api/routes.ts";
import type { Refusal, RuleOrigin } from "../refusal.ts";
import { RawReply } from "./handlers.ts";

/** An answer of the core. Its JSON value is fresh: it shares nothing with the store and belongs to the caller. */
export interface ServiceAnswer {
  /** Status of HTTP. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The answer as a value, when it is JSON; reading it costs no text. */
  readonly json: JsonValue | undefined;
  /** The answer as it is sent, written when asked for. */
  readonly body: () => string | Uint8Array;
  /** Of a refusal: the origin of its rule. It is not sent. */
  readonly origin?: RuleOrigin;
}

/** An answer with the fields that nothing read. */
export interface Ran {
  readonly answer: ServiceAnswer;
  readonly unknown: readonly string[];
}

/** The connection was cut by a planned fault, or by the client while it sent its body: nothing, or only the beginning of an answer, arrived. */
export class ConnectionCut extends Error {
  override readonly name = "ConnectionCut";
  readonly code = "ECONNRESET";
  /** Bytes that a truncated answer sent before the cut, with the head that announced all of it. */
  readonly partial: { readonly answer: ServiceAnswer; readonly bytes: number } | undefined;

  constructor(partial?: { readonly answer: ServiceAnswer; readonly bytes: number }) {
    super("the connection was cut");
    this.partial = partial;
  }
}

const empty = () => "";

/** An answer of a JSON value, of bytes or text, or of nothing. */
export function answerOf(reply: JsonValue | RawReply | undefined, status = 200): ServiceAnswer {
  if (reply === undefined) return { status, headers: {}, json: undefined, body: empty };
  if (reply instanceof RawReply) {
    const { body, type, headers } = reply;
    return { status, headers: { "content-type": type, ...headers }, json: undefined, body: () => body };
  }
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { status, headers, json: reply, body: () => JSON.stringify(reply) };
}

/** A refusal as an answer: `{code, message, errors}`, or plain text (setting `errors: plain`). */
export function refusalAnswer(refusal: Refusal, form: "json" | "plain"): ServiceAnswer {
  const { code, message, errors } = refusal.body();
  const value: JsonValue = { code, message, ...(errors ? { errors: errors.map((each) => ({ ...each })) } : {}) };
  const answer = answerOf(
    form === "plain" ? new RawReply(message, "text/plain; charset=utf-8") : value,
    refusal.status,
  );
  return { ...answer, headers: { ...answer.headers, ...refusal.headers }, origin: refusal.origin };
}

/** The same answer without a body: HEAD never has one. */
export function withoutBody(answer: ServiceAnswer): ServiceAnswer {
  return { status: answer.status, headers: {}, json: undefined, body: empty };
}

/** The same answer with a header; as it is when there is nothing to say in it. */
export function withHeader(answer: ServiceAnswer, name: string, value: string | undefined): ServiceAnswer {
  return value === undefined ? answer : { ...answer, headers: { ...answer.headers, [name]: value } };
}
