import type { Diagnostic } from "../model/diagnostic.ts";
import { placeWords } from "./command-place.ts";
import type { Plan } from "./plan.ts";
import type { PlanInput } from "./plan-input.ts";
import { isSameService } from "./same-service.ts";

/** What a state is compared with. */
type TargetInput = Pick<PlanInput, "state" | "target" | "environment" | "folder" | "variables">;

/** What there is to say of a service that the state does not belong to: that, and nothing that is or is not there. */
export function planElsewhere(input: TargetInput & Pick<PlanInput, "project">): Plan | undefined {
  const guards = otherTarget(input).map((diagnostic) => ({ guard: "target", diagnostic }) as const);
  if (guards.length === 0) return undefined;
  return {
    project: input.project,
    ...(input.environment === undefined ? {} : { environment: input.environment }),
    target: input.target,
    changes: [],
    drift: [],
    unmanaged: [],
    foundMoves: [],
    operations: [],
    pauses: [],
    settles: {},
    pending: [],
    guards,
    summary: { create: 0, update: 0, delete: 0, replace: 0, import: 0, move: 0, forget: 0, noop: 0 },
    diagnostics: [],
  };
}

/** A state belongs to one service, organization and environment; no flag overrides it (docs/engine.md, Guards). */
export function otherTarget(input: TargetInput): readonly Diagnostic[] {
  const { state, target, environment } = input;
  const problems: string[] = [];
  if (state.target && !isSameService(state.target.url, target.url))
    problems.push(`service ${state.target.url}, expected ${target.url}`);
  if (state.target && state.target.organization !== target.organization)
    problems.push(`organization ${state.target.organization}, expected ${target.organization}`);
  if (state.serial > 0 && state.environment !== environment)
    problems.push(`environment ${state.environment ?? "(none)"}, expected ${environment ?? "(none)"}`);
  if (problems.length === 0) return [];
  const own =
    state.environment === environment ? "" : " Two environments want a state each: set state under environments, too.";
  const detail = `found a state of ${problems.join("; ")}.${own} If it moved on purpose, run: loadform state retarget${placeWords(input)}`;
  return [{ severity: "error", code: "LF4006", summary: "the state belongs to another target", detail }];
}
