import type { Project } from "../config/load-project.ts";
import { kinds } from "../kinds/index.ts";
import type { PlanInput } from "../plan/plan-input.ts";

/** What a plan takes from the project. */
export function declaredInput({
  name,
  environment,
  tree,
  moved,
  removed,
  locate,
}: Pick<Project, "name" | "environment" | "tree" | "moved" | "removed" | "locate">): Pick<
  PlanInput,
  "kinds" | "project" | "environment" | "desired" | "moved" | "removed" | "locate"
> {
  return {
    kinds,
    project: name,
    ...(environment === undefined ? {} : { environment }),
    desired: tree,
    moved,
    removed,
    locate,
  };
}
