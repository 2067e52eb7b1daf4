import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { isSameTarget } from "../model/target.ts";
import { emptyPlan, type PlanOptions, plainOptions } from "../plan/plan-input.ts";
import type { FetchedState } from "../state/store.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { sha256 } from "../workspace/hash.ts";
import { readOnce } from "../workspace/memory-workspace.ts";
import {
  type Connection,
  connectAlone,
  type OpenProject,
  type ProjectPlace,
  planPlace,
  watched,
  withProject,
} from "./connect.ts";
import { orExplained } from "./explain-failure.ts";
import type { LoadedProject } from "./open-project.ts";
import { freshState } from "./open-state.ts";
import type { PlanOutcome } from "./plan-opened.ts";
import type { LiveReader } from "./read-live.ts";
import type { ProjectFlags, System } from "./system.ts";
import { type PlanMemory, type ProjectFound, planMemory, type UnchangedPlan } from "./unchanged-plan.ts";

/** The options of a plan. */
export interface PlanFlags extends ProjectFlags, Partial<PlanOptions> {
  /** Requests in flight; by default it adapts, up to 16. */
  readonly parallelism?: number;
  /** Every kind of object is read, whether the project uses it or not. */
  readonly everything?: boolean;
  /** The plan is rehearsed before it is shown. */
  readonly rehearsal?: boolean;
  /** The limits are not checked. */
  readonly unlimited?: boolean;
  /** The plan is neither saved nor carried out: one that is known to be unchanged need not be compared. */
  readonly answerOnly?: boolean;
  /** Looks at the project before the first request, and at the plan while the service is open. */
  readonly visitor?: PlanVisitor;
}

/** An observer of a plan while its service is open. */
export interface PlanVisitor {
  /** Reasons to send no request at all; called before the first one. */
  readonly admit: (place: ProjectPlace) => readonly Diagnostic[];
  /** Called with a plan that was made of what the service has, not with one that is known to be unchanged. */
  readonly planned: (outcome: PlanOutcome, connection: Connection) => Promise<void>;
}

/** A project to plan, loaded or known to be as it was, with the choices of its command. */
export interface ProjectToPlan extends ProjectFound {
  readonly flags: PlanFlags;
  readonly memory: PlanMemory | undefined;
}

/**
 * Says what apply would do. It takes no lock and writes neither to the service nor to the state; it may write the user's cache, and
 * complete a `drift --accept` that was cut short. It needs the service (`memory:` will do) and the state. Without a `plan` in the
 * outcome, `diagnostics` say why; nothing is thrown for what can be wrong about a project.
 */
export async function planProject(flags: PlanFlags, system: System): Promise<PlanOutcome> {
  return orExplained(async () => planFound(await findProject(flags, system), system), notPlanned);
}

/** Finds the project of a command, without a request to any service. */
export async function findProject(flags: PlanFlags, system: System): Promise<ProjectToPlan> {
  const { everything = false, answerOnly = false } = flags;
  const workspace = readOnce(diskWorkspace(resolve(system.cwd, flags.dir)));
  const memory = answerOnly && !everything ? planMemory(workspace, flags, optionsOf(flags), system) : undefined;
  const known = await memory?.recall(workspace);
  if (known) return { ...known, flags, memory };
  const { loadWorkspace } = await comparing();
  const loaded = await loadWorkspace(workspace, flags, { system, unsetEnv: "error" });
  return { place: loaded, loaded, flags, memory };
}

/** The code that loads and compares: a plan that is remembered is answered without it, so it is loaded at the point of use. */
async function comparing() {
  const { loadFolder, loadWorkspace } = await import("./open-project.ts");
  const { failedPlan, planOpened } = await import("./plan-opened.ts");
  const { readWatched } = await import("./read-live.ts");
  return { loadFolder, loadWorkspace, failedPlan, planOpened, readWatched };
}

/** A plan that could not be made. */
export async function notPlanned(diagnostics: readonly Diagnostic[]): Promise<PlanOutcome> {
  return (await comparing()).failedPlan(diagnostics);
}

/** Plans a project over the connection that `connect` opens. */
export async function planFound(
  { place, loaded, last, flags, memory }: ProjectToPlan,
  system: System,
  connect = connectAlone,
  isLastTry = false,
): Promise<PlanOutcome> {
  const { parallelism, everything = false, unlimited = false, rehearsal = false } = flags;
  if (loaded && hasErrors(loaded.diagnostics)) return notPlanned(loaded.diagnostics);
  const refused = flags.visitor?.admit(place) ?? [];
  if (refused.length > 0) return notPlanned(refused);
  const outcome = await withProject(place, { system, parallelism, connect }, async (open) => {
    const { connection } = open;
    const begun = { readAt: system.now(), requests: connection.openingRequests };
    const fetched = await fetchState(open);
    const isOfState = last && last.state === fetched.digest && isSameTarget(last.target, connection.target);
    const known = isOfState ? last.answers : undefined;
    const api = memory && watched(connection, known);
    if (last && known && (await api?.isAsKnown())) return unchangedOutcome(open, last, fetched);
    const { loadFolder, planOpened, readWatched } = await comparing();
    const project = loaded ?? (await loadFolder(flags, system, { unsetEnv: "error" }));
    if (!isSamePlace(project, place)) return undefined;
    const stored = await fetched.read();
    const work = { project, connection, system, stored, options: optionsOf(flags) };
    const read: LiveReader | undefined = api && ((of) => readWatched(connection, api, of));
    const made = await planOpened(work, { ...begun, everything, unlimited, rehearsal, read });
    // What an apply stored meanwhile and what was read before it do not fit: an object that it created would exist already.
    if (!isLastTry && hasErrors(made.diagnostics) && (await fetchState(open)).digest !== fetched.digest)
      return undefined;
    await memory?.remember({ outcome: made, project, stored, fetched, connection });
    await flags.visitor?.planned(made, connection);
    return made;
  });
  return outcome ?? planFound(await findProject(flags, system), system, connect, true);
}

/** True where a project still belongs to the place that was opened; somebody may have edited its files meanwhile. */
function isSamePlace(project: LoadedProject, place: ProjectPlace): boolean {
  const members = ["name", "environment", "service", "state", "live"] as const;
  return members.every((member) => isDeepStrictEqual(project[member], place[member]));
}

/** The options in a command's flags. */
export function optionsOf(flags: Partial<PlanOptions>): PlanOptions {
  const { targets, bareTargets, replace, adopt, destroy, allowDestroy, forceThreshold, showUnmanaged } = {
    ...plainOptions,
    ...flags,
  };
  return {
    targets,
    replace,
    destroy,
    allowDestroy,
    forceThreshold,
    showUnmanaged,
    ...(adopt && { adopt }),
    ...(bareTargets && { bareTargets }),
  };
}

/** The stored state, not parsed where that can wait. */
async function fetchState({ store, project }: OpenProject<ProjectPlace>): Promise<FetchedState> {
  const fetched = await store.fetch?.();
  if (fetched) return fetched;
  const stored = await store.read();
  const known = stored ?? freshState(project);
  return { digest: sha256(JSON.stringify(stored ?? null)), read: async () => known };
}

function unchangedOutcome(open: OpenProject<ProjectPlace>, { noop, bound }: UnchangedPlan, { read }: FetchedState) {
  const { connection } = open;
  const plan = emptyPlan(planPlace(open));
  return {
    plan: { ...plan, summary: { ...plan.summary, noop } },
    diagnostics: [],
    blocked: [],
    requests: connection.client.stats().requests,
    contents: () => undefined,
    service: { ...connection.target, embedded: connection.embedded },
    stored: read,
    bound,
  };
}
