import { addressesAbove, isWithin } from "../address.ts";
import { type AnyKind, kindsByName } from "../kind.ts";
import { referredAddresses } from "../references.ts";
import { nodeName, type Tree, type TreeNode } from "../tree.ts";

/** What a plan does to an object of a graph. */
export interface GraphMark {
  /** The change, which chooses a shape and a colour; `state` writes nothing to the service. */
  readonly change: "create" | "update" | "replace" | "delete" | "state";
  /** The change in words, with what else happens to the object. */
  readonly words: string;
}

/** One object of a graph. */
export interface GraphNode {
  readonly address: string;
  readonly kind: string;
  /** The end of its address: `scenario.browse`; `scenario#12` of an object that was not declared. Plain text, as keys are. */
  readonly step: string;
  /** Its name at the service, where that is another one than its key: any text. */
  readonly name?: string;
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

/** A sensitive name is not shown: pictures are passed on. */
function graphNode(node: TreeNode, folders: ReadonlySet<string>): GraphNode {
  const { handle: address, kind, key, parent, sensitive } = node;
  const name = sensitive?.includes("name") ? key : nodeName(node);
  return {
    address,
    kind,
    step: address.slice(address.lastIndexOf("/") + 1),
    ...(name !== key && { name }),
    ...(parent !== undefined && { parent }),
    isFolder: folders.has(kind),
  };
}

/** The marked objects of a graph with those beside them: what they refer to, what refers to them, what they are declared in. */
export function markedPart({ nodes, references, ...rest }: ObjectGraph): ObjectGraph {
  const marked = new Set(nodes.flatMap(({ address, mark }) => (mark ? [address] : [])));
  const near = references.filter(({ from, to }) => marked.has(from) || marked.has(to));
  const shown = new Set([...marked, ...near.flatMap(({ from, to }) => [from, to])].flatMap(withAbove));
  return {
    ...rest,
    nodes: nodes.filter(({ address }) => shown.has(address)),
    references: references.filter(({ from, to }) => shown.has(from) && shown.has(to)),
  };
}

function withAbove(address: string): readonly string[] {
  return [address, ...addressesAbove(address)];
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
