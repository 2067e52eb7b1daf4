import { resumeInterrupted } from "../apply/pause-schedules.ts";
import { recoverIntents } from "../apply/recover.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type AnyKind, groundKind, type History, kindsByName } from "../model/kind.ts";
import { kindReferencePaths, referredKind } from "../model/references.ts";
import { isSameTarget } from "../model/target.ts";
import { liveHandle, type Tree } from "../model/tree.ts";
import { historyToCount } from "../plan/losses.ts";
import type { Change, Plan } from "../plan/plan.ts";
import { fillContents, hasContent } from "../remote/fill-contents.ts";
import { type ReadScope, readLists, readTree } from "../remote/read-tree.ts";
import type { SeenAnswers, WatchedApi } from "../remote/watched-api.ts";
import { boundByKind, type Intent, isPause, type State } from "../state/state.ts";
import type { StateSession, StoredState } from "../state/store.ts";
import { sha256 } from "../workspace/hash.ts";
import { type Connection, type OpenProject, watched } from "./connect.ts";
import { freshState } from "./open-state.ts";

/** The live tree as far as a plan needs it. */
export interface LiveRead {
  readonly tree: Tree;
  /** Kinds that were read: those at the top, and all below them. */
  readonly readKinds: ReadonlySet<string>;
  /** All answers; undefined where they were not collected, or texts and files were read too. */
  readonly answers?: () => SeenAnswers;
}

/** The trees that decide which lists are read. */
interface Reading {
  readonly desired: Tree;
  readonly stored: StoredState;
  /** Every kind is read, whether the project uses it or not. */
  readonly everything?: boolean;
}

export type LiveReader = (of: Reading) => Promise<LiveRead>;

/** Reads the kinds that a project and its state use: at most 6 requests, and one per text or file that moved. */
export async function readLive(connection: Connection, of: Reading): Promise<LiveRead> {
  if (connection.shared !== undefined) return readWatched(connection, watched(connection), of);
  const wanted = wantedKinds(of);
  const tree = await readTree({ ...readScope(connection), wanted });
  return { tree: await withPending(connection, tree, of.stored), readKinds: withKindsBelow(wanted) };
}

/** Reads those kinds by an API that hashes its answers, and may know some of the lists. */
export async function readWatched(connection: Connection, api: WatchedApi, of: Reading): Promise<LiveRead> {
  const wanted = wantedKinds(of);
  const listed = await readLists({ ...readScope(connection), api, wanted }, connection.shared);
  const { requests } = connection.client.stats();
  const { tree: own, isListed } = await listed();
  const tree = await withPending(connection, own, of.stored);
  const isAll = isListed && connection.client.stats().requests === requests;
  return { tree, readKinds: withKindsBelow(wanted), ...(isAll && { answers: api.seen }) };
}

function readScope({ api, target }: Connection): Omit<ReadScope, "wanted"> {
  return { api, kinds, organization: target.organization, hash: sha256 };
}

/** The tree with the texts of bound objects, and of those that a pending create may have created: of a file, lists tell only the size. */
function withPending(connection: Connection, tree: Tree, { state, intents }: StoredState): Promise<Tree> {
  const names = new Set(intents.flatMap((intent) => (isPause(intent) ? [] : [`${intent.kind} ${intent.name}`])));
  if (names.size === 0) return withContents(connection, tree, { state });
  const possible = [...tree.nodes.values()].filter(({ kind, fields }) => names.has(`${kind} ${fields["name"]}`));
  return withContents(connection, tree, { state, also: new Set(possible.map(({ handle }) => handle)) });
}

/** The tree with the texts of bound objects, and of those to be shown. */
export function withContents(
  connection: Connection,
  tree: Tree,
  of: { readonly state: State; readonly show?: ReadonlySet<string>; readonly also?: ReadonlySet<string> },
): Promise<Tree> {
  const withTexts = new Set(kinds.filter(hasContent).map(({ name }) => name));
  const resources = [...boundByKind(of.state)].flatMap(([kind, each]) => (withTexts.has(kind) ? each : []));
  const bound = new Map(resources.map((resource) => [liveHandle(resource.kind, resource.id), resource]));
  const { api, target } = connection;
  return fillContents(tree, {
    api,
    organization: target.organization,
    kinds,
    hash: sha256,
    known: (handle) => bound.get(handle) ?? (of.show?.has(handle) || of.also?.has(handle) ? {} : undefined),
    ...(of.show && { show: of.show }),
  });
}

/** The tree with the texts that an update replaces, so that the plan can show them line by line. */
export async function withShown(
  connection: Connection,
  live: Tree,
  { plan, state }: { readonly plan: Plan; readonly state: State },
): Promise<Tree> {
  const byName = kindsByName(kinds);
  const isReplaced = ({ kind, action, fields }: Change) =>
    action === "update" && fields.some(({ field }) => byName.get(kind)?.fields[field]?.content !== undefined);
  const show = new Set(plan.changes.filter(isReplaced).map(({ kind, id }) => liveHandle(kind, id ?? 0)));
  return show.size === 0 ? live : withContents(connection, live, { state, show });
}

/** The history that the deletes of a plan would destroy, by live handle. */
export async function readHistory(
  { api, target }: Connection,
  { changes }: Plan,
  live: Tree,
): Promise<ReadonlyMap<string, History>> {
  const byName = kindsByName(kinds);
  const counted = historyToCount(changes, live, kinds).map(
    async ({ kind, handle, identity }): Promise<(readonly [string, History])[]> => {
      const about = { api, organization: target.organization, id: identity?.id ?? 0, address: handle };
      const history = await byName.get(kind)?.history?.(about);
      return history ? [[handle, history]] : [];
    },
  );
  return new Map((await Promise.all(counted)).flat());
}

/** Top-level kinds that are declared, bound, unresolved or referred to. Test cases are always read. */
export function wantedKinds({ desired, stored: { state, intents }, everything = false }: Reading): ReadonlySet<string> {
  const byName = kindsByName(kinds);
  const present = new Set<string>(everything ? byName.keys() : ["testCase"]);
  for (const { kind } of desired.nodes.values()) present.add(kind);
  for (const kind of boundByKind(state).keys()) present.add(kind);
  for (const { kind } of intents) present.add(kind);
  for (const kind of kinds.filter(({ name }) => present.has(name)))
    for (const path of kindReferencePaths(kind)) present.add(referredKind(kind, path));
  for (const kind of kinds) if (present.has(groundKind(kind) ?? "")) present.add(kind.name);
  return new Set([...present].filter((name) => byName.get(name)?.parent === undefined));
}

/** These kinds and all kinds that are listed below them. */
export function withKindsBelow(wanted: ReadonlySet<string>): ReadonlySet<string> {
  const byName = kindsByName(kinds);
  const isListed = (kind: AnyKind | undefined): boolean =>
    kind !== undefined && (wanted.has(kind.name) || isListed(byName.get(kind.parent ?? "")));
  return new Set(kinds.filter(isListed).map(({ name }) => name));
}

/** The state under the lock; pending creates of an interrupted run are recovered and stored. */
export async function recoveredState(
  open: OpenProject,
  session: StateSession,
  signal: AbortSignal,
): Promise<{ readonly stored: StoredState; readonly diagnostics: readonly Diagnostic[] }> {
  const { project, system, connection } = open;
  const stored = session.stored ?? freshState(project);
  if (stored.intents.length === 0) return { stored, diagnostics: [] };
  // A state whose first apply was cut short does not name its target. Another service knows nothing of the requests to
  // this one.
  const { target: known = connection.target } = stored.state;
  if (!isSameTarget(known, connection.target)) return { stored, diagnostics: [] };
  const created = await recoverIntents(stored, {
    session,
    kinds,
    reread: rereadOf(open, stored),
    clock: { now: system.now, sleep: system.sleep },
    isOver: connection.embedded,
    signal,
    waiting(creates, ms) {
      const what = creates === 1 ? "one create" : `${creates} creates`;
      const why = `it is not known how ${what} of an interrupted apply ended, and its requests may still take effect`;
      system.locks?.notice(`Waiting ${Math.ceil(ms / 1000)} s: ${why}.`);
    },
  });
  const { api, target } = connection;
  const resumed = await resumeInterrupted(created.stored, { api, organization: target.organization, session, kinds });
  return { stored: resumed.stored, diagnostics: [...created.diagnostics, ...resumed.diagnostics] };
}

/** Reads the live tree again, as it is then. */
export function rereadOf({ connection, project }: OpenProject, stored: StoredState) {
  return async (pending: readonly Intent[] = []) =>
    (
      await readLive(connection, {
        desired: project.tree,
        stored: { ...stored, intents: [...stored.intents, ...pending] },
      })
    ).tree;
}
