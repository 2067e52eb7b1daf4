import { kinds } from "../../src/kinds/index.ts";
import { declaredInput, type PlanInput, plainOptions } from "../../src/plan/plan-input.ts";
import type { PlanOutcome } from "../../src/project/plan-opened.ts";
import { rigStart } from "./rig.ts";

/** What a plan of a rig was made from. */
export function planInputOf({ plan, made }: Pick<PlanOutcome, "plan" | "made">): PlanInput {
  if (plan === undefined || made === undefined) throw new Error("there is no plan");
  const { project, live, readKinds, state } = made;
  return {
    ...declaredInput(kinds, project),
    ...{ project: project.name, folder: ".", variables: [], target: plan.target },
    ...{ desired: project.tree, live, readKinds, state, options: plainOptions },
    ...{ fingerprint: () => "", now: rigStart, history: new Map() },
  };
}
