import { resolve } from "node:path";
import { liveHandle } from "../../model/tree.ts";
import { type DriftFlags, type DriftOutcome, driftOf, driftPlanFlags } from "../drift-project.ts";
import { orExplained } from "../explain-failure.ts";
import type { System } from "../system.ts";
import type { BoundObjects } from "./find-conflicts.ts";
import { boundBy, type PlannedProject, type PlannedProjects, planProjects } from "./plan-projects.ts";

/** One of several projects, compared with what is live. */
export interface DriftedProject extends PlannedProject {
  readonly drift: DriftOutcome;
}

type Refused = Extract<PlannedProjects, { readonly is: "refused" }>;

/** The drift of several projects: an object that another one of them binds is nobody's undeclared object. */
export async function driftProjects(
  dirs: readonly string[],
  flags: Omit<DriftFlags, "dir" | "accept">,
  system: System,
): Promise<Refused | { readonly is: "compared"; readonly projects: readonly DriftedProject[] }> {
  const asked = { ...flags, accept: [] };
  const planned = await planProjects(dirs, driftPlanFlags(asked), system);
  if (planned.is === "refused") return planned;
  const bound = (await Promise.all(planned.projects.map((each) => boundBy(each, system)))).flatMap(
    (each) => each ?? [],
  );
  const projects = planned.projects.map(async (project): Promise<DriftedProject> => {
    const { dir, outcome } = project;
    const failed = (diagnostics: DriftOutcome["diagnostics"]): DriftOutcome => ({
      diagnostics,
      blocked: [],
      planned: outcome,
    });
    const own = { ...asked, dir: resolve(system.cwd, dir), boundByOthers: boundBeside(dir, bound) };
    return { ...project, drift: await orExplained(() => driftOf(outcome, own, system), failed) };
  });
  return { is: "compared", projects: await Promise.all(projects) };
}

/** Live objects at the service of a project that the others bind, with their owners in words. */
function boundBeside(own: string, bound: readonly BoundObjects[]): ReadonlyMap<string, string> {
  const place = bound.find(({ dir }) => dir === own)?.at;
  const others = bound.filter(({ dir, at }) => dir !== own && at === place);
  return new Map(
    others.flatMap(({ dir, ids }) =>
      Object.entries(ids).flatMap(([kind, all]) =>
        all.map((id) => [liveHandle(kind, id), `the project in ${dir}`] as const),
      ),
    ),
  );
}
