import { groupBy } from "../model/group-by.ts";
import { sameJson } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { holdsReference } from "../model/references.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { nodeName } from "../model/tree.ts";

/** What is declared and not bound, by kind, parent and name. */
export type UnboundWishes = ReadonlyMap<string, readonly TreeNode[]>;

/** What was bound to an object that is gone may be bound anew; `alive` are the addresses bound to one that is there. */
export function unboundWishes(declared: Tree, alive: ReadonlySet<string>): UnboundWishes {
  const unbound = [...declared.nodes.values()].filter(({ handle }) => !alive.has(handle));
  return groupBy(unbound, (node) => placeOf(node, node.parent));
}

/**
 * The address of an object that the project declares, that nothing is bound to, and that plainly means this one: the
 * only one of its name, else the first that says the same.
 */
export function findDeclared(
  { unbound, taken }: { readonly unbound: UnboundWishes; readonly taken: ReadonlyMap<string, unknown> },
  kind: AnyKind,
  { node, parent }: { readonly node: TreeNode; readonly parent?: string },
): string | undefined {
  const namesakes = (unbound.get(placeOf(node, parent)) ?? []).filter(({ handle }) => !taken.has(handle));
  const [only] = namesakes;
  if (kind.fields["name"] !== undefined && namesakes.length === 1) return only?.handle;
  return namesakes.find((wish) => saysTheSame(kind, wish, node))?.handle;
}

function placeOf(node: TreeNode, parent: string | undefined): string {
  const name = node.fields["name"] === undefined ? "" : nodeName(node);
  return `${node.kind} ${parent ?? ""} ${name}`;
}

/** References are spelled in two ways here, and what nobody can read is equal to everything. */
function saysTheSame(kind: AnyKind, wish: TreeNode, node: TreeNode): boolean {
  const unreadable = new Set((wish.sensitive ?? []).map((path) => path.split(".")[0]));
  return Object.entries(wish.fields).every(([name, value]) => {
    const field = kind.fields[name];
    if (unreadable.has(name) || (field && holdsReference(field))) return true;
    return sameJson(value, node.fields[name] ?? field?.default);
  });
}
