import type { FieldRefusal, ServiceErrorFacts } from "../model/service-error.ts";
import { ServiceError } from "../model/service-error.ts";
import type { PreparedCall } from "./build-request.ts";
import { isPage } from "./read-answer.ts";
import type { TransportAnswer } from "./transport.ts";

/** What is known of a call that failed for good. */
export interface Failure {
  readonly call: PreparedCall;
  readonly attempts: number;
  readonly arrival: ServiceErrorFacts["arrival"];
  readonly answer?: TransportAnswer;
  /** Why there was no good answer. */
  readonly reason?: string;
  readonly cause?: unknown;
  readonly address?: string;
}

/** What the service said about a refusal, in its error body's shape or in plain words. */
interface ServiceWords {
  readonly code?: string;
  readonly serviceMessage?: string;
  /** What it said of single fields, and not in its message already. */
  readonly fields?: readonly FieldRefusal[];
}

/** The error of a failed call; `redact` takes the key out of everything that came from outside. */
export async function failureError(failure: Failure, redact: (text: string) => string): Promise<ServiceError> {
  const { call, answer, arrival, address } = failure;
  const words = answer === undefined ? {} : await wordsOf(answer, redact);
  const facts = {
    route: call.route,
    method: call.method,
    path: redact(call.path),
    arrival,
    tries: failure.attempts,
    ...(answer && { status: answer.status }),
    ...words,
    ...(address !== undefined && { address }),
  };
  const message = `${call.method} ${call.path}: ${whatHappened(failure, words)}${triesOf(failure)}`;
  return new ServiceError(redact(message), facts, failure.cause);
}

function whatHappened({ answer, reason, arrival }: Failure, words: ServiceWords): string {
  if (answer === undefined && arrival === "not-sent") return `the service was not reached: ${reason}`;
  if (answer === undefined || answer.status < 300) return reason ?? "no good answer came";
  if (answer.status < 400) return redirection(answer);
  const said = words.serviceMessage === undefined ? "" : `: ${words.serviceMessage}`;
  const fields = (words.fields ?? []).map(({ field, message }) => `${field}: ${message}`).join("; ");
  return `the service answered ${answer.status}${said}${fields === "" ? "" : ` (${fields})`}`;
}

function redirection({ status, headers }: TransportAnswer): string {
  const target = headers["location"] ?? "nowhere";
  return `found a redirection (${status}) to ${target}; expected the service itself; set service.url to where it lives`;
}

function triesOf({ attempts }: Failure): string {
  return attempts > 1 ? ` (after ${attempts} tries)` : "";
}

async function wordsOf(answer: TransportAnswer, redact: (text: string) => string): Promise<ServiceWords> {
  if (answer.status < 400 || isPage(answer)) return {};
  const body = parsed(answer) ?? (await plainText(answer, redact));
  if (typeof body === "string") return body === "" ? {} : { serviceMessage: redact(body) };
  if (typeof body !== "object" || body === null) return {};
  const { code, message, errors } = body as Readonly<Record<string, unknown>>;
  const said = typeof message === "string" ? redact(message) : undefined;
  const fields = (Array.isArray(errors) ? errors : [])
    .map((each) => refusal(each, redact))
    .filter(({ field, message: why }) => said === undefined || !(said.includes(field) && said.includes(why)));
  return {
    ...(typeof code === "string" && { code: redact(code) }),
    ...(said !== undefined && { serviceMessage: said }),
    ...(fields.length > 0 && { fields }),
  };
}

function parsed(answer: TransportAnswer): unknown {
  try {
    return answer.json();
  } catch {
    return undefined;
  }
}

const longestWords = 500;

/** Without secrets before it is cut: half of one would not be known again. */
async function plainText(answer: TransportAnswer, redact: (text: string) => string): Promise<string> {
  const text = redact(new TextDecoder().decode(await answer.body()).trim());
  return text.length > longestWords ? `${text.slice(0, longestWords)}…` : text;
}

function refusal(error: unknown, redact: (text: string) => string): FieldRefusal {
  const { field, message } = (typeof error === "object" && error !== null ? error : { message: error }) as Readonly<
    Record<string, unknown>
  >;
  return { field: redact(String(field ?? "")), message: redact(String(message ?? "")) };
}
