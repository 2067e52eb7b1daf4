import { driftProblems } from "../../drift/find-drift.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { hasErrors, redactDiagnostic } from "../../model/diagnostic.ts";
import type { CheckResult, Found } from "../../watch/check-result.ts";
import type { CheckRequest } from "../../watch/process/check-request.ts";
import type { PlanOutcome } from "../plan-opened.ts";
import type { PlanFlags, PlanVisitor } from "../plan-project.ts";
import { planProject } from "../plan-project.ts";
import type { System } from "../system.ts";
import { refusedProgram, refusedService, refusedState } from "./admit-project.ts";
import { busyObjects } from "./busy-objects.ts";
import { findDifferences, redactorOf } from "./find-differences.ts";
import { healObjects } from "./heal-objects.ts";

/** The conversation of a check with the watcher. */
export interface CheckTalk {
  /** Is told what was found, and answers the addresses to heal. */
  readonly compared: (found: Found) => Promise<readonly string[]>;
  /** Aborted: a healing under way ends after the writes in flight. */
  readonly signal: AbortSignal;
  /** Called before the first write. */
  readonly beforeWrites: () => void;
}

/**
 * Compares a project with its service, heals what the watcher answers, and compares once more. Everything that can be wrong about a
 * project, a service or a state is in the result.
 */
export async function checkProject(request: CheckRequest, system: System, talk: CheckTalk): Promise<CheckResult> {
  const program = await refusedProgram(request);
  if (program) return { is: "failed", diagnostics: [program] };
  const first = await compare(request, system);
  if (first.is !== "checked") return first;
  const { findings } = first.found;
  const asked = new Set(await talk.compared(first.found));
  const wanted = findings.filter(
    ({ address, busy, ends }) => asked.has(address) && busy === undefined && (request.prune || !ends),
  );
  const addresses = wanted.map(({ address }) => address);
  if (addresses.length === 0 || first.found.blocked.length > 0 || talk.signal.aborted) return first;
  const { signal, beforeWrites } = talk;
  const flags = { ...flagsOf(request), visitor: admissionOf(request).visitor };
  const heal = await healObjects({ addresses, prune: request.prune, flags, signal, beforeWrites }, system);
  const after = signal.aborted ? first : await compare(request, system);
  if (after.is !== "checked") return after;
  const requests = first.found.requests + (after === first ? 0 : after.found.requests);
  return { ...after, found: { ...after.found, requests }, ...(heal && { heal }) };
}

function flagsOf({ dir, environment }: CheckRequest): Pick<PlanFlags, "dir" | "environment" | "vars"> {
  return { dir, ...(environment !== undefined && { environment }), vars: {} };
}

/** Looks at a project before its service is asked, and says whether it was the service that is another one. */
function admissionOf(request: CheckRequest) {
  const refused: { service?: Diagnostic } = {};
  const visitor: PlanVisitor = {
    admit(place) {
      const service = refusedService(place, request);
      if (service) refused.service = service;
      const problem = service ?? refusedState(place, request);
      return problem ? [problem] : [];
    },
    planned: async () => undefined,
  };
  return { refused, visitor };
}

/** One plan, with its drift, and with what is busy where something could be healed. */
async function compare(request: CheckRequest, system: System): Promise<CheckResult> {
  const { refused, visitor } = admissionOf(request);
  const { prune, heal } = request;
  let found: Found | undefined;
  const withBusy = async (outcome: PlanOutcome, api: Parameters<typeof busyObjects>[1]["api"]) => {
    if (outcome.plan === undefined) return;
    const { plan } = outcome;
    const plain = findDifferences({ ...outcome, plan }, { prune, system });
    const isHealable = heal !== undefined && plain.blocked.length === 0 && plain.findings.length > 0;
    const busy = isHealable ? await busyObjects(outcome, { api, now: system.now() }) : new Map();
    const findings = plain.findings.map((each) => {
      const why = busy.get(each.address);
      return why === undefined ? each : { ...each, busy: why };
    });
    found = { ...plain, findings };
  };
  const planned: PlanVisitor["planned"] = (outcome, { api }) => withBusy(outcome, api);
  const outcome = await planProject(
    { ...flagsOf(request), answerOnly: true, visitor: { ...visitor, planned } },
    system,
  );
  if (refused.service) return { is: "refused", diagnostics: [refused.service] };
  const failures = failuresOf(outcome);
  if (outcome.plan === undefined || failures.length > 0) {
    const redact = redactorOf(outcome, system);
    const told = failures.length > 0 ? failures : outcome.diagnostics;
    return { is: "failed", diagnostics: told.map((each) => redactDiagnostic(each, redact)) };
  }
  return { is: "checked", found: found ?? findDifferences({ ...outcome, plan: outcome.plan }, { prune, system }) };
}

/** Errors that are none of applying: the project cannot be compared at all. */
function failuresOf({ plan, diagnostics }: PlanOutcome): readonly Diagnostic[] {
  const found = driftProblems(plan, diagnostics, true).diagnostics;
  return hasErrors(found) ? found : [];
}
