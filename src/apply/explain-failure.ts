import type { Code } from "../model/codes.ts";
import { type Diagnostic, errorOf, Problem, thrownWords } from "../model/diagnostic.ts";
import {
  explainServiceError,
  IncompleteAnswer,
  interruptedWords,
  refusedWrite,
  ServiceError,
  UnresolvedAnswer,
} from "../model/service-error.ts";
import { WaitStopped } from "../model/sleep-unless.ts";
import type { TreeNode } from "../model/tree.ts";
import { StateUnusable } from "../state/state-text.ts";
import { heldBy, LockLost, StateLocked, StoreFailed, wayOutOf } from "../state/store.ts";
import { WorkspaceError } from "../workspace/workspace.ts";

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

/** The words of an expected failure for the user; undefined for a defect. */
export function explainFailure(thrown: unknown): readonly Diagnostic[] | undefined {
  if (thrown instanceof Problem) return thrown.diagnostics;
  if (wasStopped(thrown)) return [];
  if (thrown instanceof ServiceError)
    // A request that an interrupt gave up says nothing of the service.
    return thrown.message.includes(interruptedWords) ? [] : [explainServiceError(thrown)];
  if (thrown instanceof IncompleteAnswer) return [incompleteAnswer(`${thrown.message}, so nothing was planned`)];
  if (thrown instanceof WorkspaceError) {
    const { path, message, at } = thrown;
    return [{ ...errorOf("LF1002", `${path} cannot be used`, message), ...(at && { file: path, ...at }) }];
  }
  if (thrown instanceof StateLocked) return [lockedDiagnostic(thrown)];
  if (thrown instanceof LockLost)
    return [lostLock(`${thrown.message}. Everything that was done is in the journal; run the command again`)];
  if (thrown instanceof StoreFailed) return [failedStore(thrown)];
  if (thrown instanceof StateUnusable) return [errorOf("LF5002", "the state cannot be used", thrown.message)];
  return undefined;
}

/** True of the end of a wait that the user stopped. */
export function wasStopped(thrown: unknown): boolean {
  return thrown instanceof WaitStopped;
}

/** The same of the operation on one address, where a defect is a failure too. */
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

const incompleteAnswer = (detail: string) => errorOf("LF2005", "the service's answer is incomplete", detail);
const lostLock = (detail: string) => errorOf("LF5004", "the lock was lost", detail);
const failedStore = ({ message }: StoreFailed) => errorOf("LF5003", "the state store failed", message);

/** The result of `run`, or of `explain` after an expected failure; a defect is thrown on. */
export async function orExplained<T>(
  run: () => Promise<T>,
  explain: (diagnostics: readonly Diagnostic[], thrown: unknown) => T | Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const diagnostics = explainFailure(thrown);
    if (diagnostics === undefined) throw thrown;
    return explain(diagnostics, thrown);
  }
}

function lockedDiagnostic(locked: StateLocked): Diagnostic {
  return errorOf(
    "LF5001",
    "the state is locked",
    `The lock is ${heldBy(locked.holder)}. Wait, or use --lock-timeout SECS. If you are sure that the command no longer runs:\n  ${wayOutOf(locked)}`,
  );
}
