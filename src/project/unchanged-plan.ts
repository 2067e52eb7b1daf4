import { areSameFiles, type InputFiles } from "../config/read-files.ts";
import type { ProjectSettings } from "../config/settings/settings.ts";
import type { Target } from "../model/target.ts";
import type { Plan } from "../plan/plan.ts";
import { type PlanOptions, plainOptions } from "../plan/plan-input.ts";
import type { SeenAnswers } from "../remote/watched-api.ts";
import type { IdsByKind } from "../state/state.ts";
import type { FetchedState, StoredState } from "../state/store.ts";
import { sha256 } from "../workspace/hash.ts";
import { userCache } from "../workspace/user-cache.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { writingFile } from "../workspace/write-together.ts";
import type { OpenProject, ProjectPlace } from "./connect.ts";
import type { LoadedProject } from "./open-project.ts";
import type { PlanOutcome } from "./plan-opened.ts";
import { askedEnvironment, type ProjectFlags, type System } from "./system.ts";

/**
 * A plan that found nothing to do and nothing to say, with all its inputs: the same inputs would give the same plan. It
 * is stored in the user's cache, and contains no hash of a secret.
 */
export interface UnchangedPlan {
  /** The build of loadform and the version of Node. */
  readonly program: string;
  /** $LOADFORM_URL; "" where it is not set. */
  readonly override: string;
  readonly files: InputFiles;
  /** Where the project acts, as all this says. */
  readonly settings: ProjectSettings;
  readonly target: Target;
  /** Hash of the state as it was fetched, pending creates included. */
  readonly state: string;
  /** Hashes of all answers of the service, without members that change by themselves. */
  readonly answers: SeenAnswers;
  /** Objects without changes. */
  readonly noop: number;
  /** The objects that the state binds alone. */
  readonly bound: IdsByKind;
}

/** A project, loaded or known to be as it was. */
export interface ProjectFound {
  readonly place: ProjectPlace;
  readonly loaded?: LoadedProject;
  /** Its last plan, of the same files. */
  readonly last?: UnchangedPlan;
}

export type PlanMemory = NonNullable<ReturnType<typeof planMemory>>;

interface PlanMade extends Pick<OpenProject, "connection"> {
  readonly outcome: PlanOutcome;
  readonly project: LoadedProject;
  readonly stored: StoredState;
  readonly fetched: FetchedState;
}

const plain = JSON.stringify(plainOptions);

/**
 * Where a plan of this folder with these flags is remembered; undefined where options change the answer, or where values come from
 * the command line or the environment, as no hash of them is stored.
 */
export function planMemory({ root }: Workspace, flags: ProjectFlags, options: PlanOptions, system: System) {
  const { program, env } = system;
  const isPlain = JSON.stringify(options) === plain;
  const isGiven =
    Object.keys(flags.vars).length > 0 || Object.keys(env).some((name) => name.startsWith("LOADFORM_VAR_"));
  // Limits depend on the clock, and those from outside on a file that is none of the project's.
  const isLimited = (env["LOADFORM_LIMITS"] ?? "") !== "";
  if (program === undefined || !isPlain || isGiven || isLimited) return undefined;
  const asked = askedEnvironment(flags.environment, env);
  const askedOf = asked === undefined ? {} : { asked };
  const cache = userCache(root, env);
  // One for each environment that commands name, as pipelines plan several in turn.
  const file = asked === undefined ? "unchanged-plan" : `unchanged-plan-${sha256(asked).slice(0, 16)}`;
  const key = { program, override: env["LOADFORM_URL"] ?? "" };
  return {
    /** The project and its last plan, if its files are still the same; neither the state nor the service is read. */
    async recall(workspace: Workspace): Promise<ProjectFound | undefined> {
      const last = JSON.parse((await cache.read(file)) ?? "null") as UnchangedPlan | null;
      if (last?.program !== key.program || last.override !== key.override) return undefined;
      const isSame = !(await workspace.exists(writingFile)) && (await areSameFiles(last.files, workspace, sha256));
      return isSame ? { place: { ...last.settings, root, ...askedOf, vars: {}, secrets: [] }, last } : undefined;
    },
    /** Remembers a plan if it found nothing to do; failing to fails nothing. */
    async remember(made: PlanMade): Promise<void> {
      const plan = await unchangedPlan(made);
      if (plan) await cache.write(file, JSON.stringify({ ...key, ...plan }));
    },
  };
}

/** The plan as it is remembered; undefined where there is something to do or to say, or the same inputs could not be recognized again. */
async function unchangedPlan(made: PlanMade): Promise<Omit<UnchangedPlan, "program" | "override"> | undefined> {
  const { outcome, project, stored, fetched, connection } = made;
  const { plan, diagnostics, made: { answers } = {} } = outcome;
  const isQuiet = plan !== undefined && diagnostics.length === 0 && findsNothing(plan);
  // Before the first write a state has no target; an open intent is looked for at the service.
  const isWritten = stored.intents.length === 0 && stored.state.serial > 0;
  const isLimited = project.limits !== undefined;
  // Files may contain a secret as well as the environment.
  const isSecret = () =>
    project.secrets.length > 0 || [...project.tree.nodes.values()].some(({ sensitive = [] }) => sensitive.length > 0);
  const files = isQuiet && isWritten && !isLimited && !isSecret() ? project.inputs?.() : undefined;
  if (plan === undefined || files === undefined || answers === undefined) return undefined;
  const { name, environment, service, state, live } = project;
  const settings = { name, ...(environment !== undefined && { environment }), service, state, live };
  const { noop } = plan.summary;
  const bound = (await import("./plan-opened.ts")).boundAlone(stored.state);
  return { files, settings, target: connection.target, state: fetched.digest, answers: answers(), noop, bound };
}

function findsNothing(plan: Plan): boolean {
  const { changes, drift, unmanaged, operations, pauses, pending, guards, diagnostics, stateChanges, foundMoves } =
    plan;
  const lists = [changes, drift, unmanaged, operations, pauses, pending, guards, diagnostics, foundMoves];
  return lists.every((list) => list.length === 0) && Object.keys(stateChanges).length === 0;
}
