import type { ApplyCounts, ApplyEvent } from "../apply/events.ts";
import { groupBy } from "../model/group-by.ts";
import type { Action, Plan } from "../plan/plan.ts";
import { pendingTags } from "./plan-text.ts";
import { cleanLine, type Palette } from "./terminal-text.ts";

/** An action under way, and once it is done. */
const words: Readonly<Record<Action, readonly [doing: string, done: string]>> = {
  create: ["creating", "created"],
  update: ["updating", "updated"],
  replace: ["replacing", "replaced"],
  delete: ["deleting", "deleted"],
  forget: ["forgetting", "forgotten"],
  "no-op": ["binding", "bound"],
};

/** An action in progress: "creating testCase.checkout". */
export function actionInProgress(action: Action, address: string): string {
  return `${words[action][0]} ${address}`;
}

/** One event as one line; a diagnostic is printed by itself and has none, and operations that were not attempted come at the end. */
export function eventText(event: ApplyEvent, palette: Palette): string | undefined {
  switch (event.type) {
    case "apply_start":
      return palette.dim(`${actionInProgress(event.action, event.address)} …`);
    case "apply_complete": {
      const id = event.id === undefined ? "" : `, id ${event.id}`;
      return `${palette.green(words[event.action][1])} ${event.address} (${elapsedText(event.elapsedMs)}${id})`;
    }
    case "apply_errored":
      return `${palette.red("failed")} ${event.address}: ${cleanLine(event.diagnostic.summary)}`;
    case "paused":
      return palette.dim(`paused ${event.address} while the objects it runs change`);
    case "resumed":
      return palette.dim(`resumed ${event.address}`);
    case "not_attempted":
    case "diagnostic":
      return undefined;
  }
}

/** Addresses that are listed of objects for which the same holds. */
const mostListed = 5;

/** The operations that were not attempted, one line for each reason. */
export function notAttemptedLines(
  events: readonly Extract<ApplyEvent, { type: "not_attempted" }>[],
  palette: Palette,
): readonly string[] {
  return [...groupBy(events, ({ because }) => because)].map(([because, group]) => {
    const more = group.length > mostListed ? [`and ${group.length - mostListed} more`] : [];
    const list = [...group.slice(0, mostListed).map(({ address }) => address), ...more].join(", ");
    return `${palette.yellow("not attempted")} ${list}: ${cleanLine(because)}`;
  });
}

/** The result of an apply in one line; `planned` tells what changed in the state alone. */
export function countsText(counts: ApplyCounts, plan?: Pick<Plan, "summary" | "changes" | "pending">): string {
  const { failed, not_attempted } = counts;
  const isWhole = failed + not_attempted === 0;
  const planned = plan?.summary;
  const tags = isWhole && plan !== undefined ? pendingTags(plan).carried.length : 0;
  const rest: readonly (readonly [number, string])[] = [
    [isWhole ? (planned?.import ?? 0) : 0, "taken over"],
    [isWhole ? (planned?.move ?? 0) : 0, "moved"],
    [isWhole ? (planned?.forget ?? 0) : 0, "forgotten"],
    [failed, "failed"],
    [not_attempted, "not attempted"],
  ];
  const shown = rest.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const parts = [`${counts.create} created`, `${counts.update} updated`, `${counts.delete} deleted`, ...shown];
  const isNothing = !isWhole && counts.create + counts.update + counts.delete === 0;
  if (isNothing) return `Nothing succeeded: ${shown.join(", ")}.`;
  const came = tags === 0 ? "" : ` ${tags === 1 ? "1 tag was" : `${tags} tags were`} created with them.`;
  return `${isWhole ? "Applied" : "Applied in part"}: ${parts.join(", ")}.${came}`;
}

/** "0.3 s", "2 min 5 s". */
export function elapsedText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
