import type { ApplyCounts, ApplyEvent } from "../apply/events.ts";
import type { Action, Plan } from "../plan/plan.ts";
import type { Palette } from "./terminal-text.ts";
import { cleanLine } from "./terminal-text.ts";

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

/** What an apply came to, in one line; `planned` tells what changed in the state alone. */
export function countsText(counts: ApplyCounts, planned?: Plan["summary"]): string {
  const { failed, not_attempted } = counts;
  const isWhole = failed + not_attempted === 0;
  const rest: readonly (readonly [number, string])[] = [
    [isWhole ? (planned?.import ?? 0) : 0, "taken over"],
    [isWhole ? (planned?.move ?? 0) : 0, "moved"],
    [isWhole ? (planned?.forget ?? 0) : 0, "forgotten"],
    [failed, "failed"],
    [not_attempted, "not attempted"],
  ];
  const shown = rest.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const parts = [`${counts.create} created`, `${counts.update} updated`, `${counts.delete} deleted`, ...shown];
  return `${isWhole ? "Applied" : "Applied in part"}: ${parts.join(", ")}.`;
}

/** "0.3 s", "2 min 5 s". */
export function elapsedText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
