import type { Api } from "../api/routes.ts";
import type { Hash } from "../model/fingerprint.ts";
import { getOrMake, groupBy } from "../model/group-by.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import { IncompleteAnswer } from "../model/service-error.ts";
import { liveHandle, type Tree, type TreeNode } from "../model/tree.ts";
import { nodeFromWire } from "./node-from-wire.ts";
import { memoizedApi, type SharedAnswers } from "./watched-api.ts";

export interface ReadScope {
  readonly api: Api;
  readonly kinds: readonly AnyKind[];
  readonly organization: number;
  /** Top-level kinds to read; what lies below comes along. */
  readonly wanted: ReadonlySet<string>;
  readonly hash: Hash;
}

/** A tree, and where its objects were read. */
interface ListedTree {
  readonly tree: Tree;
  /** No object was read by a request of its own. */
  readonly isListed: boolean;
}

/** Answers and trees that the readings of one organization at one moment have in common. */
export interface SharedReading extends SharedAnswers {
  /** By the kinds in them. */
  readonly trees: Map<string, Promise<ListedTree>>;
}

interface Walk extends ReadScope {
  readonly childKinds: ReadonlyMap<string | undefined, readonly AnyKind[]>;
  readonly nodes: Map<string, TreeNode>;
  readonly contents: Map<string, string | Uint8Array>;
  /** Objects that were read by a request of their own. */
  readonly alone: Set<string>;
}

const none: readonly AnyKind[] = [];

/** One object on its way into the tree. */
interface Visit {
  readonly kind: AnyKind;
  readonly wire: Wire;
  readonly parent?: string;
  /** The parent's answer. */
  readonly above?: JsonObject;
  /** Read by itself: another read would not make it more complete. */
  readonly whole?: true;
}

/** The live tree, in a fixed number of requests for any size, plus one for each object that an answer left incomplete. */
export async function readTree(scope: ReadScope): Promise<Tree> {
  const memoized = { ...scope, api: memoizedApi(scope.api) };
  return (await treeOf(memoized, await readRoots(memoized))).tree;
}

/** Reads the live tree in two steps, the lists and their tree, for a caller that knows some of the lists, or shares them with others. */
export async function readLists(scope: ReadScope, shared?: SharedReading): Promise<() => Promise<ListedTree>> {
  const listed = await readRoots(scope);
  const key = [...scope.wanted].sort().join(" ");
  const make = () => treeOf(scope, listed);
  return () => (shared ? getOrMake(shared.trees, key, make) : make());
}

async function treeOf(scope: ReadScope, roots: readonly Visit[]): Promise<ListedTree> {
  const childKinds = groupBy(scope.kinds, ({ parent }) => parent);
  const walk: Walk = { ...scope, childKinds, nodes: new Map(), contents: new Map(), alone: new Set() };
  for (const root of roots) {
    const incomplete = visit(walk, root);
    if (incomplete) await incomplete;
  }
  return { tree: { nodes: walk.nodes, contents: walk.contents }, isListed: walk.alone.size === 0 };
}

/** The objects at the top, in the order of their kinds. */
async function readRoots({ api, organization, kinds, wanted }: ReadScope): Promise<readonly Visit[]> {
  const roots = kinds.filter((kind) => kind.parent === undefined && wanted.has(kind.name));
  const lists = await Promise.all(
    roots.map(({ remote, plural }) => remote.list?.({ api, organization, address: plural })),
  );
  return roots.flatMap((kind, index) => (lists[index] ?? []).map((wire) => ({ kind, wire })));
}

/** Adds an object and all below it; a promise only when something had to be read, so that whole trees stay synchronous. */
function visit(walk: Walk, step: Visit): Promise<void> | undefined {
  const { kind, wire, above } = step;
  const childKinds = walk.childKinds.get(kind.name) ?? none;
  const below = childKinds.map((child) => child.remote.within?.(wire, above));
  if (isPartial(step, below)) return visitRead(walk, step);
  const lacking = step.whole && kind.remote.needs?.find((member) => wire[member] === undefined);
  if (lacking) throw lacksMember(kind, wire, lacking);
  const { hash, contents } = walk;
  const node = nodeFromWire({ kind, wire, hash, contents, parent: step.parent });
  walk.nodes.set(node.handle, node);
  if (below.length === 0) return undefined;
  const waiting: Promise<void>[] = [];
  childKinds.forEach((childKind, index) => {
    const children = below[index];
    if (children === undefined) throw lacksMember(kind, wire, childKind.plural);
    children.forEach((child) => {
      const reading = visit(walk, { kind: childKind, wire: child, parent: node.handle, above: wire });
      if (reading) waiting.push(reading);
    });
  });
  return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
}

/** True for an answer without members that are compared, of an object that was not read by itself yet. */
function isPartial({ kind, wire, whole }: Visit, below: readonly (readonly Wire[] | undefined)[]): boolean {
  if (whole || kind.remote.read === undefined) return false;
  return below.includes(undefined) || (kind.remote.needs?.some((member) => wire[member] === undefined) ?? false);
}

async function visitRead(walk: Walk, step: Visit): Promise<void> {
  const { api, organization, alone } = walk;
  const { kind, wire } = step;
  alone.add(liveHandle(kind.name, wire.id));
  const read = await kind.remote.read?.({ api, organization, id: wire.id, address: `${kind.name} ${wire.id}` });
  await visit(walk, { ...step, wire: { ...wire, ...read }, whole: true });
}

function lacksMember(kind: AnyKind, wire: Wire, member: string): IncompleteAnswer {
  return new IncompleteAnswer(`${kind.name} ${wire.id} came without its ${member}, even when read by itself`);
}
