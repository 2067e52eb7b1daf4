import type { Api } from "../../api/routes.ts";
import { driftProblems } from "../../drift/find-drift.ts";
import { hasErrors, redactDiagnostic } from "../../model/diagnostic.ts";
import type { CheckResult } from "../../watch/check-result.ts";
import type { CheckRequest } from "../../watch/process/check-request.ts";
import type { PlanOutcome } from "../plan-opened.ts";
import type { System } from "../system.ts";
import { busyObjects } from "./busy-objects.ts";
import { findDifferences, redactorOf } from "./find-differences.ts";

/** A plan as the result of a check; runs under way are asked for only where something could be healed. */
export async function judgePlan(
  outcome: PlanOutcome,
  { request, system, api }: { readonly request: CheckRequest; readonly system: System; readonly api: Api },
): Promise<CheckResult> {
  const { plan, diagnostics } = outcome;
  const { prune, heal } = request;
  // Without those that are only about applying, which block it.
  const problems = driftProblems(plan, diagnostics, true).diagnostics;
  if (plan === undefined || hasErrors(problems)) {
    const redact = redactorOf(outcome, system);
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
