import { type AnyKind, kindsByName } from "../model/kind.ts";
import { referredAddresses, referredHandles } from "../model/references.ts";
import { liveHandle, nodeName, type Tree, type TreeNode } from "../model/tree.ts";
import { withStateChanges } from "../plan/bind.ts";
import { namesUsed } from "../plan/losses.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import type { PlanInput } from "../plan/plan-input.ts";

/** The part of a live tree that a fork has to have for a plan to end in it as in one with the whole tree. */
export type ChoosePart = (plan: Plan, input: Pick<PlanInput, "kinds" | "live" | "state">) => Tree;

/**
 * Everything that the plan can touch and that a rule of the service looks at when it does: the whole of each tree in which
 * something is written; objects at the top that have a name which is written, and all of those that have nothing below
 * them, for names are looked for in the whole organization; what refers to or names an object of such a tree, for it holds it
 * or is changed with it; and what any of these refers to.
 */
export const touchedPart: ChoosePart = (plan, { kinds: list, live, state }) => {
  const kinds = kindsByName(list);
  const written = writtenBy(plan, { kinds, resources: withStateChanges(state.resources, plan) });
  const isFolder = new Set(list.map(({ parent }) => parent));
  const isMet = (node: TreeNode) => !isFolder.has(node.kind) || written.names.has(nodeName(node).trim());
  const touched = treesOf(written.objects, live);
  const uses = userTest(touched, { live, kinds });
  const part = new Set<string>();
  const take = (handle: string): void => {
    const node = live.nodes.get(handle);
    if (node === undefined || part.has(handle)) return;
    part.add(handle);
    if (node.parent !== undefined) take(node.parent);
    for (const other of handlesIn(node, kinds)) take(other);
  };
  for (const handle of written.referred) take(handle);
  for (const node of live.nodes.values())
    if (touched.has(node.handle) || uses(node) || (node.parent === undefined && isMet(node))) take(node.handle);
  return { ...live, nodes: inOrderOf(live, part) };
};

/** The live tree in which what a fork had at first is as it has it now. */
export function withPart(live: Tree, before: Tree, now: Tree): Tree {
  const nodes = new Map(live.nodes);
  for (const handle of before.nodes.keys()) nodes.delete(handle);
  for (const [handle, node] of now.nodes) nodes.set(handle, node);
  return { nodes, contents: new Map([...live.contents, ...now.contents]) };
}

/** Parents are before what is below them, as they were listed. */
function inOrderOf({ nodes }: Tree, part: ReadonlySet<string>): ReadonlyMap<string, TreeNode> {
  const ordered = new Map<string, TreeNode>();
  for (const [handle, node] of nodes) if (part.has(handle)) ordered.set(handle, node);
  return ordered;
}

type KindsByName = ReadonlyMap<string, AnyKind>;

/** Live handles of the objects that a plan writes or binds, and of those that what it writes refers to; the names that it writes. */
function writtenBy(
  { changes, operations, pauses, stateChanges }: Plan,
  { kinds, resources }: { readonly kinds: KindsByName; readonly resources: PlanInput["state"]["resources"] },
): { readonly objects: readonly string[]; readonly referred: readonly string[]; readonly names: ReadonlySet<string> } {
  const boundTo = (address: string | undefined): readonly string[] => {
    const bound = address === undefined ? undefined : resources[address];
    return bound ? [liveHandle(bound.kind, bound.id)] : [];
  };
  const withId = ({ kind, id }: { readonly kind: string; readonly id?: number | undefined }) =>
    id === undefined ? [] : [liveHandle(kind, id)];
  const objects = [
    ...[...changes, ...pauses].flatMap((each) => [...withId(each), ...boundTo(each.address)]),
    ...Object.values(stateChanges).flatMap((each) => (each ? withId(each) : [])),
    ...operations.flatMap(({ kind, address, parent, deposes, ends = [], precondition }) => [
      ...withId({ kind, id: precondition?.id }),
      ...[address, parent, deposes, ...ends].flatMap(boundTo),
    ]),
  ];
  const referred = operations.flatMap((operation) =>
    writtenFields(operation).flatMap(([name, fields]) => {
      const kind = kinds.get(name);
      if (kind === undefined) return [];
      return [...referredHandles(kind, fields), ...referredAddresses(kind, fields).flatMap(boundTo)];
    }),
  );
  const names = operations.flatMap(({ fields, declared }) => [fields["name"], declared["name"]]);
  return {
    objects,
    referred,
    names: new Set(names.flatMap((name) => (typeof name === "string" ? [name.trim()] : []))),
  };
}

/** The fields that a request may carry, each with the kind that they are of. */
function writtenFields({ kind, fields, declared, kept = {}, inlineChildren }: Operation) {
  const children = inlineChildren?.items ?? [];
  return [
    ...[fields, declared, kept].map((each) => [kind, each] as const),
    ...children.map((child) => [inlineChildren?.kind ?? "", child.fields] as const),
  ];
}

/** Everything in the trees that these objects belong to; parents are before what is below them. */
function treesOf(objects: readonly string[], { nodes }: Tree): ReadonlySet<string> {
  const topOf = (handle: string): string => {
    const parent = nodes.get(handle)?.parent;
    return parent === undefined ? handle : topOf(parent);
  };
  const found = new Set(objects.map(topOf).filter((handle) => nodes.has(handle)));
  for (const { handle, parent } of nodes.values()) if (parent !== undefined && found.has(parent)) found.add(handle);
  return found;
}

const referred = new WeakMap<TreeNode, readonly string[]>();

/** Handles that a live object refers to; worked out once, as the projects of one command share what was read. */
function handlesIn(node: TreeNode, kinds: KindsByName): readonly string[] {
  const known = referred.get(node);
  if (known) return known;
  const kind = kinds.get(node.kind);
  const found = kind ? referredHandles(kind, node.fields) : [];
  referred.set(node, found);
  return found;
}

/** Tells an object that refers to one of these, or names one of them. */
function userTest(
  used: ReadonlySet<string>,
  { live, kinds }: { readonly live: Tree; readonly kinds: KindsByName },
): (node: TreeNode) => boolean {
  const named = [...used].flatMap((handle) => {
    const node = live.nodes.get(handle);
    const kind = node && kinds.get(node.kind);
    return node && kind?.createdByUse ? [{ kind, name: nodeName(node) }] : [];
  });
  return (node) => {
    if (handlesIn(node, kinds).some((handle) => used.has(handle))) return true;
    const kind = kinds.get(node.kind);
    return kind !== undefined && named.some((each) => namesUsed(kind, each.kind, node.fields).includes(each.name));
  };
}
