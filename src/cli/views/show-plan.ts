import { createHash } from "node:crypto";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { PlanOutcome } from "../../project.ts";
import { digestedPlan, planDocument } from "../../report/plan-json.ts";
import { planText } from "../../report/plan-text.ts";
import { redactDiagnostic, redactSecrets } from "../../report/redact.ts";
import type { Terminal } from "../terminal.ts";
import { secretsOf } from "./secrets-of.ts";

/** Prints a plan for a person. */
export function showPlan(terminal: Terminal, outcome: PlanOutcome): void {
  const { plan, requests, contents } = outcome;
  const isElsewhere = plan?.guards.some(({ guard }) => guard === "target") && plan.changes.length === 0;
  if (plan && !isElsewhere) terminal.out(planText(plan, { palette: terminal.outPalette, requests, contents }));
}

/** Everything that is wrong with a plan, guards included, without secrets. */
export function problemsOf(
  outcome: PlanOutcome,
  env: Readonly<Record<string, string | undefined>>,
): readonly Diagnostic[] {
  return cleaned([...outcome.diagnostics, ...outcome.blocked], outcome, env);
}

/** Problems without the key and without the secrets of the plan's project. */
export function cleaned(
  diagnostics: readonly Diagnostic[],
  outcome: PlanOutcome | undefined,
  env: Readonly<Record<string, string | undefined>>,
): readonly Diagnostic[] {
  const redact = redactSecrets(env, secretsOf(outcome));
  return diagnostics.map((diagnostic) => redactDiagnostic(diagnostic, redact));
}

/** The document of `plan --json`; undefined when there is no plan. */
export function documentOf(
  outcome: PlanOutcome,
  diagnostics: readonly Diagnostic[],
  now: number,
): JsonObject | undefined {
  const { plan, requests } = outcome;
  if (plan === undefined) return undefined;
  const document = planDocument(plan, { createdAt: new Date(now).toISOString(), requests, diagnostics });
  return digestedPlan(document, (data) => createHash("sha256").update(data).digest("hex"));
}
