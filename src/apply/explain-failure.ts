import type { Code } from "../model/codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { errorOf, Problem, thrownWords } from "../model/diagnostic.ts";
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
  return table.find(({ is }) => thrown instanceof is)?.ofRun(thrown as never);
}

/** True of the end of a wait that the user stopped. */
export function wasStopped(thrown: unknown): boolean {
  return thrown instanceof WaitStopped;
}

/** The same of the operation on one address, where a defect is a failure too. */
export function explainOperation(thrown: unknown, address: string): Diagnostic {
  const [own] = thrown instanceof OperationFailed ? thrown.diagnostics : [];
  if (own !== undefined) return own;
  const detail = thrownWords(thrown);
  const ofOperation = table.find(({ is }) => thrown instanceof is)?.ofOperation;
  const words = ofOperation?.(thrown as never) ?? errorOf("LF9002", "the operation failed unexpectedly", detail);
  return { ...words, address };
}

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

interface Row<E extends Error = never> {
  readonly is: abstract new (...of: never[]) => Error;
  readonly ofRun: (thrown: E) => readonly Diagnostic[] | undefined;
  /** Of one operation, where that says something else than an unexpected failure. */
  readonly ofOperation?: (thrown: E) => Diagnostic;
}

function row<E extends Error>(is: abstract new (...of: never[]) => E, words: Omit<Row<E>, "is">): Row {
  return { is, ...words };
}

const incomplete = "the service's answer is incomplete";

const table: readonly Row[] = [
  row(ServiceError, {
    // A request that an interrupt gave up says nothing of the service.
    ofRun: (thrown) => (thrown.message.includes(interruptedWords) ? [] : [explainServiceError(thrown)]),
    ofOperation: refusedWrite,
  }),
  row(IncompleteAnswer, {
    ofRun: ({ message }) => [errorOf("LF2005", incomplete, `${message}, so nothing was planned`)],
    ofOperation: ({ message }) => errorOf("LF2005", incomplete, message),
  }),
  row(UnresolvedAnswer, {
    ofRun: () => undefined,
    ofOperation: ({ message }) => errorOf("LF2005", incomplete, message),
  }),
  row(WorkspaceError, {
    ofRun: ({ path, message, at }) => [
      { ...errorOf("LF1002", `${path} cannot be used`, message), ...(at && { file: path, ...at }) },
    ],
  }),
  row(StateLocked, { ofRun: (thrown) => [lockedDiagnostic(thrown)] }),
  row(WaitStopped, { ofRun: () => [] }),
  row(LockLost, {
    ofRun: ({ message }) => [
      errorOf(
        "LF5004",
        "the lock was lost",
        `${message}. Everything that was done is in the journal; run the command again`,
      ),
    ],
    ofOperation: ({ message }) => errorOf("LF5004", "the lock was lost", message),
  }),
  row(StoreFailed, {
    ofRun: ({ message }) => [errorOf("LF5003", "the state store failed", message)],
    ofOperation: ({ message }) => errorOf("LF5003", "the state store failed", message),
  }),
  row(StateUnusable, { ofRun: ({ message }) => [errorOf("LF5002", "the state cannot be used", message)] }),
];

function lockedDiagnostic(locked: StateLocked): Diagnostic {
  return errorOf(
    "LF5001",
    "the state is locked",
    `The lock is ${heldBy(locked.holder)}. Wait, or use --lock-timeout SECS. If you are sure that the command no longer runs:\n  ${wayOutOf(locked)}`,
  );
}
