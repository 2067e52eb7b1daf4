import type { Diagnostic } from "../model/diagnostic.ts";
import { placeWords } from "./command-place.ts";
import type { PlanInput } from "./plan-input.ts";
import { isSameService } from "./same-service.ts";

/** A state belongs to one service, organization and environment; no flag overrides it (engine.md 2.12). */
export function otherTarget(
  input: Pick<PlanInput, "state" | "target" | "environment" | "folder" | "variables">,
): readonly Diagnostic[] {
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
