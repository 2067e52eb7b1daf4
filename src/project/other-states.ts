import { dirname, relative, resolve } from "node:path";
import { standardStatePath } from "../config/settings/state-settings.ts";
import { type Diagnostic, errorOf, warningOf } from "../model/diagnostic.ts";
import { objectOf } from "../model/json.ts";
import { isSameTarget, type Target } from "../model/target.ts";
import { liveHandle, type Tree } from "../model/tree.ts";
import type { State } from "../state/state.ts";
import type { StoredState } from "../state/store.ts";
import { diskFiles } from "../stores/local/state-files.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { explainFailure } from "./explain-failure.ts";
import { type LoadedProject, loadFolder } from "./open-project.ts";
import { openState, type StateOwner } from "./open-state.ts";
import { commandWords, type System } from "./system.ts";

type Parametrized = StateOwner & Pick<LoadedProject, "vars" | "parts">;

/** Objects bound by other environments of a project, and the environments whose state could not be read. */
export interface BoundElsewhere {
  /** By live handle, in words: "environment dev". */
  readonly owners: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

interface OtherState {
  /** In words. */
  readonly name: string;
  /** Undefined where the project cannot be loaded in that environment. */
  readonly project?: Parametrized;
}

/**
 * Live objects that another environment of the project with the same target binds: none of them may be adopted. Looked
 * for in local state files beside ours and in the state of each declared environment.
 */
export async function boundElsewhere(
  project: Parametrized,
  { system, target, live }: { readonly system: System; readonly target: Target; readonly live: Tree },
): Promise<BoundElsewhere> {
  const owners = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const others = [...(await declaredStates(project, system)), ...(await statesBeside(project))];
  for (const { name, project: other } of differing(others, project)) {
    // One that cannot even be opened, such as at a wrong address, is no reason to refuse the plan either.
    const read = async () => (other ? openState(other, system).read() : notLoaded);
    const found: unknown = await read().catch((thrown: unknown) => thrown);
    if (found instanceof Error) diagnostics.push(unreadableState(name, found));
    else if (isOther(found, project, target))
      for (const handle of boundBy(found.state, live)) owners.set(handle, ownerWords(found.state));
  }
  return { owners, diagnostics };
}

const notLoaded = new Error("The project cannot be loaded there, as loadform validate --env shows");

function isOther(found: unknown, project: Parametrized, target: Target): found is StoredState {
  const state = (found as StoredState | undefined)?.state;
  if (state?.target === undefined || state.project !== project.name) return false;
  return state.environment !== project.environment && isSameTarget(state.target, target);
}

function boundBy({ resources }: State, live: Tree): readonly string[] {
  return Object.values(resources).flatMap(({ kind, id, createdAt }) => {
    const handle = liveHandle(kind, id);
    return live.nodes.get(handle)?.identity?.createdAt === createdAt ? [handle] : [];
  });
}

function ownerWords({ environment }: State): string {
  return environment === undefined
    ? "this project without an environment"
    : `environment ${environment} of this project`;
}

async function declaredStates(project: Parametrized, system: System): Promise<readonly OtherState[]> {
  const { root, vars = {} } = project;
  const load = (environment = "") => loadFolder({ dir: root, vars, environment }, system, { unsetEnv: "warning" });
  // A saved plan has no document. A program that needs an environment fails in any other one, so it is asked in ours.
  const { parts } = project.parts ? project : await load(project.environment);
  const names = [undefined, ...Object.keys(objectOf(parts?.document.environments))];
  const others = names.filter((name) => name !== project.environment);
  const states = await Promise.all(
    others.map(async (environment): Promise<readonly OtherState[]> => {
      const name = environment === undefined ? "the project without an environment" : `environment ${environment}`;
      const found = await load(environment);
      if (found.parts) return [{ name, project: found }];
      // A project that an import makes has no other environment yet.
      return found.diagnostics.some(({ code }) => code === "LF1001") ? [] : [{ name }];
    }),
  );
  return states.flat();
}

/** Local state files beside ours: of a former environment, or of none. */
async function statesBeside(project: Parametrized): Promise<readonly OtherState[]> {
  const { root, state } = project;
  if (state.backend !== "local") return [];
  const folder = dirname(resolve(root, state.path));
  const files = await diskWorkspace(folder)
    .glob(["state*.json", "*.state.json"])
    .catch(() => []);
  return files.map((file): OtherState => {
    const path = resolve(folder, file);
    return { name: relative(root, path), project: { ...project, state: { backend: "local", path } } };
  });
}

/** Each location once, without ours and without those that store nothing. */
function differing(others: readonly OtherState[], own: Parametrized): readonly OtherState[] {
  const known = new Set([locationKey(own)]);
  return others.filter(({ project }) => {
    if (project === undefined) return true;
    const key = locationKey(project);
    if (project.state.backend === "memory" || known.has(key)) return false;
    known.add(key);
    return true;
  });
}

/** Of the same location the same; a database, and a branch without a path, keep the state of each environment under its name. */
function locationKey({ root, state, environment = "" }: Parametrized): string {
  if (state.backend === "local") return resolve(root, state.path);
  const isByName = state.backend === "postgres" || (state.backend === "git" && state.path === undefined);
  return `${JSON.stringify(state)}${isByName ? environment : ""}`;
}

function unreadableState(name: string, thrown: Error): Diagnostic {
  const [first] = explainFailure(thrown) ?? [];
  const why = first === undefined ? thrown.message : `${first.summary}: ${first.detail}`;
  const detail = `${why}. It is not known what it binds, so make sure yourself that none of its objects is taken over`;
  return { severity: "warning", code: "LF5002", summary: `the state of ${name} cannot be read`, detail };
}

/**
 * The state file at the default location, from before `state:` changed, and whether a journal beside it has what happened after its
 * last write; undefined where that is still the location, and where there is none.
 */
export async function findPreviousState(project: StateOwner, system: System) {
  const { root, environment, state: declared } = project;
  const path = resolve(root, standardStatePath(environment));
  if (declared.backend === "memory" || (declared.backend === "local" && resolve(root, declared.path) === path))
    return undefined;
  const former = openState({ ...project, state: { backend: "local", path } }, system);
  const stored = await former.read().catch(() => undefined);
  const isOurs = stored?.state.project === project.name && stored.state.environment === environment;
  if (stored === undefined || !isOurs) return undefined;
  return { path, state: stored.state, hasJournal: ((await diskFiles.read(`${path}.journal`)) ?? "") !== "" };
}

/** Refuses to plan from nothing while the state of the same objects is where it was before `state:` changed. */
export async function previousStateProblems(
  project: StateOwner,
  { stored, target, system }: { readonly stored: StoredState; readonly target: Target; readonly system: System },
): Promise<readonly Diagnostic[]> {
  if (stored.state.serial > 0) return [];
  const previous = await findPreviousState(project, system);
  const bindings = Object.keys(previous?.state.resources ?? {}).length;
  if (previous === undefined || bindings === 0 || !isHere(previous.state, target)) return [];
  const file = relative(system.cwd, previous.path);
  const found = `There is no state at ${openState(project, system).where}, but one of this project in ${file} (serial ${previous.state.serial}, ${bindings} bound). When state: changes, the state must be moved, too`;
  const words = commandWords(project, system);
  const push = `loadform state push${words}`;
  const way = previous.hasJournal
    ? `A killed run left a journal next to it. To move both, restore the former state:, and run:\n  loadform state pull${words} > state.json\nThen change state: again, and run:\n  ${push} < state.json`
    : `To move it, run:\n  ${push} < ${file}`;
  const detail = `${found}. ${way}\nTo start without it, move that file away.`;
  return [errorOf("LF5009", "the state was left behind", detail)];
}

const isHere = ({ target }: State, now: Target) => target !== undefined && isSameTarget(target, now);

/** Advice on bringing a state along, where there is none and declared objects exist already. */
export function noStateHint(
  project: StateOwner,
  {
    stored,
    found,
    system,
  }: { readonly stored: StoredState; readonly found: readonly Diagnostic[]; readonly system: System },
): readonly Diagnostic[] {
  const collides = found.some(({ code, severity }) => severity === "error" && (code === "LF3001" || code === "LF3002"));
  if (stored.state.serial > 0 || !collides) return [];
  const words = commandWords(project, system);
  const detail = `There is no state at ${openState(project, system).where}, and some of the declared objects exist already. If this project was applied from another place or with another state:, move its state. There, run:\n  loadform state pull${words} > state.json\nand here:\n  loadform state push${words} < state.json\nIf its state is lost, bind all objects that match their declarations at once, instead of one by one as below:\n  loadform apply${words} --adopt exact`;
  return [warningOf("LF5009", "there is no state here yet", detail)];
}
