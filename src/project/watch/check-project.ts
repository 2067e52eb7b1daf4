import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Plan } from "../../plan/plan.ts";
import type { CheckEnd, CheckResult, Found } from "../../watch/check-result.ts";
import type { CheckRequest } from "../../watch/process/check-request.ts";
import { type PlanFlags, type PlanVisitor, planProject } from "../plan-project.ts";
import type { System } from "../system.ts";
import { refusedProgram, refusedService, refusedState } from "./admit-project.ts";

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
  let requests = 0;
  const watch: System["watch"] = {
    trying(...tried) {
      requests++;
      system.watch?.trying(...tried);
    },
    ended: (call) => system.watch?.ended(call),
  };
  const end = await checkAndHeal(request, { ...system, watch }, talk);
  return { ...end, requests };
}

async function checkAndHeal(request: CheckRequest, system: System, talk: CheckTalk): Promise<CheckEnd> {
  const program = await refusedProgram(request);
  if (program) return { is: "failed", diagnostics: [program] };
  const first = await compare(request, system);
  if (first.is !== "checked") return first;
  const { findings, unrecorded, blocked } = first.found;
  const asked = new Set(await talk.compared(first.found));
  const wanted = findings.filter(
    ({ address, busy, ends }) => asked.has(address) && busy === undefined && (request.prune || !ends),
  );
  const addresses = [...wanted.map(({ address }) => address), ...unrecorded.filter((address) => asked.has(address))];
  if (addresses.length === 0 || blocked.length > 0 || talk.signal.aborted) return first;
  const { signal, beforeWrites } = talk;
  const flags = { ...flagsOf(request), visitor: admissionOf(request).visitor };
  const { healObjects } = await import("./heal-objects.ts");
  const origins = new Map(findings.map(({ address, origin }) => [address, origin]));
  const heal = await healObjects({ addresses, origins, prune: request.prune, flags, signal, beforeWrites }, system);
  const after = signal.aborted ? first : await compare(request, system);
  return after.is === "refused" ? after : { ...after, ...(heal && { heal }) };
}

function flagsOf({ dir, environment, vars = {} }: CheckRequest): Pick<PlanFlags, "dir" | "environment" | "vars"> {
  return { dir, ...(environment !== undefined && { environment }), vars };
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
async function compare(request: CheckRequest, system: System): Promise<CheckEnd> {
  const { refused, visitor } = admissionOf(request);
  let result: CheckEnd | undefined;
  const planned: PlanVisitor["planned"] = async (outcome, { api }) => {
    const { judgePlan } = await import("./judge-plan.ts");
    result = await judgePlan(outcome, { request, system, api });
  };
  const flags = { ...flagsOf(request), answerOnly: true, visitor: { ...visitor, planned } };
  const outcome = await planProject(flags, system);
  if (refused.service) return { is: "refused", diagnostics: [refused.service] };
  if (result !== undefined && outcome.made !== undefined) return result;
  const { plan, diagnostics } = outcome;
  return plan === undefined ? { is: "failed", diagnostics } : { is: "checked", found: unchanged(plan) };
}

/** Nothing was compared, as everything is known to be as it was. */
function unchanged({ summary }: Plan): Found {
  const nothing = { findings: [], unrecorded: [], blocked: [], warnings: [], plan: "" };
  return { ...nothing, documents: "", difference: "", objects: summary.noop };
}
