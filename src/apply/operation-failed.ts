import type { Code } from "../model/codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { IncompleteAnswer } from "../model/incomplete-answer.ts";
import { ServiceError } from "../model/service-error.ts";
import { LockLost, StoreFailed } from "../state/store.ts";

/** One operation could not be carried out; what depends on it is not attempted. */
export class OperationFailed extends Error {
  override readonly name = "OperationFailed";
  readonly diagnostic: Diagnostic;
  constructor(
    address: string,
    problem: { readonly code: Code; readonly summary: string; readonly detail: string },
    cause?: unknown,
  ) {
    super(problem.summary, { cause });
    this.diagnostic = { severity: "error", ...problem, address };
  }
}

/** A create was answered with an object that it cannot have made: what it did is found out as after a lost answer. */
export class DoubtfulAnswer extends Error {
  override readonly name = "DoubtfulAnswer";
}

/** What any failure of an operation says to the user. */
export function failureDiagnostic(address: string, problem: unknown): Diagnostic {
  if (problem instanceof OperationFailed) return problem.diagnostic;
  if (problem instanceof ServiceError) return { severity: "error", code: "LF6001", address, ...serviceWords(problem) };
  const detail = problem instanceof Error ? problem.message : String(problem);
  if (problem instanceof IncompleteAnswer || problem instanceof DoubtfulAnswer)
    return { severity: "error", code: "LF2005", summary: "the service's answer is incomplete", detail, address };
  if (problem instanceof LockLost)
    return { severity: "error", code: "LF5004", summary: "the lock was lost", detail, address };
  if (problem instanceof StoreFailed)
    return { severity: "error", code: "LF5003", summary: "the state store failed", detail, address };
  return { severity: "error", code: "LF9002", summary: "the operation failed unexpectedly", detail, address };
}

function serviceWords(problem: ServiceError): Pick<Diagnostic, "summary" | "detail"> {
  const fields = (problem.fields ?? []).map(({ field, message }) => `${field}: ${message}`).join("; ");
  const words = problem.serviceMessage ?? problem.message;
  return {
    summary:
      problem.status === undefined
        ? "no answer came to the write"
        : `the service refused the write (status ${problem.status})`,
    detail: fields === "" ? words : `${words} (${fields})`,
  };
}

/** Whether a write may have happened although no good answer came (docs/engine.md, Retries). */
export function isInDoubt(problem: unknown): boolean {
  if (problem instanceof DoubtfulAnswer) return true;
  if (!(problem instanceof ServiceError)) return false;
  if (problem.arrival === "not-sent") return false;
  const { status } = problem;
  return problem.arrival === "maybe-done" || status === 408 || (status !== undefined && status >= 500);
}

/** Whether the service says that something stands in the way. */
export function isConflict(problem: unknown): boolean {
  return problem instanceof ServiceError && problem.status === 409;
}

/** Whether the service says that there is no such object. */
export function isMissing(problem: unknown): boolean {
  return problem instanceof ServiceError && problem.status === 404;
}
