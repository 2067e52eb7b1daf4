import type { Api } from "../../api/routes.ts";
import { driftProblems, findDrift } from "../../drift/find-drift.ts";
import { kinds } from "../../kinds/index.ts";
import { type Diagnostic, hasErrors, redactDiagnostic } from "../../model/diagnostic.ts";
import { canonicalJson } from "../../model/json.ts";
import { makePlan } from "../../plan/make-plan.ts";
import { type Change, type GuardHit, isEnding, type Plan } from "../../plan/plan.ts";
import { declaredInput } from "../../plan/plan-input.ts";
import { planText } from "../../report/plan-text.ts";
import { plainPalette } from "../../report/terminal-text.ts";
import { secretFingerprint } from "../../state/secret-fingerprint.ts";
import type { CheckEnd, Finding, Found } from "../../watch/check-result.ts";
import type { CheckRequest } from "../../watch/process/check-request.ts";
import { sha256 } from "../../workspace/hash.ts";
import { redactSecrets, secretHolders } from "../known-secrets.ts";
import type { PlanOutcome } from "../plan-opened.ts";
import { commandPlace, type System } from "../system.ts";
import { busyObjects, unrecordedObjects } from "./healable-objects.ts";

/** A plan as the result of a check; runs under way are asked for only where something could be healed. */
export async function judgePlan(
  outcome: PlanOutcome,
  { request, system, api }: { readonly request: CheckRequest; readonly system: System; readonly api: Api },
): Promise<CheckEnd> {
  const { plan, diagnostics } = outcome;
  const { prune, heal } = request;
  // Without those that are only about applying, which block it.
  const problems = driftProblems(plan, diagnostics, true).diagnostics;
  if (plan === undefined || hasErrors(problems)) {
    const redact = redactSecrets(system.env, secretHolders(outcome));
    return { is: "failed", diagnostics: problems.map((each) => redactDiagnostic(each, redact)) };
  }
  const found = findDifferences({ ...outcome, plan }, { prune, system });
  if (heal === undefined || found.blocked.length > 0 || found.findings.length === 0) return { is: "checked", found };
  const busy = await busyObjects(outcome, { api, now: system.now() });
  const findings = found.findings.map((each) => {
    const why = busy.get(each.address);
    return why === undefined ? each : { ...each, busy: why };
  });
  return { is: "checked", found: { ...found, findings } };
}

/** Characters of the plan that the watcher is told. */
const mostText = 200_000;

/** Guards that are about the project as a whole, whatever is deleted. */
const wholeGuards: ReadonlySet<GuardHit["guard"]> = new Set(["target", "gone"]);

type Made = NonNullable<PlanOutcome["made"]>;

/** A plan as the watcher decides by it: each change with its origin, and what forbids all of them. */
function findDifferences(
  outcome: PlanOutcome & { readonly plan: Plan },
  { prune, system }: { readonly prune: boolean; readonly system: System },
): Found {
  const { plan, made, requests, contents } = outcome;
  const style = { palette: plainPalette, requests, contents, instances: made?.project.instances };
  const redact = redactSecrets(system.env, secretHolders(outcome));
  const told = (all: readonly Diagnostic[]) => all.map((each) => redactDiagnostic(each, redact));
  const findings = findingsOf(plan);
  const errors = outcome.diagnostics.filter(({ severity }) => severity === "error");
  return {
    documents: made === undefined ? "" : documentsDigest(made),
    difference: differenceDigest(plan),
    objects: made === undefined ? plan.summary.noop : made.project.tree.nodes.size,
    findings,
    unrecorded: made === undefined ? [] : unrecordedObjects(plan, made),
    // What is an error of a plan needs a flag, or a change of the files, to be applied.
    blocked: told([...errors, ...blockedBy(outcome, { prune, system })]),
    warnings: told(outcome.diagnostics.filter(({ severity }) => severity !== "error")),
    plan: findings.length === 0 ? "" : shortened(redact(planText(plan, style))),
  };
}

function findingsOf(plan: Plan): readonly Finding[] {
  const drifted = new Map(findDrift(plan).drifted.map(({ address, fields }) => [address, fields.length]));
  return plan.changes.map((change) => ({
    address: change.address,
    action: change.action,
    origin: changeOrigin(change),
    driftedFields: drifted.get(change.address) ?? 0,
    ends: isEnding(change),
  }));
}

/**
 * Drift where only somebody outside changed or deleted what was applied. What somebody created below a test case with `unmanaged: delete`
 * is deleted by what git says.
 */
export function changeOrigin({ action, reason, fields, previousAddress, importing }: Change): Finding["origin"] {
  if (action === "create") return reason === "deleted outside" ? "drift" : "git";
  if (action === "delete" || previousAddress !== undefined || importing === true) return "git";
  return fields.length > 0 && fields.every(({ cause }) => cause === "drift") ? "drift" : "git";
}

/** Guards and limits that hold; without `prune` those of a plan that deletes and replaces nothing. */
function blockedBy(
  outcome: PlanOutcome & { readonly plan: Plan },
  { prune, system }: { readonly prune: boolean; readonly system: System },
): readonly Diagnostic[] {
  const { plan, made, blocked } = outcome;
  if (prune || made === undefined || !plan.changes.some(isEnding)) return blocked;
  const limits = blocked.slice(plan.guards.length);
  const whole = plan.guards.filter(({ guard }) => wholeGuards.has(guard));
  const others = plan.changes.filter((change) => !isEnding(change)).map(({ address }) => address);
  const narrowed = others.length === 0 ? [] : narrowedPlan(made, others, system).guards;
  const fresh = narrowed.filter(({ guard }) => !wholeGuards.has(guard));
  return [...[...whole, ...fresh].map(({ diagnostic }) => diagnostic), ...limits];
}

/** The plan of the same trees about these addresses and what they need. */
function narrowedPlan(
  { project, live, readKinds, state, options, plan, readAt }: Made,
  targets: readonly string[],
  system: System,
): Plan {
  return makePlan({
    ...declaredInput(kinds, project),
    ...commandPlace(project, system),
    target: plan.target,
    ...{ live, readKinds, state },
    options: { ...options, targets, bareTargets: true },
    fingerprint: secretFingerprint(state, system.deriveKey),
    now: readAt,
    history: new Map(),
  });
}

/** Secrets are marks in it, and keyed fingerprints in the plan below: no hash of one is made here. */
function documentsDigest({ project }: Made): string {
  const { tree, variables = {}, vars = {}, environment = null } = project;
  const nodes = [...tree.nodes.values()].map(({ handle, fields, sensitive = [], sources = {}, lifecycle = {} }) => [
    handle,
    sensitive.length === 0 ? fields : sources,
    lifecycle,
  ]);
  const moves = [project.moved, project.removed];
  return sha256(canonicalJson(JSON.parse(JSON.stringify([nodes, variables, vars, environment, moves]))));
}

/** Moments at which something runs next, and counts of losses, differ from check to check and make no other difference. */
function differenceDigest({ changes }: Plan): string {
  const parts = changes.map(({ nextTimes: _next, risks: _risks, ...change }) => change);
  return sha256(canonicalJson(JSON.parse(JSON.stringify(parts))));
}

function shortened(text: string): string {
  const more = text.length - mostText;
  return more <= 0 ? text : `${text.slice(0, mostText)}\n… and ${more} more characters: see loadform plan\n`;
}
