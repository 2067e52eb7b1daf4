import type { InputHashes } from "../config/input-digest.ts";
import type { ProjectSettings } from "../config/load-project.ts";
import { askedEnvironment } from "../config/settings/settings.ts";
import { isObject } from "../model/json.ts";
import type { Plan } from "../plan/plan.ts";
import type { PlanOptions } from "../plan/plan-input.ts";
import { emptyPlan, plainOptions } from "../plan/plan-input.ts";
import type { SeenAnswers } from "../remote/watched-api.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { FetchedState, StoredState } from "../state/store.ts";
import { userCache } from "../workspace/user-cache.ts";
import type { OpenedAhead, OpenProject } from "./connect.ts";
import type { LiveLists } from "./read-live.ts";
import { readLiveLists } from "./read-live.ts";
import type { System } from "./system.ts";

/** What a plan is made from besides the answers of the service. */
export interface PlanKey {
  /** The build of loadform. */
  readonly program: string;
  /** Hashes of the files, of the environment's name and of the values of `--var`. */
  readonly inputs: InputHashes;
  readonly url: string;
  readonly organization: number;
  /** Whether the project names its organization. */
  readonly filtered: boolean;
  /** Hash of the state as it was fetched, pending creates included. */
  readonly state: string;
}

/** A plan that found nothing to do and nothing to say: made from the same again, it would find the same. */
export interface UnchangedPlan extends PlanKey {
  /** Top-level kinds that were read. */
  readonly kinds: readonly string[];
  /** Hashes of the answers of the service. */
  readonly answers: SeenAnswers;
  readonly noop: number;
}

/** One file for each environment that is asked for, as pipelines plan several in turn. */
const fileOf = (asked: string | undefined): string =>
  asked === undefined ? "unchanged-plan" : `unchanged-plan-${sha256(asked).slice(0, 16)}`;

/** The last plan of a project that found nothing to do, from the user's cache; undefined where there is none that is whole. */
export async function readUnchanged(
  root: string,
  environment: string | undefined,
  { env, program }: System,
): Promise<UnchangedPlan | undefined> {
  if (program === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(
      (await userCache(root, env).read(fileOf(askedEnvironment(environment, env)))) ?? "null",
    );
    const isWhole =
      isObject(value) &&
      isObject(value["inputs"]) &&
      Array.isArray(value["kinds"]) &&
      isObject(value["answers"]) &&
      typeof value["noop"] === "number";
    return isWhole && value["program"] === program ? (value as unknown as UnchangedPlan) : undefined;
  } catch {
    return undefined;
  }
}

/** What a plan is asked of, once everything is open. */
interface Planning extends Pick<OpenProject, "project" | "connection" | "system"> {
  /** Hash of the state as it was fetched. */
  readonly state: string;
  readonly options: PlanOptions;
}

/**
 * What a plan is made from; undefined where options change the answer, or equal inputs cannot be told from others.
 */
export function planKey({ project, connection, system, state, options }: Planning): PlanKey | undefined {
  const { program } = system;
  const { inputs } = project;
  const isPlain = JSON.stringify(options) === JSON.stringify(plainOptions);
  if (program === undefined || inputs === undefined || !isPlain) return undefined;
  const { target, filtered } = connection;
  return { program, inputs, ...target, filtered, state };
}

/**
 * Whether a main file names the service and organization of the last plan, and a local state: then what the plan needs is
 * asked for ahead. The key is sent to no other address.
 */
export function isForeseen({ service, live, state }: ProjectSettings, last: UnchangedPlan): boolean {
  const { url, organization } = service;
  const isSame = url === last.url && (organization !== undefined) === last.filtered;
  const isOther = typeof organization === "number" && organization !== last.organization;
  return live && state.backend === "local" && isSame && !isOther;
}

/** What the last plan was made from, asked for anew. */
export interface AskedAhead extends Pick<OpenedAhead, "since"> {
  readonly lists: Promise<LiveLists>;
  /** The one that the last plan was about, and may not be what the key is about now. */
  readonly organization: number;
  /** The state, read before the lists were. */
  readonly fetched: FetchedState;
}

/** Asks for the lists that the last plan was made from, once the state is read; undefined where that has changed since. */
export async function askAhead(
  { opened, fetched: fetching, settings, since }: OpenedAhead,
  { url, organization, state, answers }: UnchangedPlan,
): Promise<AskedAhead | undefined> {
  const fetched = await fetching;
  if (fetched?.digest !== state) return undefined;
  const { client } = await opened;
  const filtered = settings.service.organization !== undefined;
  const lists = readLiveLists({ api: client, client, target: { url, organization }, filtered }, answers);
  lists.catch(() => undefined);
  return { lists, organization, fetched, since };
}

/** Whether a plan made from a state may be remembered: no intent is open, and the state was written, before which it has no target. */
export function mayBeRemembered({ state, intents }: StoredState): boolean {
  return intents.length === 0 && state.serial > 0;
}

/** The last unchanged plan, if all but the service and the files is as it was then; and whether the files are, too. */
export function sameKey(
  last: UnchangedPlan | undefined,
  key: PlanKey | undefined,
): { readonly last: UnchangedPlan; readonly sameFiles: boolean } | undefined {
  if (last === undefined || key === undefined) return undefined;
  const { inputs, ...others } = key;
  const isSame = (Object.keys(others) as (keyof typeof others)[]).every((member) => last[member] === key[member]);
  return isSame ? { last, sameFiles: inputs.digest.all === last.inputs.digest.all } : undefined;
}

/** Whether a plan finds nothing to do and has nothing to say. */
export function isUnchanged(plan: Plan): boolean {
  const { changes, drift, unmanaged, operations, pauses, pending, guards, diagnostics, settles, foundMoves } = plan;
  const lists = [changes, drift, unmanaged, operations, pauses, pending, guards, diagnostics, foundMoves];
  return lists.every((list) => list.length === 0) && Object.keys(settles).length === 0;
}

/** Remembers a plan in the user's cache; failing to fails nothing. */
export async function writeUnchanged(
  { root, asked }: Pick<OpenProject["project"], "root" | "asked">,
  { env }: System,
  plan: UnchangedPlan,
): Promise<void> {
  await userCache(root, env).write(fileOf(asked), JSON.stringify(plan));
}

/** Forgets the last plan: what would be asked for ahead is not what the project is about any more. */
export async function forgetUnchanged(
  { root, asked }: Pick<OpenProject["project"], "root" | "asked">,
  { env }: System,
): Promise<void> {
  await userCache(root, env).write(fileOf(asked), "null");
}

/** The plan of so many unchanged objects. */
export function unchangedPlan(place: Parameters<typeof emptyPlan>[0], noop: number): Plan {
  const plan = emptyPlan(place);
  return { ...plan, summary: { ...plan.summary, noop } };
}
