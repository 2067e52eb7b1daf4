import { kinds } from "../kinds/index.ts";
import { fillContents } from "../live/fill-contents.ts";
import { readTree } from "../live/read-tree.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import { kindReferencePaths, referredKind } from "../model/references.ts";
import type { Tree } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { State, StateResource } from "../state/state.ts";
import type { StoredState } from "../state/store.ts";
import type { Connection } from "./connect.ts";

/** The live tree as far as a plan needs it. */
export interface LiveRead {
  readonly tree: Tree;
  /** Top-level kinds that were read. */
  readonly known: ReadonlySet<string>;
}

/** Reads what a project and its state are about: at most 6 requests, and one per text or file that moved. */
export async function readLive(
  connection: Connection,
  of: { readonly desired: Tree; readonly stored: StoredState },
): Promise<LiveRead> {
  const known = wantedKinds(of.desired, of.stored);
  const { api, target, filtered } = connection;
  const tree = await readTree({ api, kinds, organization: target.organization, filtered, wanted: known, hash: sha256 });
  return { tree: await withContents(connection, tree, { state: of.stored.state }), known };
}

/** The tree with the texts of bound objects, and of those to be shown. */
export function withContents(
  connection: Connection,
  tree: Tree,
  of: { readonly state: State; readonly show?: ReadonlySet<string>; readonly also?: ReadonlySet<string> },
): Promise<Tree> {
  const bound = new Map<string, StateResource>();
  for (const resource of Object.values(of.state.resources)) bound.set(liveHandle(resource.kind, resource.id), resource);
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

/** Top-level kinds that are declared, bound, in doubt or referred to. Test cases are always read. */
function wantedKinds(desired: Tree, { state, intents }: StoredState): ReadonlySet<string> {
  const byName = kindsByName(kinds);
  const present = new Set<string>(["testCase"]);
  for (const { kind } of desired.nodes.values()) present.add(kind);
  for (const { kind } of Object.values(state.resources)) present.add(kind);
  for (const { kind } of intents) present.add(kind);
  for (const name of [...present]) for (const target of referredKinds(byName.get(name))) present.add(target);
  for (const kind of kinds) if (present.has(groundOf(kind) ?? "")) present.add(kind.name);
  return new Set([...present].filter((name) => byName.get(name)?.parent === undefined));
}

/** The kind within whose objects those of a kind stand and go: the grid of a region. Both come with the same answer. */
function groundOf({ naturalKey, fields }: AnyKind): string | undefined {
  return typeof naturalKey === "object" ? fields[naturalKey.within]?.reference?.kind : undefined;
}

/** Kinds that objects of a kind can refer to. */
function referredKinds(kind: AnyKind | undefined): readonly string[] {
  return kind === undefined ? [] : kindReferencePaths(kind).map((path) => referredKind(kind, path));
}
