import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import { referredAddresses, referredHandles } from "../model/references.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { liveHandle, nodeName } from "../model/tree.ts";
import { withStateChanges } from "../plan/bind.ts";
import { namesUsed } from "../plan/losses.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import type { PlanInput } from "../plan/plan-input.ts";

/** The part of a live tree that a fork has to have for a plan to end in it as in one with the whole tree. */
export type ChoosePart = (plan: Plan, input: Pick<PlanInput, "kinds" | "live" | "state">) => Tree;

/**
 * Everything that the plan can touch and that a rule of the service looks at when it does: all objects at the top, whose names
 * and regions are looked for in the whole organization; the whole of each tree in which something is written; what refers
 * to or names an object of such a tree, for it holds it or is changed with it; and what any of these refers to.
 */
export const touchedPart: ChoosePart = (plan, input) => {
  const { live } = input;
  const kinds = kindsByName(input.kinds);
  const { objects, referred } = namedInPlan(plan, { kinds, resources: withStateChanges(input.state.resources, plan) });
  const topOf = topFinder(live);
  const touched = new Set([...objects].flatMap((handle) => topOf(handle) ?? []));
  const uses = userTest(touched, { live, kinds, topOf });
  const part = new Set<string>();
  const take = (handle: string): void => {
    const node = live.nodes.get(handle);
    if (node === undefined || part.has(handle)) return;
    part.add(handle);
    if (node.parent !== undefined) take(node.parent);
    const kind = kinds.get(node.kind);
    for (const other of kind ? referredHandles(kind, node.fields) : []) take(other);
  };
  for (const handle of referred) take(handle);
  for (const node of live.nodes.values())
    if (node.parent === undefined || touched.has(topOf(node.handle) ?? "") || uses(node)) take(node.handle);
  // In the order of the whole tree, in which it is listed.
  return { ...live, nodes: new Map([...live.nodes].filter(([handle]) => part.has(handle))) };
};

/** The live tree in which what a fork had at first is as it has it now. */
export function withPart(live: Tree, before: Tree, now: Tree): Tree {
  const rest = [...live.nodes].filter(([handle]) => !before.nodes.has(handle));
  return { nodes: new Map([...rest, ...now.nodes]), contents: new Map([...live.contents, ...now.contents]) };
}

type KindsByName = ReadonlyMap<string, AnyKind>;

/** Live handles of the objects that a plan writes or binds, and of those that what it writes refers to. */
function namedInPlan(
  { changes, operations, pauses, settles }: Plan,
  { kinds, resources }: { readonly kinds: KindsByName; readonly resources: PlanInput["state"]["resources"] },
): { readonly objects: ReadonlySet<string>; readonly referred: ReadonlySet<string> } {
  const boundTo = (address: string | undefined): readonly string[] => {
    const bound = address === undefined ? undefined : resources[address];
    return bound ? [liveHandle(bound.kind, bound.id)] : [];
  };
  const withId = ({ kind, id }: { readonly kind: string; readonly id?: number | undefined }) =>
    id === undefined ? [] : [liveHandle(kind, id)];
  const objects = [
    ...[...changes, ...pauses].flatMap((each) => [...withId(each), ...boundTo(each.address)]),
    ...Object.values(settles).flatMap((each) => (each ? withId(each) : [])),
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
  return { objects: new Set(objects), referred: new Set(referred) };
}

/** The fields that a request may carry, each with the kind that they are of. */
function writtenFields({ kind, fields, declared, kept = {}, inlineChildren }: Operation) {
  const children = inlineChildren?.items ?? [];
  return [
    ...[fields, declared, kept].map((each) => [kind, each] as const),
    ...children.map((child) => [inlineChildren?.kind ?? "", child.fields] as const),
  ];
}

/** The object at the top above a handle, itself where it has none above it. */
function topFinder({ nodes }: Tree): (handle: string) => string | undefined {
  const known = new Map<string, string>();
  const find = (handle: string): string | undefined => {
    const node = nodes.get(handle);
    if (node?.parent === undefined) return node?.handle;
    const top = known.get(handle) ?? find(node.parent);
    if (top !== undefined) known.set(handle, top);
    return top;
  };
  return find;
}

/** Tells an object that refers to one below these, or names one of them. */
function userTest(
  tops: ReadonlySet<string>,
  of: { readonly live: Tree; readonly kinds: KindsByName; readonly topOf: (handle: string) => string | undefined },
): (node: TreeNode) => boolean {
  const { live, kinds, topOf } = of;
  const named = [...tops].flatMap((handle) => {
    const node = live.nodes.get(handle);
    const kind = node && kinds.get(node.kind);
    return node && kind?.createdByUse ? [{ kind, name: nodeName(node) }] : [];
  });
  return ({ kind: name, fields }) => {
    const kind = kinds.get(name);
    if (kind === undefined) return false;
    return (
      referredHandles(kind, fields).some((handle) => tops.has(topOf(handle) ?? "")) ||
      named.some((each) => namesUsed(kind, each.kind, fields).includes(each.name))
    );
  };
}
