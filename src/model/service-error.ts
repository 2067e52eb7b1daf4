/**
 * What is known about a request that failed. `not-sent`: it cannot have had an effect. `maybe-done`: a write may have
 * taken effect although there was no usable answer. `answered`: the service answered and did nothing.
 */
export type Arrival = "not-sent" | "maybe-done" | "answered";

/** One field that the service refused. */
export interface FieldRefusal {
  /** As it was sent: `conf_testrunners[0].regions`. */
  readonly field: string;
  /** In the words of the service. */
  readonly message: string;
}

/** Everything a ServiceError says beside its message. */
export interface ServiceErrorFacts {
  /** The key of the route table, "POST /test-cases". */
  readonly route: string;
  readonly method: string;
  /** The path as sent, without its query. */
  readonly path: string;
  readonly arrival: Arrival;
  readonly status?: number;
  /** The service's own code, message and refused fields. */
  readonly code?: string;
  readonly serviceMessage?: string;
  readonly fields?: readonly FieldRefusal[];
  /** How often it was sent. */
  readonly tries?: number;
  /** The object that the request was about. */
  readonly address?: string;
  /** What to do where no connection was made. */
  readonly advice?: string;
}

/** A call to the service that was refused, or got no good answer in all its tries. It never holds the key. */
export class ServiceError extends Error implements ServiceErrorFacts {
  override readonly name = "ServiceError";
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly arrival: Arrival;
  declare readonly status?: number;
  declare readonly code?: string;
  declare readonly serviceMessage?: string;
  declare readonly fields?: readonly FieldRefusal[];
  declare readonly tries?: number;
  declare readonly address?: string;
  declare readonly advice?: string;
  constructor(message: string, facts: ServiceErrorFacts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.route = facts.route;
    this.method = facts.method;
    this.path = facts.path;
    this.arrival = facts.arrival;
    Object.assign(this, facts);
  }
}

/** Whether the service answered that it conflicts with something. */
export function isConflict(problem: unknown): boolean {
  return problem instanceof ServiceError && problem.status === 409;
}

/** Whether the service says that there is no such object. */
export function isMissing(problem: unknown): boolean {
  return problem instanceof ServiceError && problem.status === 404;
}

/** A read that could not be completed: absent is not empty (docs/engine.md, Reading). */
export class IncompleteAnswer extends Error {
  override readonly name = "IncompleteAnswer";
}

/** A create was answered with an object that it cannot have created: what it did is found out as after a lost answer. */
export class UnresolvedAnswer extends Error {
  override readonly name = "UnresolvedAnswer";
}
