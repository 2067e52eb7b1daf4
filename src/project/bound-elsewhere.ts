import { dirname, relative, resolve } from "node:path";
import { readEntry } from "../config/read-entry.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { Tree } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import { isSameTarget } from "../plan/same-service.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { State, Target } from "../state/state.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import type { OpenProject } from "./load-folder.ts";
import { loadFolder } from "./load-folder.ts";
import { diagnosticsOf } from "./problem.ts";
import { stateAt } from "./state-at.ts";
import type { World } from "./world.ts";

type Placed = Pick<OpenProject, "name" | "root" | "environment" | "state" | "vars">;

/** What other environments of a project bind, and those of which that could not be found out. */
export interface BoundElsewhere {
  /** By live handle, in words: "environment dev". */
  readonly owners: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Where a state may stand. */
interface Place {
  /** In words. */
  readonly name: string;
  readonly project: Placed;
}

/**
 * Live objects that another environment of the project with the same target binds: they are no one's to take over. Looked
 * for in local state files beside ours and in the state of each declared environment.
 */
export async function boundElsewhere(
  project: Placed,
  { world, target, live }: { readonly world: World; readonly target: Target; readonly live: Tree },
): Promise<BoundElsewhere> {
  const owners = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const places = [...(await declaredPlaces(project, world)), ...(await placesBeside(project))];
  for (const { name, project: other } of differing(places, project)) {
    const found = await stateOf(other, world).catch((thrown: unknown) => thrown);
    if (found instanceof Error) diagnostics.push(unreadable(name, found));
    else if (isOther(found, project, target))
      for (const handle of boundBy(found, live)) owners.set(handle, words(found));
  }
  return { owners, diagnostics };
}

async function stateOf(project: Placed, world: World): Promise<unknown> {
  return (await stateAt(project, world).read())?.state;
}

function isOther(found: unknown, project: Placed, target: Target): found is State {
  const state = found as State | undefined;
  if (state?.target === undefined || state.project !== project.name) return false;
  return state.environment !== project.environment && isSameTarget(state.target, target);
}

function boundBy({ resources }: State, live: Tree): readonly string[] {
  return Object.values(resources).flatMap(({ kind, id, createdAt }) => {
    const handle = liveHandle(kind, id);
    return live.nodes.get(handle)?.identity?.createdAt === createdAt ? [handle] : [];
  });
}

function words({ environment }: State): string {
  return environment === undefined
    ? "this project without an environment"
    : `environment ${environment} of this project`;
}

/** The environments that the project declares, and the project without one. */
async function declaredPlaces(project: Placed, world: World): Promise<readonly Place[]> {
  const { root, vars = {} } = project;
  const workspace = diskWorkspace(root);
  const { environments } = await readEntry({ workspace, kinds, hash: sha256 }).then(
    ({ document }) => document,
    () => ({}) as { environments?: undefined },
  );
  const names = [undefined, ...Object.keys(isObject(environments) ? environments : {})];
  const others = names.filter((name) => name !== project.environment);
  return Promise.all(
    others.map(async (environment): Promise<Place> => {
      const flags = { dir: root, vars, ...(environment === undefined ? {} : { environment }) };
      const name = environment === undefined ? "the project without an environment" : `environment ${environment}`;
      return { name, project: await loadFolder(flags, world, "warning") };
    }),
  );
}

/** Local files beside ours that a former or a nameless environment may have left. */
async function placesBeside(project: Placed): Promise<readonly Place[]> {
  const { root, state } = project;
  if (state.backend !== "local") return [];
  const folder = dirname(resolve(root, state.path));
  const files = await diskWorkspace(folder)
    .glob(["state*.json", "*.state.json"])
    .catch(() => []);
  return files.map((file): Place => {
    const path = resolve(folder, file);
    return { name: relative(root, path), project: { ...project, state: { backend: "local", path } } };
  });
}

/** Each place once, without ours and without those that keep nothing. */
function differing(places: readonly Place[], { root, state }: Placed): readonly Place[] {
  const keyOf = (settings: Placed["state"]) =>
    settings.backend === "local" ? resolve(root, settings.path) : JSON.stringify(settings);
  const known = new Set([keyOf(state)]);
  return places.filter(({ project }) => {
    // A database keeps the state of each environment under its name.
    const key = `${keyOf(project.state)}${project.state.backend === "postgres" ? (project.environment ?? "") : ""}`;
    if (project.state.backend === "memory" || known.has(key)) return false;
    known.add(key);
    return true;
  });
}

function unreadable(name: string, thrown: Error): Diagnostic {
  const [first] = diagnosticsOf(thrown) ?? [];
  const why = first === undefined ? thrown.message : `${first.summary}: ${first.detail}`;
  const detail = `${why}. What it binds is not known, so look yourself that nothing of it is taken over`;
  return { severity: "warning", code: "LF5002", summary: `the state of ${name} cannot be read`, detail };
}
