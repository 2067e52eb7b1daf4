import { parentAddress } from "../model/address.ts";
import { groupBy } from "../model/group-by.ts";
import { type JsonObject, withoutAbsent } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { TreeNode } from "../model/tree.ts";
import { inactiveFields } from "../model/variant.ts";
import { deposedAddress } from "./bind.ts";
import { isPending, type ObjectPlan } from "./object-plan.ts";
import {
  type BindingParts,
  isEnding,
  type Operation,
  type PlannedChild,
  type PlannedChildren,
  type Precondition,
} from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";
import { unmasked } from "./secrets.ts";

/** An operation before its order is known. */
export type UnorderedOperation = Omit<Operation, "after">;

/** The write units of the planned objects (docs/engine.md, Write routes): inline children are written in their parent's request. */
export function makeOperations(context: PlanContext, objects: readonly ObjectPlan[]): readonly UnorderedOperation[] {
  const inline = groupBy(
    objects.filter(({ kind }) => kind.inline),
    ({ address }) => parentAddress(address),
  );
  const isBound = (address: string) => context.bindings.byAddress.has(address);
  return objects.flatMap((object) => {
    const children = inline.get(object.address) ?? [];
    const ends = children.filter(({ change }) => change.action === "delete").map(({ address }) => address);
    const deposes = object.change.createFirst && deposedAddress(object.address, isBound);
    const inlineChildren = plannedChildren(context, object, children);
    const unit: WriteUnit = { inlineChildren, ends, ...(deposes && { deposes }) };
    return [...unitOperations(object, unit), ...setOperation(object)];
  });
}

/** Ids of an address's operations. */
export const operationId = (op: Operation["op"], address: string) => `${op} ${address}`;

/** Children and fields that are written together with an object's own request. */
interface WriteUnit {
  readonly inlineChildren: PlannedChildren | undefined;
  /** Addresses of inline children that are deleted: their bindings end with the operation of their parent. */
  readonly ends: readonly string[];
  /** The address to which the replaced object is bound meanwhile. */
  readonly deposes?: string;
}

function unitOperations(object: ObjectPlan, unit: WriteUnit): readonly UnorderedOperation[] {
  if (object.kind.inline || isPending(object)) return [];
  switch (object.change.action) {
    case "create":
      return [creation(object, unit)];
    case "replace":
      return [deletion(object, unit), creation(object, unit)];
    case "delete":
      return [deletion(object, unit)];
    case "update":
    case "no-op":
      return object.change.action === "update" || unit.inlineChildren ? updates(object, unit) : [];
    case "forget":
      return [];
  }
}

/** An operation on an object; all but a delete lead to its binding. */
export function operationOn(
  { address, kind, declared, binding }: ObjectPlan,
  op: Operation["op"],
  parts: Pick<Operation, "fields"> & Partial<Operation>,
): UnorderedOperation {
  const parent = parentAddress(address);
  return {
    id: operationId(op, address),
    op,
    address,
    kind: kind.name,
    declared,
    ...(parent === undefined ? {} : { parent }),
    ...(binding && op !== "delete" && { binding }),
    ...parts,
  };
}

function creation(object: ObjectPlan, { inlineChildren, deposes }: WriteUnit): UnorderedOperation {
  const withObject = { ...(inlineChildren && { inlineChildren }), ...(deposes !== undefined && { deposes }) };
  return operationOn(object, "create", { fields: object.send, ...withObject });
}

function updates(object: ObjectPlan, { inlineChildren, ends }: WriteUnit): readonly UnorderedOperation[] {
  const isOnlySeparate = Object.keys(object.send).length === 0 && inlineChildren === undefined;
  if (isOnlySeparate) return [];
  const withObject = { ...(inlineChildren && { inlineChildren }), ...(ends.length > 0 && { ends }) };
  const parts = { fields: object.send, kept: keptFields(object), ...withObject, ...preconditionOf(object) };
  return [operationOn(object, "update", parts)];
}

function deletion(object: ObjectPlan, { ends, deposes }: WriteUnit): UnorderedOperation {
  const ended = [deposes ?? object.address, ...ends];
  return operationOn(object, "delete", { fields: {}, ends: ended, ...preconditionOf(object) });
}

/** Fields with a separate request, which follows the one that creates or changes the object. */
function setOperation(object: ObjectPlan): readonly UnorderedOperation[] {
  if (Object.keys(object.separate).length === 0) return [];
  return [operationOn(object, "set", { fields: object.separate })];
}

/** Live fields that are not declared: they must read the same afterwards, but for those that a desired variant makes inactive. */
function keptFields({ kind, node, live, liveFields, declared, send }: ObjectPlan): ObjectPlan["declared"] {
  const desired = { ...declared, ...send };
  const chosen = unmasked(desired, node?.fields);
  const current = unmasked(liveFields, live?.fields);
  const inactive = new Set(
    (kind.variants ?? []).flatMap((variant) => {
      const choosing = typeof variant.by === "string" ? { ...current, ...chosen } : chosen;
      return [...inactiveFields([variant], choosing)];
    }),
  );
  return Object.fromEntries(Object.entries(liveFields).filter(([name]) => !(name in desired) && !inactive.has(name)));
}

function preconditionOf(object: ObjectPlan): { readonly precondition?: Precondition } {
  const { live, change, liveFields, declared, send } = object;
  if (live?.identity === undefined) return {};
  const managed = Object.entries(liveFields).filter(([name]) => name in declared || name in send);
  return { precondition: { ...live.identity, managed: isEnding(change) ? {} : Object.fromEntries(managed) } };
}

/**
 * The children that are written inside a parent's request: managed ones as desired, unmanaged ones as read, so that they
 * remain. Undefined where there are none to send, and where neither they nor fields of the parent change.
 */
function plannedChildren(
  context: PlanContext,
  parent: ObjectPlan,
  children: readonly ObjectPlan[],
): PlannedChildren | undefined {
  const kind = [...context.kinds.values()].find((each) => each.inline && each.parent === parent.kind.name);
  if (kind?.inline === undefined) return undefined;
  const isNew = parent.change.action === "create" || parent.change.action === "replace";
  const changed = children.some((child) => sendsSomething(child));
  if (!changed && !isNew && Object.keys(parent.send).length === 0) return undefined;
  const managed = children.filter(({ change }) => change.action !== "delete" && change.action !== "forget");
  const items = [
    ...managed.map((child) => itemOf(context, child, isNew)),
    ...(isNew ? [] : othersOf(context, parent, { kind, children })),
  ];
  if (!changed && items.length === 0) return undefined;
  return { kind: kind.name, ...(!changed && !isNew && { unchanged: true }), items };
}

function sendsSomething(child: ObjectPlan): boolean {
  const { action } = child.change;
  return action === "create" || action === "delete" || action === "replace" || Object.keys(child.send).length > 0;
}

function itemOf({ bindings }: PlanContext, child: ObjectPlan, isNew: boolean): PlannedChild {
  const id = child.live?.identity?.id;
  const isBound = !isNew && id !== undefined && child.change.action !== "replace";
  const whole = { ...withoutSeparate(child.kind, child.liveFields), ...child.send };
  const cleared = Object.fromEntries(Object.entries(child.send).filter(([, value]) => value === null));
  const inactive = inactiveFields(child.kind.variants, {
    ...unmasked(child.liveFields, child.live?.fields),
    ...unmasked(child.send, child.node?.fields),
  });
  const active = Object.fromEntries(Object.entries(whole).filter(([name]) => !inactive.has(name)));
  const fields = isBound ? { ...active, ...cleared } : child.send;
  return {
    address: child.address,
    ...(isBound && { id, ...separateOf(child.kind, child.live) }),
    fields,
    ...(child.binding && {
      binding: bindingBeforeSet(
        child,
        child.binding,
        isBound ? bindings.byAddress.get(child.address)?.resource.applied : {},
      ),
    }),
  };
}

/**
 * A field with a separate request remains applied as it was until that was sent: where it is refused, or the run is killed before,
 * nobody changed it outside, and the next run must send it. One that is not declared is dropped until then.
 */
function bindingBeforeSet({ separate, live }: ObjectPlan, binding: BindingParts, was: JsonObject = {}): BindingParts {
  const known = { ...live?.facts, ...live?.fields };
  const beforeSet = (name: string) => was[name] ?? (name in binding.applied ? undefined : known[name]);
  const before = Object.fromEntries(Object.keys(separate).map((name) => [name, beforeSet(name)]));
  return { ...binding, applied: withoutAbsent({ ...binding.applied, ...before }) };
}

function othersOf(
  context: PlanContext,
  parent: ObjectPlan,
  { kind, children }: { readonly kind: AnyKind; readonly children: readonly ObjectPlan[] },
): readonly PlannedChild[] {
  const isForgotten = ({ change }: ObjectPlan) => change.action === "forget";
  const planned = new Set(children.filter((child) => !isForgotten(child)).map(({ live }) => live?.handle));
  const forgotten = new Set(children.filter(isForgotten).map(({ live }) => live?.handle));
  const addressOf = ({ handle }: TreeNode) =>
    forgotten.has(handle) ? undefined : context.bindings.addressOf.get(handle);
  const siblings = context.liveChildren().get(parent.live?.handle) ?? [];
  return siblings
    .filter((node: TreeNode) => parent.live !== undefined && node.kind === kind.name && !planned.has(node.handle))
    .map((node) => {
      const address = addressOf(node);
      const bound = address === undefined ? {} : { boundTo: address };
      return {
        ...bound,
        id: node.identity?.id ?? 0,
        fields: withoutSeparate(kind, node.fields),
        ...separateOf(kind, node),
      };
    });
}

/** Values with a separate request, also where they are no fields of the object: that a Single schedule is over. */
function separateOf(kind: AnyKind, { fields, facts }: Partial<TreeNode> = {}): Pick<PlannedChild, "separate"> {
  const read = Object.entries({ ...facts, ...fields });
  const separate = Object.fromEntries(read.filter(([name]) => kind.fields[name]?.separateRequest));
  return Object.keys(separate).length === 0 ? {} : { separate };
}

function withoutSeparate(kind: AnyKind, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !kind.fields[name]?.separateRequest));
}
