import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlanOutcome } from "../../project/plan-opened.ts";
import type { SecretHolders } from "../../report/redact-secrets.ts";
import { redactDiagnostic, redactSecrets } from "../../report/redact-secrets.ts";

/** Problems without the key and without the secrets of the plan's project. */
export function withoutSecrets(
  diagnostics: readonly Diagnostic[],
  outcome: PlanOutcome | undefined,
  env: Readonly<Record<string, string | undefined>>,
): readonly Diagnostic[] {
  const redact = redactSecrets(env, secretsOf(outcome));
  return diagnostics.map((diagnostic) => redactDiagnostic(diagnostic, redact));
}

/** What knows the secrets of a plan's project: whole values, and what they were made of. */
export function secretsOf(outcome: PlanOutcome | undefined): SecretHolders {
  const project = outcome?.made?.project;
  return { secrets: project?.secrets ?? [], nodes: project?.tree.nodes.values() ?? [] };
}
