import type { PlanOutcome } from "../../project.ts";
import type { SecretHolders } from "../../report/redact.ts";

/** What knows the secrets of a plan's project: whole values, and what they were made of. */
export function secretsOf(outcome: PlanOutcome | undefined): SecretHolders {
  const project = outcome?.made?.project;
  return { secrets: project?.secrets ?? [], nodes: project?.tree.nodes.values() ?? [] };
}
