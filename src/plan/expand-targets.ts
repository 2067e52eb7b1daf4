import { addressesAbove, parentAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { referredAddresses } from "../model/references.ts";
import { nodeName, type TreeNode } from "../model/tree.ts";
import type { ObjectPlan } from "./object-plan.ts";
import { isEnding } from "./plan.ts";
import { type PlanContext, problemAt } from "./plan-context.ts";
import { holdersOfName } from "./sibling-names.ts";

/**
 * Objects that have to be planned together with the targets, so that nothing else breaks or is in the way: those below a deleted object,
 * those that still refer to it, the holder of a name that another takes, and those that move with a key. Targets are never expanded to a
 * delete that would not happen anyway: that is for the user to say. A saved plan names everything that it changes, so its targets are never
 * expanded. Answers the addresses to plan too, and the deletes that the user has to name.
 */
export function neededTargets(
  context: PlanContext,
  objects: readonly ObjectPlan[],
): { readonly more: readonly string[]; readonly problems: readonly Diagnostic[] } {
  if (context.selection === undefined || context.input.options.declaredMovesOnly) return { more: [], problems: [] };
  const needs = [
    ...movingAlong(context),
    ...deletedAlong(context, objects),
    ...stillReferring(context, objects),
    ...objects.flatMap((object) => holdingName(context, object)),
    ...objects.flatMap((object) => parentOfInline(context, object)),
  ].filter(({ address }) => !context.isSelected(address));
  return {
    more: needs.filter(({ isDelete }) => !isDelete).map(({ address }) => address),
    problems: needs.filter(({ isDelete }) => isDelete).map((need) => leftOut(context, need)),
  };
}

/** An object outside the targets that a planned one needs. */
interface TargetNeed {
  readonly address: string;
  readonly neededBy: string;
  /** Its effect on `neededBy`, in words that follow the address. */
  readonly why: string;
  /** It would be deleted, to which targets are never expanded. */
  readonly isDelete: boolean;
}

function leftOut(context: PlanContext, { address, neededBy, why }: TargetNeed): Diagnostic {
  const detail = `${address} ${why} and would be deleted, but it is not in the target. Name it, too: --target '${address}'`;
  return problemAt(context, neededBy, {
    code: "LF3015",
    summary: `${neededBy} cannot be changed without ${address}`,
    detail,
  });
}

/** Everything below a key moves with it, and so does the object that was bound to the new address. */
function movingAlong({ bindings, desired, isSelected }: PlanContext): readonly TargetNeed[] {
  const leaving = [...bindings.byAddress.values()].flatMap(({ address, successor = "" }): readonly TargetNeed[] => {
    if (isSelected(successor))
      return [{ address, neededBy: successor, why: "moves there", isDelete: !desired.nodes.has(address) }];
    const isNeeded = isSelected(address) && desired.nodes.has(successor);
    return isNeeded ? [{ address: successor, neededBy: address, why: "takes its place", isDelete: false }] : [];
  });
  const moved = [...bindings.byAddress.values()].filter(({ previousAddress }) => previousAddress !== undefined);
  const selected = moved.filter(({ address }) => isSelected(address));
  const from = new Set(selected.map(({ previousAddress }) => previousAddress));
  const to = new Set(selected.map(({ address }) => address));
  const along = moved.flatMap(({ address, previousAddress = "" }) => {
    const isAlong = addressesAbove(previousAddress).some((above) => from.has(above));
    const isNeeded = (isAlong && desired.nodes.has(address)) || to.has(previousAddress);
    return isNeeded ? [{ address, neededBy: previousAddress, why: "moves along", isDelete: false }] : [];
  });
  return [...leaving, ...along];
}

/** Bound objects below a deleted one are deleted with it. */
function deletedAlong(context: PlanContext, objects: readonly ObjectPlan[]): readonly TargetNeed[] {
  const below = (handle: string): readonly TreeNode[] =>
    (context.liveChildren().get(handle) ?? []).flatMap((child) => [child, ...below(child.handle)]);
  return objects
    .filter(({ change }) => isEnding(change))
    .flatMap(({ live, address: neededBy }) =>
      (live ? below(live.handle) : []).flatMap((node) => {
        const address = context.bindings.addressOf.get(node.handle);
        return address === undefined ? [] : [{ address, neededBy, why: "lies below it", isDelete: false }];
      }),
    );
}

/** An object that refers to a deleted one has to stop that first. */
function stillReferring(context: PlanContext, objects: readonly ObjectPlan[]): readonly TargetNeed[] {
  const ending = new Set(objects.filter(({ change }) => isEnding(change)).map(({ address }) => address));
  if (ending.size === 0) return [];
  return [...context.bindings.byAddress.values()].flatMap(({ address, live }) => {
    const kind = live && context.kinds.get(live.kind);
    if (live === undefined || kind === undefined || context.isSelected(address)) return [];
    const referred = referredAddresses(kind, context.resolver.spell(kind, live.fields));
    const isDelete = !context.desired.nodes.has(address);
    return referred
      .filter((each) => ending.has(each))
      .map((neededBy) => ({ address, neededBy, why: "refers to it", isDelete }));
  });
}

/** The holder of a name that another object takes has to give it up first. */
function holdingName(context: PlanContext, object: ObjectPlan): readonly TargetNeed[] {
  const { node, address: neededBy } = object;
  if (node === undefined) return [];
  const why = `is called ${JSON.stringify(nodeName(node))}`;
  return holdersOfName(context, object).map((address) => {
    return { address, neededBy, why, isDelete: !context.desired.nodes.has(address) };
  });
}

/** An inline child that is deleted is written in its parent's request, so it cannot be deleted alone. */
function parentOfInline(context: PlanContext, { kind, change, node, address: neededBy }: ObjectPlan) {
  const isInlineDelete = kind.inline && node === undefined && change.action === "delete";
  const parent = isInlineDelete ? parentAddress(neededBy) : undefined;
  if (parent === undefined) return [];
  return [{ address: parent, neededBy, why: "carries it", isDelete: !context.desired.nodes.has(parent) }];
}
