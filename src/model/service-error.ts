import { type Diagnostic, errorOf } from "./diagnostic.ts";

/**
 * The certainty about a request that failed. `not-sent`: it cannot have had an effect. `maybe-done`: a write may have
 * taken effect although there was no usable answer. `answered`: the service answered and did nothing.
 */
export type Arrival = "not-sent" | "maybe-done" | "answered";

/** Time for an answer, in milliseconds, unless a command says otherwise. */
export const usualTimeoutMs = 30_000;

/** The reason of a request that was given up because its command was interrupted. */
export const interruptedWords = "the command was interrupted";

/** One field that the service refused. */
export interface FieldRefusal {
  /** As it was sent: `conf_testrunners[0].regions`. */
  readonly field: string;
  /** In the words of the service. */
  readonly message: string;
}

/** Everything a ServiceError says beside its message. */
export interface ErrorFacts {
  /** The key of the route table, "POST /test-cases". */
  readonly route: string;
  readonly method: string;
  /** The path as sent, without its query. */
  readonly path: string;
  readonly arrival: Arrival;
  readonly status?: number;
  /** A page for people or a redirection was answered: the API is at another address. */
  readonly isElsewhere?: boolean;
  /** The service's own code, message and refused fields. */
  readonly code?: string;
  readonly serviceMessage?: string;
  readonly fields?: readonly FieldRefusal[];
  /** Times it was sent. */
  readonly tries?: number;
  /** The object that the request was about. */
  readonly address?: string;
  /** Advice where no connection was made. */
  readonly advice?: string;
}

/** A call to the service that was refused, or got no good answer in all its tries. It never holds the key. */
export class ServiceError extends Error implements ErrorFacts {
  override readonly name = "ServiceError";
  declare readonly route: string;
  declare readonly method: string;
  declare readonly path: string;
  declare readonly arrival: Arrival;
  declare readonly status?: number;
  declare readonly isElsewhere?: boolean;
  declare readonly code?: string;
  declare readonly serviceMessage?: string;
  declare readonly fields?: readonly FieldRefusal[];
  declare readonly tries?: number;
  declare readonly address?: string;
  declare readonly advice?: string;
  constructor(message: string, facts: ErrorFacts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, facts);
  }
}

export function isConflict(problem: unknown): boolean {
  return problem instanceof ServiceError && problem.status === 409;
}

export function isMissing(problem: unknown): boolean {
  return problem instanceof ServiceError && problem.status === 404;
}

/** A read that could not be completed: absent is not empty (docs/engine.md, Reading). */
export class IncompleteAnswer extends Error {
  override readonly name = "IncompleteAnswer";
}

/** The answer to a create shows an object that it cannot have created: its effect is found out as after a lost answer. */
export class UnresolvedAnswer extends Error {
  override readonly name = "UnresolvedAnswer";
}

/** A refused or unanswered request as a message to the user. */
export function explainServiceError(thrown: ServiceError): Diagnostic {
  const said = `${thrown.method} ${thrown.path}: ${thrown.serviceMessage}${fieldWords(thrown.fields)}`;
  const detail = thrown.serviceMessage === undefined ? thrown.message : `${said}${triesWords(thrown.tries)}`;
  if (thrown.status === undefined) {
    const advice = thrown.advice ?? "Check service.url, $LOADFORM_URL and the network";
    return errorOf("LF2001", "the service did not answer", `${detail}. ${advice}`);
  }
  if (thrown.status === 401 || thrown.status === 403)
    return errorOf(
      "LF2002",
      `the service refused the key (status ${thrown.status})`,
      `${detail}. Set $LOADFORM_API_KEY, or the variable that service.apiKey names, to a key of this organization`,
    );
  // Lists are always there: where one is missing, the requests go to another path than the service's.
  if (thrown.isElsewhere || (thrown.status === 404 && !thrown.route.includes(":")))
    return errorOf(
      "LF2003",
      `there is no such service at this address (status ${thrown.status})`,
      `${detail}. Check service.url and $LOADFORM_URL: most likely their path is wrong`,
    );
  return errorOf("LF2003", `the service refused a request (status ${thrown.status})`, detail);
}

/** A refused write of one object, in words. */
export function refusedWrite(thrown: ServiceError): Diagnostic {
  const words = thrown.serviceMessage ?? thrown.message;
  const { status } = thrown;
  const isTaken = status !== undefined && status < 300;
  const refused = isTaken ? "the answer to the write cannot be used" : "the service refused the write";
  const summary = status === undefined ? "the write got no answer" : `${refused} (status ${status})`;
  return errorOf("LF6001", summary, words + fieldWords(thrown.fields));
}

/** Refused fields behind a sentence; "" where there are none. */
export function fieldWords(fields: readonly FieldRefusal[] = []): string {
  return fields.length === 0 ? "" : ` (${fields.map(({ field, message }) => `${field}: ${message}`).join("; ")})`;
}

/** The number of tries behind a sentence; "" for one. */
export function triesWords(tries = 1): string {
  return tries > 1 ? ` (after ${tries} tries)` : "";
}
