import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { redactSecrets, secretHolders } from "../../project/known-secrets.ts";
import { unshownParts } from "../../project/plan-digest.ts";
import type { PlanOutcome } from "../../project/plan-opened.ts";
import type { System } from "../../project/system.ts";
import { digestedPlan, planDocument } from "../../report/plan-json.ts";
import { planText } from "../../report/plan-text.ts";
import { plainPalette } from "../../report/terminal-text.ts";
import { sha256 } from "../../workspace/hash.ts";
import type { Terminal } from "../terminal.ts";
import { withoutSecrets, withoutSecretValues } from "./redact-output.ts";

/** Prints a plan for a person. */
export function showPlan(terminal: Terminal, outcome: PlanOutcome): void {
  terminal.out(planLines(outcome, terminal.outPalette));
}

/** The lines of a plan, without secrets. */
export function planLines({ plan, requests, contents, made }: PlanOutcome, palette = plainPalette): string {
  const { instances } = made?.project ?? {};
  if (plan === undefined) return "";
  return redactSecrets({}, secretHolders({ made }))(planText(plan, { palette, requests, contents, instances }));
}

/** A plan's document as it is printed: what is digested has every value as it is. */
export function shownDocument(document: JsonObject | undefined, outcome: PlanOutcome): JsonObject {
  return withoutSecretValues(document ?? {}, redactSecrets({}, secretHolders(outcome)));
}

/** Everything that is wrong with a plan, guards included, without secrets. */
export function problemsOf(
  outcome: PlanOutcome,
  env: Readonly<Record<string, string | undefined>>,
): readonly Diagnostic[] {
  return withoutSecrets([...outcome.diagnostics, ...outcome.blocked], outcome, env);
}

/** The document of `plan --json`; undefined when there is no plan. */
export function documentOf(
  outcome: PlanOutcome,
  diagnostics: readonly Diagnostic[],
  { now, deriveKey }: Pick<System, "now" | "deriveKey">,
): JsonObject | undefined {
  const { plan, requests } = outcome;
  if (plan === undefined) return undefined;
  const { rehearsed = false, made } = outcome;
  const { instances } = made?.project ?? {};
  const createdAt = new Date(now()).toISOString();
  const document = planDocument(plan, { createdAt, requests, rehearsed, diagnostics, instances });
  const digested = digestedPlan(document, sha256, outcome.isUndigested ? {} : unshownParts(outcome, deriveKey));
  return outcome.isUndigested ? { ...digested, digest: null } : digested;
}

/** The report on a plan; its problems are without secrets already. */
export interface PlannedReport {
  readonly outcome: PlanOutcome;
  readonly document: JsonObject | undefined;
  readonly problems: readonly Diagnostic[];
}
