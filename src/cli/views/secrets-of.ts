import type { PlanOutcome } from "../../project.ts";
import { secretsIn } from "../../report/redact.ts";

/** The secrets of a plan's project: whole values, and what they were made of. */
export function secretsOf(outcome: PlanOutcome | undefined): readonly string[] {
  const project = outcome?.made?.project;
  return project ? [...project.secrets, ...secretsIn(project.tree.nodes.values())] : [];
}
