import type { ApplyCounts, ApplyEvent } from "../apply/events.ts";
import type { Action } from "../plan/plan.ts";
import { cleanLine } from "./clean-text.ts";
import type { Palette } from "./palette.ts";

const doing: Readonly<Record<Action, string>> = {
  create: "creating",
  update: "updating",
  replace: "replacing",
  delete: "deleting",
  forget: "forgetting",
  "no-op": "binding",
};

const done: Readonly<Record<Action, string>> = {
  create: "created",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
  forget: "forgotten",
  "no-op": "bound",
};

/** What an object is going through, for progress: "creating testCase.checkout". */
export function actionInProgress(action: Action, address: string): string {
  return `${doing[action]} ${address}`;
}

/** One event as one line; a diagnostic is printed by itself and has none. */
export function eventText(event: ApplyEvent, palette: Palette): string | undefined {
  switch (event.type) {
    case "apply_start":
      return palette.dim(`${actionInProgress(event.action, event.address)} …`);
    case "apply_complete": {
      const id = event.id === undefined ? "" : `, id ${event.id}`;
      return `${palette.green(done[event.action])} ${event.address} (${elapsedText(event.elapsedMs)}${id})`;
    }
    case "apply_errored":
      return `${palette.red("failed")} ${event.address}: ${cleanLine(event.diagnostic.summary)}`;
    case "not_attempted":
      return `${palette.yellow("not attempted")} ${event.address}: ${cleanLine(event.because)}`;
    case "paused":
      return palette.dim(`paused ${event.address} while what it runs changes`);
    case "resumed":
      return palette.dim(`resumed ${event.address}`);
    case "diagnostic":
      return undefined;
  }
}

/** What an apply came to, in one line. */
export function countsText(counts: ApplyCounts): string {
  const { failed, not_attempted } = counts;
  const bad = [failed > 0 ? `${failed} failed` : "", not_attempted > 0 ? `${not_attempted} not attempted` : ""];
  const parts = [`${counts.create} created`, `${counts.update} updated`, `${counts.delete} deleted`, ...bad];
  return `${failed + not_attempted > 0 ? "Applied in part" : "Applied"}: ${parts.filter((part) => part !== "").join(", ")}.`;
}

/** "0.3 s", "2 min 5 s". */
export function elapsedText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
