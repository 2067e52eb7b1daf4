import { nearest } from "../model/did-you-mean.ts";
import { type AnyKind, isDeactivated } from "../model/kind.ts";
import { nodeName, type Tree, type TreeNode } from "../model/tree.ts";
import { type Wild, wildMatcher } from "../model/wildcards.ts";

/**
 * The choice of objects to import: all, those that can have children (test cases) by name, id or glob, or one object
 * without anything below it.
 */
export type Wanted = "all" | readonly string[] | OneObject;

/** One object: the name of its kind, and its id. */
export interface OneObject {
  readonly kind: string;
  readonly id: number;
}

export function isOne(wanted: Wanted): wanted is OneObject {
  return typeof wanted === "object" && "kind" in wanted;
}

/** Handles of the live objects that are wanted, and patterns that match none, each with a near name. */
export interface Selection {
  readonly handles: ReadonlySet<string>;
  readonly unmatched: readonly { readonly pattern: string; readonly near?: string }[];
}

/** Finds the wanted objects in the live tree. Public ones, and those that count as absent until they are bound, are never imported. */
export function selectNodes(live: Tree, kinds: readonly AnyKind[], wanted: Exclude<Wanted, OneObject>): Selection {
  if (wanted === "all") return { handles: withBelow(live, kinds, () => true), unmatched: [] };
  const holders = new Set(kinds.flatMap(({ parent }) => parent ?? []));
  const cases = [...live.nodes.values()].filter(({ kind, parent }) => parent === undefined && holders.has(kind));
  const chosen = new Set<string>();
  const unmatched: { pattern: string; near?: string }[] = [];
  for (const pattern of wanted) {
    const found = matching(cases, pattern);
    for (const { handle } of found) chosen.add(handle);
    if (found.length > 0) continue;
    const near = nearest(pattern, cases.map(nodeName));
    unmatched.push(near === undefined ? { pattern } : { pattern, near });
  }
  return { handles: withBelow(live, kinds, ({ handle }) => chosen.has(handle)), unmatched };
}

const wilds: Readonly<Record<string, Wild>> = {
  "*": { accepts: () => true, repeats: true },
  "?": { accepts: () => true, repeats: false },
};

/** A name wins over an id, and both over a glob. */
function matching(nodes: readonly TreeNode[], pattern: string): readonly TreeNode[] {
  const named = nodes.filter((node) => nodeName(node) === pattern.trim());
  if (named.length > 0) return named;
  const byId = nodes.filter(({ key }) => key === pattern);
  if (byId.length > 0) return byId;
  const matches = wildMatcher([...pattern].map((character) => wilds[character] ?? character));
  return nodes.filter((node) => matches(nodeName(node)));
}

function withBelow(live: Tree, kinds: readonly AnyKind[], isRoot: (node: TreeNode) => boolean): ReadonlySet<string> {
  const chosen = new Set<string>();
  for (const kind of kinds)
    for (const node of live.nodes.values()) {
      if (node.kind !== kind.name || isOutOfReach(kind, node)) continue;
      if (node.parent === undefined ? isRoot(node) : chosen.has(node.parent)) chosen.add(node.handle);
    }
  return chosen;
}

/** Public objects are not managed; a deactivated one counts as absent (docs/engine.md, Write routes). */
export function isOutOfReach(kind: AnyKind, node: TreeNode): boolean {
  return node.facts?.["public"] === true || isDeactivated(kind, node);
}
