import { type CheckResult, errorLine } from "./check-result.ts";
import type { HealChoice } from "./choose-heals.ts";
import type { ProjectMemory, ProjectState } from "./project-memory.ts";

/** A state with its reason in a line. */
export interface StateFound {
  readonly state: ProjectState;
  readonly reason?: string;
}

/** The state that the end of a check shows, a suspension apart: the first that holds. `choice` is of what remains at its end. */
export function stateOfResult(
  result: CheckResult,
  choice: HealChoice,
  memory: Pick<ProjectMemory, "state" | "reason">,
): StateFound {
  if (result.is === "failed") return { state: "failed", ...errorLine(result.diagnostics) };
  if (result.is === "refused") return { state: "blocked", ...errorLine(result.diagnostics) };
  const { found, heal } = result;
  if (heal?.status === "failed" || heal?.status === "partial")
    return { state: "failed", ...errorLine(heal.diagnostics) };
  if (choice.triedInVain.length > 0) return { state: "failed", ...given(choice.vainReason) };
  if (heal?.status === "locked") return { state: "locked", ...errorLine(heal.diagnostics) };
  // Nothing was tried, so nobody knows that the lock is free.
  if (memory.state === "locked" && heal === undefined && choice.postponed.length > 0)
    return { state: "locked", ...given(memory.reason) };
  if (heal?.status === "blocked") return { state: "blocked", ...errorLine(heal.diagnostics) };
  if (found.blocked.length > 0) return { state: "blocked", ...errorLine(found.blocked) };
  if (choice.unpruned.length > 0) return { state: "out-of-sync", reason: "prune" };
  const why = withheldReason(choice);
  if (found.findings.some(({ origin }) => origin === "git")) return { state: "out-of-sync", ...why };
  return found.findings.length > 0 ? { state: "drifted", ...why } : { state: "in-sync" };
}

function given(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

function withheldReason({ leftAlone, postponed }: HealChoice): { readonly reason?: string } {
  if (leftAlone.length > 0) return { reason: `fought over: ${leftAlone.slice(0, 3).join(", ")}` };
  return postponed.length > 0 ? { reason: "a test run is under way or about to start" } : {};
}
