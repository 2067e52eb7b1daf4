import { isWithin } from "./address.ts";
import type { AnyKind } from "./kind.ts";
import { kindsByName } from "./kind.ts";
import { referredAddresses } from "./references.ts";
import type { Tree, TreeNode } from "./tree.ts";
import { nodeName } from "./tree.ts";

/** What a plan does to an object of a graph. */
export interface GraphMark {
  /** The change, which chooses a shape and a colour; `state` writes nothing to the service. */
  readonly change: "create" | "update" | "replace" | "delete" | "state";
  /** The same in words, with what else happens to the object. */
  readonly words: string;
}

/** One object of a graph. */
export interface GraphNode {
  readonly address: string;
  readonly kind: string;
  /** Its key in git, which is plain text (`keyPattern`). */
  readonly key: string;
  /** Its name at the service: any text. */
  readonly name: string;
  /** Address of the object that it is declared in. */
  readonly parent?: string;
  /** Objects of other kinds are declared in such an object. */
  readonly isFolder: boolean;
  readonly mark?: GraphMark;
}

/** A reference: `from` names `to`, and needs it. */
export interface GraphReference {
  readonly from: string;
  readonly to: string;
}

/** The objects of a project and how they depend on each other; both ends of each reference, and every parent, are in it. */
export interface ObjectGraph {
  /** Parents before what is declared in them. */
  readonly nodes: readonly GraphNode[];
  readonly references: readonly GraphReference[];
  /** A graph of a plan: objects without a mark remain as they are. */
  readonly isPlan?: true;
}

/** The graph of a tree of desired objects. References to what the tree does not have are left out. */
export function objectGraph(tree: Pick<Tree, "nodes">, kinds: readonly AnyKind[]): ObjectGraph {
  const byName = kindsByName(kinds);
  const folders = new Set(kinds.flatMap(({ parent }) => parent ?? []));
  const nodes = [...tree.nodes.values()];
  return {
    nodes: nodes.map((node) => graphNode(node, folders)),
    references: nodes.flatMap((node) => referencesOf(node, byName.get(node.kind), tree)),
  };
}

function graphNode(node: TreeNode, folders: ReadonlySet<string>): GraphNode {
  const { handle: address, kind, key, parent } = node;
  const place = parent === undefined ? {} : { parent };
  return { address, kind, key, name: nodeName(node), ...place, isFolder: folders.has(kind) };
}

/**
 * By id where a field is a reference, by name where the object depends on a declared one. That an object needs those
 * it is declared in is no reference: its place says so.
 */
function referencesOf(
  { handle: from, fields, dependsOn = [] }: TreeNode,
  kind: AnyKind | undefined,
  { nodes }: Pick<Tree, "nodes">,
): readonly GraphReference[] {
  const referred = kind === undefined ? [] : referredAddresses(kind, fields);
  const targets = new Set([...referred, ...dependsOn]);
  return [...targets].filter((to) => nodes.has(to) && !isWithin(from, to)).map((to) => ({ from, to }));
}
