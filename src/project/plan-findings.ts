import { findUnincluded } from "../config/find-unincluded.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { Plan } from "../plan/plan.ts";
import type { PlanInput } from "../plan/plan-input.ts";
import { narrowTargets, unmatchedChoices } from "../plan/select-targets.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import type { LoadedProject } from "./open-project.ts";

/** What is to be said of a plan beside what was found while it was made. */
export async function planFindings(
  project: LoadedProject,
  plan: Plan,
  { input, addresses }: { readonly input: PlanInput; readonly addresses: ReadonlySet<string> },
): Promise<{ readonly choices: readonly Diagnostic[]; readonly unincluded: readonly Diagnostic[] }> {
  const { options } = input;
  let left: ReadonlySet<string> | undefined;
  const narrow = hasErrors(plan.diagnostics)
    ? []
    : narrowTargets(options, addresses, () => (left ??= leftOut(input, plan)));
  return {
    choices: [...unmatchedChoices(options, addresses), ...narrow],
    unincluded: options.destroy ? [] : await unincludedFiles(project, plan),
  };
}

/** What a plan without targets would change besides. */
function leftOut(input: PlanInput, { changes }: Plan): ReadonlySet<string> {
  const planned = new Set(changes.map(({ address }) => address));
  const whole = makePlan({ ...input, options: { ...input.options, targets: [] } });
  return new Set(whole.changes.flatMap(({ address }) => (planned.has(address) ? [] : [address])));
}

/** Warns of files that were moved out of every include, where the plan deletes what they declare. */
async function unincludedFiles({ entry, root }: LoadedProject, { changes }: Plan): Promise<readonly Diagnostic[]> {
  const isMissing = ({ action, reason }: Plan["changes"][number]) => action === "delete" && reason !== "unmanaged";
  const missing = new Set(changes.filter(isMissing).map(({ address }) => address));
  if (entry !== "yaml" || missing.size === 0) return [];
  return findUnincluded({ workspace: diskWorkspace(root), kinds, hash: sha256, missing });
}
