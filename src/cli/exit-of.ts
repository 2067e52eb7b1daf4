import type { Diagnostic } from "../model/diagnostic.ts";
import type { ApplyOutcome, PlanOutcome } from "../project.ts";
import type { ExitCode } from "../report/exit-codes.ts";
import { isWithoutChanges } from "../report/plan-text.ts";

/** Whether any of the problems is an error. */
export function anyError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** The exit code of `plan`. */
export function exitOfPlan(
  outcome: Pick<PlanOutcome, "plan" | "diagnostics" | "blocked">,
  isDetailed: boolean,
): ExitCode {
  const { plan, diagnostics, blocked } = outcome;
  if (diagnostics.some(({ code }) => code === "LF5001")) return 4;
  if (plan === undefined || anyError(diagnostics)) return 1;
  if (blocked.length > 0) return 3;
  return isDetailed && !isWithoutChanges(plan) ? 2 : 0;
}

const exitOfStatus: Readonly<Record<ApplyOutcome["status"], ExitCode>> = {
  nothing: 0,
  applied: 0,
  declined: 1,
  failed: 1,
  blocked: 3,
  locked: 4,
  stale: 5,
  partial: 6,
  interrupted: 130,
};

/** The exit code of `apply` and `destroy`; `interrupted` is what a signal asks for, if one came. */
export function exitOfApply(status: ApplyOutcome["status"], interrupted: ExitCode | undefined): ExitCode {
  const isCutShort = status === "interrupted" || status === "declined";
  return isCutShort && interrupted !== undefined ? interrupted : exitOfStatus[status];
}
