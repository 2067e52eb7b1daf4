import { failedStore, incompleteAnswer, lostLock } from "../apply/operation-failed.ts";
import { type Diagnostic, errorOf, Problem } from "../model/diagnostic.ts";
import { explainServiceError, IncompleteAnswer, interruptedWords, ServiceError } from "../model/service-error.ts";
import { WaitStopped } from "../model/sleep-unless.ts";
import { StateUnusable } from "../state/state-text.ts";
import { heldBy, LockLost, StateLocked, StoreFailed, wayOutOf } from "../state/store.ts";
import { WorkspaceError } from "../workspace/workspace.ts";

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
