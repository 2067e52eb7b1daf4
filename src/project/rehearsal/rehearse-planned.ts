import { isDeepStrictEqual } from "node:util";
import { createClient } from "../../client/index.ts";
import { type Diagnostic, hasErrors, thrownWords } from "../../model/diagnostic.ts";
import type { Plan } from "../../plan/plan.ts";
import type { PlanInput } from "../../plan/plan-input.ts";
import type { Fork, Forked } from "../../rehearse/rehearse-plan.ts";
import type { ServiceAnswer, Snapshot } from "../../service/index.ts";
import { sha256 } from "../../workspace/hash.ts";
import { bundledKey } from "../known-secrets.ts";
import { serviceTransport } from "../open-client.ts";

/** A plan that was made, as far as a rehearsal needs it. */
export interface Rehearsable {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  readonly blocked: readonly Diagnostic[];
  readonly contents: (hash: string) => string | Uint8Array | undefined;
  readonly service?: { readonly embedded: boolean };
  readonly rehearsed?: true;
}

/**
 * The outcome after a rehearsal of its plan, with what that found. A plan that changes nothing at the service, or may not be
 * applied, is not rehearsed, and nothing is loaded for it.
 */
export async function rehearsePlanned<P extends Rehearsable>(
  outcome: P,
  input: PlanInput,
  secrets: readonly string[],
): Promise<P> {
  const { plan, contents, diagnostics, blocked, service } = outcome;
  if (plan === undefined || plan.operations.length === 0) return outcome;
  if (hasErrors(diagnostics) || blocked.length > 0) return outcome;
  const { rehearsePlan } = await import("../../rehearse/rehearse-plan.ts");
  const isLive = service?.embedded !== true;
  const fork: Fork = (records, at) => forkOf(records, { ...at, secrets });
  try {
    const found = await rehearsePlan(plan, {
      ...{ input, fork, contents, isLive },
      hash: sha256,
    });
    return { ...outcome, diagnostics: [...diagnostics, ...found], rehearsed: true };
  } catch (thrown) {
    return { ...outcome, diagnostics: [...diagnostics, notRehearsed(thrown)] };
  }
}

/** The outcome with what a rehearsal of the same plan found before; undefined where that was another plan, or not rehearsed. */
export function rehearsedBefore<P extends Rehearsable>(outcome: P, earlier: Rehearsable | undefined): P | undefined {
  if (earlier?.rehearsed !== true || !isSamePlan(outcome.plan, earlier.plan)) return undefined;
  const found = earlier.diagnostics.filter(({ code }) => code === "LF3019" || code === "LF3020");
  return { ...outcome, diagnostics: [...outcome.diagnostics, ...found], rehearsed: true };
}

/** The same is done to the same objects: the lineage of a state that is not stored yet may be another one. */
function isSamePlan(plan: Plan | undefined, other: Plan | undefined): boolean {
  return isDeepStrictEqual(plan?.changes, other?.changes) && isDeepStrictEqual(plan?.operations, other?.operations);
}

type Records = Parameters<Fork>[0];

/** A client of a bundled service in this process that has these records and nothing else. */
async function forkOf(
  tables: Records,
  { now, firstId, secrets }: Parameters<Fork>[1] & { readonly secrets: readonly string[] },
): Promise<Forked> {
  const { createService } = await import("../../service/index.ts");
  const counters = [...Object.keys(tables), "providerConfiguration", "trigger", "condition", "action", "gatewayKey"];
  const next = Object.fromEntries(counters.map((name) => [name, firstId]));
  const state: Snapshot = { format: "loadform-service/1", next, salt: "rehearsal", tables };
  const service = createService({ clock: { mode: "frozen", now }, apiKey: bundledKey, state });
  let origin: ServiceAnswer["origin"];
  const transport = serviceTransport({
    async handle(request) {
      const answer = await service.handle(request);
      if (request.method !== "GET" && request.method !== "HEAD") origin = answer.origin;
      return answer;
    },
  });
  const api = createClient({ url: "http://rehearsal", apiKey: bundledKey, secrets, transport });
  const takeRefusal = () => {
    const taken = origin;
    origin = undefined;
    return taken;
  };
  return { api, takeRefusal };
}

/** The live tree has something that the bundled service cannot have, such as a value that its API's documents do not name. */
function notRehearsed(thrown: unknown): Diagnostic {
  const words = thrownWords(thrown);
  const detail = `The live objects could not be put into the bundled service: ${words}. The plan is valid without it; --no-rehearsal omits this message`;
  return { severity: "warning", code: "LF3021", summary: "the plan was not rehearsed", detail };
}
