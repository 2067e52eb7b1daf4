import type { ImportOutcome } from "../import/import-files.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import type { ApplyOutcome } from "../project/apply-project.ts";
import type { DriftOutcome } from "../project/drift-project.ts";
import type { Validated } from "../project/open-project.ts";
import type { PlanOutcome } from "../project/plan-opened.ts";
import type { ExitCode } from "../report/exit-codes.ts";
import { isWithoutChanges } from "../report/plan-text.ts";

export function exitOfPlan(
  outcome: Pick<PlanOutcome, "plan" | "diagnostics" | "blocked">,
  isDetailed: boolean,
): ExitCode {
  const { plan, diagnostics, blocked } = outcome;
  if (diagnostics.some(({ code }) => code === "LF5001")) return 4;
  if (plan === undefined || hasErrors(diagnostics)) return 1;
  if (blocked.length > 0) return 3;
  return isDetailed && !isWithoutChanges(plan) ? 2 : 0;
}

export function exitOfValidate({ diagnostics, blocked }: Pick<Validated, "diagnostics" | "blocked">): ExitCode {
  if (hasErrors(diagnostics)) return 1;
  return hasErrors(blocked) ? 3 : 0;
}

/** Of several outcomes the first that occurred is the exit code. */
const inOrder: readonly ExitCode[] = [130, 143, 1, 6, 3, 4, 5, 7, 2, 0];

/** The exit code of several outcomes. */
export function exitOfAll(codes: readonly ExitCode[]): ExitCode {
  return inOrder.find((code) => codes.includes(code)) ?? 0;
}

const exitOfStatus: Readonly<Record<ApplyOutcome["status"] | ImportOutcome["status"], ExitCode>> = {
  nothing: 0,
  applied: 0,
  imported: 0,
  declined: 1,
  failed: 1,
  blocked: 3,
  locked: 4,
  stale: 5,
  partial: 6,
  interrupted: 130,
};

/** The exit code of `apply` and `destroy`; `interrupted` is the code of a signal, if one came. */
export function exitOfApply(status: ApplyOutcome["status"], interrupted: ExitCode | undefined): ExitCode {
  const isCutShort = status === "interrupted" || status === "declined";
  return isCutShort && interrupted !== undefined ? interrupted : exitOfStatus[status];
}

/** The exit code of `import`; `interrupted` is the code of a signal, if one came. */
export function exitOfImport(
  status: ImportOutcome["status"],
  diagnostics: readonly Diagnostic[],
  interrupted: ExitCode | undefined,
): ExitCode {
  if (status === "interrupted" && interrupted !== undefined) return interrupted;
  // The import remains valid when its lock cannot be released, but the next command will be refused.
  return exitOfStatus[status] || (diagnostics.some(({ code }) => code === "LF5003") ? 1 : 0);
}

/** The exit code of `drift`. A change of the project that is not applied is no drift. */
export function exitOfDrift(outcome: Pick<DriftOutcome, "drift" | "diagnostics" | "blocked">): ExitCode {
  const { drift, diagnostics, blocked } = outcome;
  if (diagnostics.some(({ code }) => code === "LF5001")) return 4;
  if (drift === undefined || hasErrors(diagnostics)) return 1;
  if (blocked.length > 0) return 3;
  return drift.drifted.length > 0 || (drift.failsOnUnmanaged === true && drift.unmanaged.length > 0) ? 2 : 0;
}
