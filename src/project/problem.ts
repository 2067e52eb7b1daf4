import type { Code } from "../model/codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { IncompleteAnswer } from "../model/incomplete-answer.ts";
import { ServiceError } from "../model/service-error.ts";
import { StateUnusable } from "../state/state-text.ts";
import { LockLost, StateLocked, StoreFailed, WaitStopped } from "../state/store.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import { heldBy, wayOutOf } from "./talking-lock.ts";

/** An expected problem on its way to the user; everything else that is thrown is a defect. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ summary }) => summary).join("; "));
    this.diagnostics = diagnostics;
  }
}

/** A problem of one sentence and its way out. */
export function problem(code: Code, summary: string, detail: string): Problem {
  return new Problem([{ severity: "error", code, summary, detail }]);
}

/** What an expected failure says to the user; undefined for a defect. */
export function diagnosticsOf(thrown: unknown): readonly Diagnostic[] | undefined {
  if (thrown instanceof Problem) return thrown.diagnostics;
  if (thrown instanceof ServiceError) return [serviceDiagnostic(thrown)];
  if (thrown instanceof WorkspaceError)
    return [
      {
        ...error("LF1002", `${thrown.path} cannot be used`, thrown.message),
        ...(thrown.at && { file: thrown.path, ...thrown.at }),
      },
    ];
  if (thrown instanceof IncompleteAnswer)
    return [error("LF2005", "the service's answer is incomplete", `found that ${thrown.message}; nothing was planned`)];
  if (thrown instanceof StateLocked) return [lockedDiagnostic(thrown)];
  if (thrown instanceof WaitStopped) return [];
  if (thrown instanceof LockLost)
    return [
      error("LF5004", "the lock was lost", `${thrown.message}. What was done is in the journal; run the command again`),
    ];
  if (thrown instanceof StoreFailed) return [error("LF5003", "the state store failed", thrown.message)];
  if (thrown instanceof StateUnusable) return [error("LF5002", "the state cannot be used", thrown.message)];
  return undefined;
}

/** What `run` comes to, or what an expected failure of it is said to be; a defect goes on its way. */
export async function orExplained<T>(
  run: () => Promise<T>,
  explain: (diagnostics: readonly Diagnostic[], thrown: unknown) => T,
): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const diagnostics = diagnosticsOf(thrown);
    if (diagnostics === undefined) throw thrown;
    return explain(diagnostics, thrown);
  }
}

function error(code: Code, summary: string, detail: string): Diagnostic {
  return { severity: "error", code, summary, detail };
}

function serviceDiagnostic(thrown: ServiceError): Diagnostic {
  const fields = (thrown.fields ?? []).map(({ field, message }) => `${field}: ${message}`).join("; ");
  const said = `${thrown.method} ${thrown.path}: ${thrown.serviceMessage}${fields === "" ? "" : ` (${fields})`}`;
  const detail = thrown.serviceMessage === undefined ? thrown.message : said;
  if (thrown.status === undefined)
    return error("LF2001", "the service did not answer", `${detail}. Check service.url, $LOADFORM_URL and the network`);
  if (thrown.status === 401 || thrown.status === 403)
    return error(
      "LF2002",
      `the service refused the key (status ${thrown.status})`,
      `${detail}. Set $LOADFORM_API_KEY to a key of this organization`,
    );
  return error("LF2003", `the service refused a request (status ${thrown.status})`, detail);
}

/** Says who holds a lock, since when, which command, and how to break it. */
function lockedDiagnostic(locked: StateLocked): Diagnostic {
  return error(
    "LF5001",
    "the state is locked",
    `found ${heldBy(locked.holder)}; expected it free. Wait, or use --lock-timeout SECS; if that command is surely dead:\n  ${wayOutOf(locked)}`,
  );
}

/** A lock that stays: it is not the one that was named. */
export function notUnlocked(id: string | undefined, locked: StateLocked): Problem {
  const { holder } = locked;
  const wanted = id === undefined ? "one that says its id" : `id ${id}`;
  const found = holder === undefined ? heldBy(holder) : `${heldBy(holder)}, id ${holder.id}`;
  const way =
    holder === undefined ? "loadform state unlock ID, with the id that the store's own page shows" : wayOutOf(locked);
  return problem(
    "LF5001",
    "the lock was left alone",
    `found ${found}; expected ${wanted}. If that command is surely dead:\n  ${way}`,
  );
}
