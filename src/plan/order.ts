import { parentAddress } from "../model/address.ts";
import { grouped } from "../model/group-by.ts";
import type { JsonObject } from "../model/json.ts";
import { referredAddresses, referredHandles } from "../model/references.ts";
import { byLiveHandle, liveReferences, type ObjectPlan } from "./object-plan.ts";
import { operationId, type UnorderedOperation } from "./operations.ts";
import { isEnding, type Operation } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";
import { orderByNames } from "./sibling-names.ts";

/** Operations with those that have to precede each, in such an order; ids of those in a circle, or after one, are reported. */
export interface Ordered {
  readonly operations: readonly Operation[];
  readonly cycle: readonly string[];
}

type Edges = Map<string, Set<string>>;

/** Orders operations (docs/engine.md, Write routes): parents and referenced objects first, deletes reversed, names freed before taken. */
export function orderOperations(
  context: PlanContext,
  objects: readonly ObjectPlan[],
  unordered: readonly UnorderedOperation[],
): Ordered {
  const cascades = findCascades(context, objects, unordered);
  const named = orderByNames(objects, cascades.operations);
  const all = [...named.extra, ...cascades.operations];
  const wholeOf = (id: string): string => cascades.partOf.get(id) ?? id;
  const link = (pairs: readonly (readonly [string, string])[]): Edges => {
    const edges: Edges = new Map(all.map(({ id }) => [id, new Set<string>()]));
    const add = (later: string, earlier: string): void => {
      const [after, before] = [wholeOf(later), wholeOf(earlier)];
      if (after !== before && edges.has(before)) edges.get(after)?.add(before);
    };
    for (const operation of all) linkWrite(context, operation, add);
    const live = byLiveHandle(objects);
    for (const object of objects) linkObject({ object, references: liveReferences(context, object) }, live, add);
    for (const [after, before] of [...cascades.edges, ...pairs]) add(after, before);
    return edges;
  };
  const careful = sortOperations(all, link([...named.edges, ...named.soft, ...movedLast(context, objects)]));
  return careful.cycle.length === 0 ? careful : sortOperations(all, link(named.edges));
}

/** A child that moves is created below its new parent before its former one deletes it: a run that fails between the two loses none. */
function movedLast({ bindings }: PlanContext, objects: readonly ObjectPlan[]): readonly (readonly [string, string])[] {
  return objects.flatMap(({ address }) => {
    const { successor } = bindings.byAddress.get(address) ?? {};
    const [from = "", to = ""] = [parentAddress(address), parentAddress(successor ?? "")];
    return to === ""
      ? []
      : (["create", "update"] as const).map((op) => [operationId("update", from), operationId(op, to)] as const);
  });
}

type Link = (after: string, before: string) => void;

/** Creates and updates follow those of their parent and of the objects they refer to. */
function linkWrite(context: PlanContext, operation: UnorderedOperation, link: Link): void {
  const { id, op, address, parent } = operation;
  if (op === "delete") {
    if (parent !== undefined) link(operationId("delete", parent), id);
    return;
  }
  if (parent !== undefined) link(id, operationId("create", parent));
  if (op === "set") linkSet(operation, link);
  for (const needed of referredBy(context, operation)) link(id, operationId("create", needed));
  for (const named of context.desired.nodes.get(address)?.dependsOn ?? [])
    for (const before of ["create", "update"] as const) link(id, operationId(before, named));
}

/** A field with a separate request follows the request that creates or changes its object. */
function linkSet({ id, address, parent }: UnorderedOperation, link: Link): void {
  for (const before of ["create", "update"] as const) {
    link(id, operationId(before, address));
    if (parent !== undefined) link(id, operationId(before, parent));
  }
}

function referredBy(context: PlanContext, operation: UnorderedOperation): readonly string[] {
  const kind = context.kinds.get(operation.kind);
  const node = context.desired.nodes.get(operation.address);
  // Masked values may contain references.
  const declared = node?.sensitive && kind ? context.resolver.spell(kind, node.fields) : operation.declared;
  return kind ? referredAddresses(kind, declared) : [];
}

/** Deletes follow every operation on what refers to the live object. */
function linkObject(
  { object, references }: { readonly object: ObjectPlan; readonly references: JsonObject },
  byHandle: ReadonlyMap<string, ObjectPlan>,
  link: Link,
): void {
  const { address, change, kind, live } = object;
  if (change.action === "replace") {
    const [first, second] = change.createFirst ? (["create", "delete"] as const) : (["delete", "create"] as const);
    link(operationId(second, address), operationId(first, address));
  }
  if (live === undefined) return;
  // An unbound object is referred to by its id.
  const unbound = referredHandles(kind, references).flatMap((handle) => byHandle.get(handle)?.address ?? []);
  for (const target of [...referredAddresses(kind, references), ...unbound]) {
    for (const op of ["update", "delete"] as const) link(operationId("delete", target), operationId(op, address));
  }
}

/** Kahn's algorithm; operations that are ready keep their order, so plans are stable. */
function sortOperations(all: readonly UnorderedOperation[], edges: Edges): Ordered {
  const waiting = new Map(all.map(({ id }) => [id, edges.get(id)?.size ?? 0]));
  const followers = grouped(
    [...edges].flatMap(([after, befores]) => [...befores].map((before) => [before, after] as const)),
  );
  const byId = new Map(all.map((operation) => [operation.id, operation]));
  const ready = all.filter(({ id }) => waiting.get(id) === 0).map(({ id }) => id);
  for (let next = 0; next < ready.length; next++)
    for (const follower of followers.get(ready[next] ?? "") ?? []) {
      const count = (waiting.get(follower) ?? 0) - 1;
      waiting.set(follower, count);
      if (count === 0) ready.push(follower);
    }
  const operations = ready.flatMap((id) => {
    const operation = byId.get(id);
    return operation ? [{ ...operation, after: [...(edges.get(id) ?? [])] }] : [];
  });
  const placed = new Set(ready);
  return { operations, cycle: all.flatMap(({ id }) => (placed.has(id) ? [] : [id])) };
}

/**
 * An unmanaged object below a deleted one may use another deleted one: a configuration that runs our scenario. That can be
 * deleted only after it (`edges`: after, before), or together with it: `partOf` has the ids of such deletes with that of the whole, and
 * `operations` are without them.
 */
function findCascades(context: PlanContext, objects: readonly ObjectPlan[], operations: readonly UnorderedOperation[]) {
  const deleted = byLiveHandle(objects.filter(({ kind, change }) => !kind.inline && isEnding(change)));
  const partOf = new Map<string, string>();
  const edges: (readonly [string, string])[] = [];
  for (const [top, object] of deleted)
    for (const used of new Set(usedBelow(context, top, deleted))) {
      const target = deleted.get(used);
      if (target === undefined || used === top) continue;
      const pair = [operationId("delete", target.address), operationId("delete", object.address)] as const;
      if (isBelow(context, used, top)) partOf.set(...pair);
      else edges.push(pair);
    }
  return { operations: partOf.size === 0 ? operations : mergeParts(operations, partOf), partOf, edges };
}

/** Handles of the objects that are used by those deleted without a request of their own. */
function usedBelow(context: PlanContext, top: string, deleted: ReadonlyMap<string, ObjectPlan>): readonly string[] {
  return (context.liveChildren().get(top) ?? [])
    .filter(({ handle }) => !deleted.has(handle))
    .flatMap((node) => {
      const kind = context.kinds.get(node.kind);
      const used = kind ? referredHandles(kind, node.fields) : [];
      return [...used, ...usedBelow(context, node.handle, deleted)];
    });
}

function isBelow({ input }: PlanContext, handle: string, top: string): boolean {
  for (let up = input.live.nodes.get(handle)?.parent; up !== undefined; up = input.live.nodes.get(up)?.parent)
    if (up === top) return true;
  return false;
}

/** Bindings of objects that are deleted together end together. */
function mergeParts(operations: readonly UnorderedOperation[], partOf: ReadonlyMap<string, string>) {
  const parts = new Map<string, string[]>();
  for (const { id, address, ends } of operations) {
    const whole = partOf.get(id);
    if (whole !== undefined) parts.set(whole, [...(parts.get(whole) ?? []), ...(ends ?? [address])]);
  }
  return operations
    .filter(({ id }) => !partOf.has(id))
    .map((operation) => {
      const more = parts.get(operation.id);
      return more === undefined ? operation : { ...operation, ends: [...(operation.ends ?? []), ...more] };
    });
}
