import { relative, resolve } from "node:path";
import { standardStatePath } from "../config/settings.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isSameTarget } from "../plan/same-service.ts";
import type { State, Target } from "../state/state.ts";
import { diskFiles } from "../state/state-files.ts";
import type { StoredState } from "../state/store.ts";
import { commandWords } from "./command-place.ts";
import type { OpenProject } from "./load-folder.ts";
import { stateAt } from "./state-at.ts";
import type { World } from "./world.ts";

type Placed = Pick<OpenProject, "name" | "root" | "environment" | "state">;

/** A state of this project where states stand by default, while the project says another place. */
interface Leftover {
  readonly path: string;
  readonly state: State;
  /** What happened after its last write stands beside it. */
  readonly hasJournal: boolean;
}

/** The file that a project left when its `state:` changed; undefined where it still is the place, and where there is none. */
export async function findLeftover(project: Placed, world: World): Promise<Leftover | undefined> {
  const { root, environment, state: declared } = project;
  const path = resolve(root, standardStatePath(environment));
  if (declared.backend === "memory" || (declared.backend === "local" && resolve(root, declared.path) === path))
    return undefined;
  const former = stateAt({ ...project, state: { backend: "local", path } }, world);
  const stored = await former.read().catch(() => undefined);
  const isOurs = stored?.state.project === project.name && stored.state.environment === environment;
  if (stored === undefined || !isOurs) return undefined;
  const hasJournal = ((await diskFiles.read(`${path}.journal`)) ?? "") !== "";
  return { path, state: stored.state, hasJournal };
}

/** Refuses to plan from nothing while the state of the same objects stands where it was before `state:` changed. */
export async function leftBehind(
  project: Placed,
  { stored, target, world }: { readonly stored: StoredState; readonly target: Target; readonly world: World },
): Promise<readonly Diagnostic[]> {
  if (stored.state.serial > 0) return [];
  const left = await findLeftover(project, world);
  const bindings = Object.keys(left?.state.resources ?? {}).length;
  if (left === undefined || bindings === 0 || !isHere(left.state, target)) return [];
  const file = relative(world.cwd, left.path);
  const found = `found no state at ${stateAt(project, world).where}, but one of this project in ${file} (serial ${left.state.serial}, ${bindings} bound); expected it to come along when state: changes`;
  return [
    {
      severity: "error",
      code: "LF5009",
      summary: "the state was left behind",
      detail: `${found}. ${wayOf(project, { left, file, world })}\nTo start without it, move that file away.`,
    },
  ];
}

const isHere = ({ target }: State, now: Target) => target !== undefined && isSameTarget(target, now);

function wayOf(
  project: Placed,
  { left, file, world }: { readonly left: Leftover; readonly file: string; readonly world: World },
): string {
  const words = commandWords(project, world);
  if (!left.hasJournal) return `To take it along, run:\n  loadform state push${words} < ${file}`;
  const push = `loadform state push${words} < state.json`;
  return `A killed run left a journal beside it. To take both along, put the former state: back, and run:\n  loadform state pull${words} > state.json\nThen change state: again, and run:\n  ${push}`;
}

/** Says how to bring a state where there is none and what is declared exists already. */
export function noStateHint(
  project: Placed,
  {
    stored,
    found,
    world,
  }: { readonly stored: StoredState; readonly found: readonly Diagnostic[]; readonly world: World },
): readonly Diagnostic[] {
  const collides = found.some(({ code, severity }) => severity === "error" && (code === "LF3001" || code === "LF3002"));
  if (stored.state.serial > 0 || !collides) return [];
  const words = commandWords(project, world);
  return [
    {
      severity: "warning",
      code: "LF5009",
      summary: "there is no state here yet",
      detail: `found nothing at ${stateAt(project, world).where}, and objects that are declared exist already. If this project was applied from another place or with another state:, bring its state along. There, run:\n  loadform state pull${words} > state.json\nand here:\n  loadform state push${words} < state.json`,
    },
  ];
}
