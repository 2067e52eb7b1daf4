import { type Diagnostic, warningOf } from "../../model/diagnostic.ts";
import type { Plan } from "../../plan/plan.ts";
import { counted } from "../../report/terminal-text.ts";
import type { LoadedProject } from "../open-project.ts";
import { hiddenValues } from "../plan-digest.ts";

/** The reasons why a live plan of the same moment could be another one, in words. */
export function whyNoDigest(plan: Plan, project: LoadedProject, undecided: readonly string[]): string | undefined {
  const [first] = undecided;
  const hidden =
    first && `the snapshot does not show a value of ${first}, because it has a secret in it or nobody had declared it`;
  const reasons = [whyUnknown(plan, project), hidden].filter((each) => each !== undefined);
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

/** The first change that a snapshot does not show in full. */
function whyUnknown({ changes }: Plan, { tree }: LoadedProject): string | undefined {
  const ending = changes.find(({ action }) => action === "delete" || action === "replace");
  if (ending) return `it ${ending.action}s ${ending.address}, and the snapshot does not have what would be lost`;
  const taken = changes.find(({ importing }) => importing);
  if (taken) return `it adopts ${taken.address}, and the snapshot does not have its values`;
  const setting = changes.find((change) => hiddenValues(tree.nodes, [change]).length > 0);
  return setting && `it sets or changes a secret or a value from the environment of ${setting.address}`;
}

/** That a plan is of an earlier moment, how long ago that was, and why it has no digest where it has none. */
export function snapshotNotice(
  { file, takenAt }: { readonly file: string; readonly takenAt: string },
  why: string | undefined,
  now: number,
): Diagnostic {
  const detail = `${file} shows the service as it was at ${takenAt}. What has changed since is not in this plan`;
  const without =
    why === undefined ? "" : `. The plan has no digest: ${why}. To get one, plan with a key and without --against`;
  const age = ageWords(now - Date.parse(takenAt));
  return warningOf("LF5012", `planned against a snapshot that is ${age} old`, `${detail}${without}`);
}

function ageWords(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes === 0) return "less than a minute";
  if (minutes < 120) return counted(minutes, "minute");
  return minutes < 48 * 60 ? counted(Math.floor(minutes / 60), "hour") : counted(Math.floor(minutes / 1440), "day");
}
