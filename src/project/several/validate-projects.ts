import { hasErrors } from "../../model/diagnostic.ts";
import { fewAtOnce } from "../../workspace/few-at-once.ts";
import { type Validated, validateProject } from "../open-project.ts";
import type { ProjectFlags, System } from "../system.ts";
import { keyConflicts, serviceUse, stateConflicts } from "./find-conflicts.ts";
import { statePlace } from "./state-place.ts";

/** One of several projects, checked. */
export interface ValidatedProject {
  readonly dir: string;
  readonly outcome: Validated;
}

/** Projects that are checked at the same time. */
const atOnce = 4;

/** The offline checks of several projects, and those between them; a key that two services would get is a problem of all that share it. */
export async function validateProjects(
  dirs: readonly string[],
  flags: Omit<ProjectFlags, "dir">,
  system: System,
): Promise<readonly ValidatedProject[]> {
  const few = fewAtOnce(atOnce);
  const found = await Promise.all(
    dirs.map((dir) => few(async () => ({ dir, outcome: await validateProject({ ...flags, dir }, system) }))),
  );
  const usable = found.flatMap(({ dir, outcome: { loaded, diagnostics } }) =>
    loaded === undefined || hasErrors(diagnostics) ? [] : [{ dir, project: loaded }],
  );
  const places = await Promise.all(usable.map(async ({ dir, project }) => ({ dir, place: await statePlace(project) })));
  const states = stateConflicts(places);
  const uses = usable.flatMap(({ dir, project }) => serviceUse(dir, project));
  const keys = keyConflicts(uses, system.env["LOADFORM_URL"] || undefined);
  const isLive = new Set(uses.map(({ dir }) => dir));
  return found.map(({ dir, outcome }) => {
    const problems = [...(states.get(dir) ?? []), ...(isLive.has(dir) ? keys : [])];
    return problems.length === 0
      ? { dir, outcome }
      : { dir, outcome: { ...outcome, diagnostics: [...outcome.diagnostics, ...problems] } };
  });
}
