import { topAddress } from "../model/address.ts";
import { placeWords } from "../model/command-place.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { AnyKind } from "../model/kind.ts";
import { referredHandles } from "../model/references.ts";
import { liveStep, nodeName, type TreeNode } from "../model/tree.ts";
import { describeEnd } from "./describe-change.ts";
import { byLiveHandle, type ObjectPlan } from "./object-plan.ts";
import { isEnding } from "./plan.ts";
import { liveAddress, nameKey, openName, type PlanContext, problemAt } from "./plan-context.ts";

/** An unmanaged live object below a test case that declares `unmanaged: delete`, which no desired object can mean. */
interface UnmanagedObject {
  readonly live: TreeNode;
  readonly kind: AnyKind;
  /** Address of its parent, and its kind and id. */
  readonly address: string;
  /** Address of the test case. */
  readonly owner: string;
}

/**
 * Deletes of unmanaged objects below a test case that declares `unmanaged: delete`. What something that remains refers to
 * remains too, with all below it. `owned` is the plan for the objects of the project, `liveOf` has the handle of an
 * address's live object, when it has one that is not replaced.
 */
export function planUnmanaged(
  context: PlanContext,
  owned: readonly ObjectPlan[],
  liveOf: ReadonlyMap<string, string>,
): { readonly objects: readonly ObjectPlan[]; readonly diagnostics: readonly Diagnostic[] } {
  const { unmanaged, owners } = findUnmanaged(context, owned, liveOf);
  const neededBy = findNeeded(context, owned, unmanaged);
  return {
    objects: unmanaged.filter(({ live }) => !neededBy.has(live.handle)).map((each) => planDeletion(context, each)),
    diagnostics: [
      ...unmanaged.flatMap((each) => remainsNotice(context, each, neededBy.get(each.live.handle))),
      ...owned.filter((object) => isForgottenBelow(object, owners)).map((object) => contradiction(context, object)),
    ],
  };
}

function planDeletion(context: PlanContext, { address, kind, live }: UnmanagedObject): ObjectPlan {
  const liveFields = context.resolver.spell(kind, live.fields);
  const name = openName(context, live);
  // Nothing of it is managed: its name identifies it, or, without a name, all its fields.
  const before = live.fields["name"] === undefined ? liveFields : { name };
  return {
    address,
    kind,
    live,
    liveFields,
    change: describeEnd({ address, kind, action: "delete", name, live, before, reason: "unmanaged" }),
    send: {},
    separate: {},
    declared: {},
    diagnostics: [],
  };
}

function remainsNotice(context: PlanContext, { address, owner, kind }: UnmanagedObject, neededBy: string | undefined) {
  if (neededBy === undefined) return [];
  const detail = `Nobody declared it, and ${owner} says unmanaged: delete; but ${neededBy} needs it, so it is not deleted. Declare the ${kind.name} with its name and take it over with: loadform apply${placeWords(context.input)} --adopt name; or remove it from ${neededBy}`;
  const notice = { severity: "warning", code: "LF3014", summary: `${address} remains`, detail } as const;
  return [{ ...problemAt(context, owner, { ...notice, path: ["unmanaged"] }), address }];
}

function isForgottenBelow({ address, change, live }: ObjectPlan, owners: readonly string[]): boolean {
  return change.action === "forget" && live !== undefined && owners.some((owner) => address.startsWith(`${owner}/`));
}

/** Once forgotten it would be one more unmanaged object. */
function contradiction(context: PlanContext, { address }: ObjectPlan): Diagnostic {
  const owner = topAddress(address);
  const detail = `removed: has { address: ${address}, destroy: false }, but ${owner} says unmanaged: delete. The next run would delete it as an object that nobody declared: set unmanaged: keep, or remove the entry from removed:`;
  return problemAt(context, owner, {
    code: "LF1306",
    summary: `${address} would be forgotten and deleted`,
    detail,
  });
}

/** Unmanaged objects within the plan, parents first, and the test cases that want them deleted. */
function findUnmanaged(
  context: PlanContext,
  owned: readonly ObjectPlan[],
  liveOf: ReadonlyMap<string, string>,
): { readonly unmanaged: readonly UnmanagedObject[]; readonly owners: readonly string[] } {
  const wanting = [...context.desired.nodes.values()].filter(({ lifecycle }) => lifecycle?.unmanaged === "delete");
  if (wanting.length === 0) return { unmanaged: [], owners: [] };
  const managed = new Map(context.bindings.addressOf);
  for (const { address, live } of owned) if (live) managed.set(live.handle, address);
  const ending = new Set(owned.filter(({ change }) => isEnding(change)).map(({ live }) => live?.handle));
  const awaited = awaitedNames(context, liveOf);
  const below = (
    owner: string,
    parent: { readonly handle: string; readonly address: string; readonly isDeleted: boolean },
  ): readonly UnmanagedObject[] =>
    (context.liveChildren().get(parent.handle) ?? []).flatMap((live) => {
      const known = managed.get(live.handle);
      const address = known ?? `${parent.address}/${liveStep(live)}`;
      const kind = context.kinds.get(live.kind);
      const isAwaited = kind?.fields["name"] !== undefined && awaited.has(nameKey(kind, live.parent, nodeName(live)));
      // An inline child is deleted only when the plan covers its parent, whose request does it.
      const isTargeted = context.isTarget(address) && (!kind?.inline || context.isSelected(parent.address));
      const isUnmanaged = known === undefined && !isAwaited && (parent.isDeleted || isTargeted);
      const isDeleted = isUnmanaged || ending.has(live.handle);
      return [
        ...(isUnmanaged && kind ? [{ live, kind, address, owner }] : []),
        ...below(owner, { handle: live.handle, address, isDeleted }),
      ];
    });
  const unmanaged = wanting.flatMap(({ handle: owner }) => {
    const top = liveOf.get(owner) ?? context.bindings.byAddress.get(owner)?.live?.handle;
    return top === undefined ? [] : below(owner, { handle: top, address: owner, isDeleted: false });
  });
  return { unmanaged, owners: wanting.map(({ handle }) => handle) };
}

/** Names that desired objects without a live one would adopt (docs/engine.md, Identity). */
function awaitedNames({ desired, kinds, bindings }: PlanContext, liveOf: ReadonlyMap<string, string>) {
  const awaited = new Set<string>();
  for (const node of desired.nodes.values()) {
    const kind = kinds.get(node.kind);
    const parent = node.parent === undefined ? undefined : liveOf.get(node.parent);
    const isLive = liveOf.has(node.handle) || bindings.byAddress.get(node.handle)?.live !== undefined;
    if (kind?.fields["name"] !== undefined && !isLive) awaited.add(nameKey(kind, parent, nodeName(node)));
  }
  return awaited;
}

/** Unmanaged objects that cannot be deleted because something that remains needs them: by live handle, the address of what does. */
function findNeeded(context: PlanContext, objects: readonly ObjectPlan[], unmanaged: readonly UnmanagedObject[]) {
  const neededBy = new Map<string, string>();
  if (unmanaged.length === 0) return neededBy;
  const candidates = new Map(unmanaged.map((each) => [each.live.handle, each]));
  const need = (handle: string | undefined, by: string): void => {
    const found = handle === undefined ? undefined : candidates.get(handle);
    if (found === undefined || neededBy.has(found.live.handle)) return;
    neededBy.set(found.live.handle, by);
    need(found.live.parent, found.address);
    for (const needed of referredHandles(found.kind, found.live.fields)) need(needed, found.address);
    for (const child of context.liveChildren().get(found.live.handle) ?? []) need(child.handle, found.address);
  };
  const referring = [...desiredReferences(context), ...remainingReferences(context, objects, candidates)];
  for (const { address, handles } of referring) for (const each of handles) need(each, address);
  return neededBy;
}

/** An object that remains, and the handles of what it needs: its live parent and what it refers to. */
interface ReferringObject {
  readonly address: string;
  readonly handles: readonly (string | undefined)[];
}

function desiredReferences({ desired, kinds, resolver }: PlanContext): readonly ReferringObject[] {
  return [...desired.nodes.values()].flatMap((node) => {
    const kind = kinds.get(node.kind);
    return kind ? [{ address: node.handle, handles: referredHandles(kind, resolver.spell(kind, node.fields)) }] : [];
  });
}

function remainingReferences(
  context: PlanContext,
  objects: readonly ObjectPlan[],
  candidates: ReadonlyMap<string, UnmanagedObject>,
): readonly ReferringObject[] {
  const byHandle = byLiveHandle(objects);
  return [...context.input.live.nodes.values()].flatMap((node) => {
    const kind = context.kinds.get(node.kind);
    const object = byHandle.get(node.handle);
    const isDeleted = object !== undefined && isEnding(object.change);
    if (kind === undefined || isDeleted || candidates.has(node.handle)) return [];
    const handles = referredHandles(kind, { ...node.fields, ...object?.send });
    return [{ address: liveAddress(context, node), handles: [node.parent, ...handles] }];
  });
}
