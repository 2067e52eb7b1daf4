import type { Code } from "../model/codes.ts";
import { type Diagnostic, errorOf, Problem, thrownWords } from "../model/diagnostic.ts";
import { IncompleteAnswer, refusedWrite, ServiceError, UnresolvedAnswer } from "../model/service-error.ts";
import type { TreeNode } from "../model/tree.ts";
import { LockLost, StoreFailed } from "../state/store.ts";

/** One operation could not be carried out; what depends on it is not attempted. */
export class OperationFailed extends Problem {
  constructor(address: string, words: { readonly code: Code; readonly summary: string; readonly detail: string }) {
    super([{ severity: "error", ...words, address }]);
  }
}

/** A lost create that may have happened more than once. */
export function ambiguousCreate(address: string, nodes: readonly TreeNode[]): OperationFailed {
  const ids = nodes.map(({ handle }) => handle).join(", ");
  return new OperationFailed(address, {
    code: "LF6004",
    summary: `${address}: it is not clear which object was made`,
    detail: `Any of these may be the one that was created: ${ids}. Delete the surplus ones at the service and apply again`,
  });
}

/** The object is not as planned, so it is left alone; `found` is a sentence. */
export function changedMeanwhile(address: string, found: string): OperationFailed {
  return new OperationFailed(address, {
    code: "LF6002",
    summary: `${address} changed since it was planned`,
    detail: `${found}. Nothing was written to it. Plan again`,
  });
}

/** The words of an operation's failure on one address; a defect is a failure, too. */
export function explainOperation(thrown: unknown, address: string): Diagnostic {
  const [own] = thrown instanceof OperationFailed ? thrown.diagnostics : [];
  if (own !== undefined) return own;
  return { ...operationWords(thrown), address };
}

function operationWords(thrown: unknown): Diagnostic {
  if (thrown instanceof ServiceError) return refusedWrite(thrown);
  if (thrown instanceof IncompleteAnswer || thrown instanceof UnresolvedAnswer) return incompleteAnswer(thrown.message);
  if (thrown instanceof LockLost) return lostLock(thrown.message);
  if (thrown instanceof StoreFailed) return failedStore(thrown);
  return errorOf("LF9002", "the operation failed unexpectedly", thrownWords(thrown));
}

/** Failures by which an operation or the whole command ends. */
export const incompleteAnswer = (detail: string) => errorOf("LF2005", "the service's answer is incomplete", detail);
export const lostLock = (detail: string) => errorOf("LF5004", "the lock was lost", detail);
export const failedStore = ({ message }: StoreFailed) => errorOf("LF5003", "the state store failed", message);
