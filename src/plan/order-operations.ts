import { grouped } from "../model/group-by.ts";
import type { JsonObject } from "../model/json.ts";
import { referredAddresses, referredHandles } from "../model/references.ts";
import { findCascades } from "./cascades.ts";
import type { Draft } from "./draft.ts";
import { liveReferences } from "./draft.ts";
import type { LooseOperation } from "./make-operations.ts";
import { operationId } from "./make-operations.ts";
import { nameEdges } from "./name-edges.ts";
import type { Operation } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";

/** Operations with what must come before each, in an order that respects it; addresses in a circle are reported. */
export interface Ordered {
  readonly operations: readonly Operation[];
  readonly cycle: readonly string[];
}

type Edges = Map<string, Set<string>>;

/** Orders operations (docs/engine.md, Write routes): parents and referenced objects first, deletes reversed, names freed before taken. */
export function orderOperations(
  context: PlanContext,
  drafts: readonly Draft[],
  loose: readonly LooseOperation[],
): Ordered {
  const cascades = findCascades(context, drafts, loose);
  const named = nameEdges(drafts, cascades.operations);
  const all = [...named.extra, ...cascades.operations];
  const whole = (id: string): string => cascades.partOf.get(id) ?? id;
  const link = (pairs: readonly (readonly [string, string])[]): Edges => {
    const edges: Edges = new Map(all.map(({ id }) => [id, new Set<string>()]));
    const add = (later: string, earlier: string): void => {
      const [after, before] = [whole(later), whole(earlier)];
      if (after !== before && edges.has(before)) edges.get(after)?.add(before);
    };
    for (const operation of all) linkWrite(context, operation, add);
    const standing = addressesOf(drafts);
    for (const draft of drafts) linkDraft({ draft, references: liveReferences(context, draft) }, standing, add);
    for (const [after, before] of [...cascades.edges, ...pairs]) add(after, before);
    return edges;
  };
  const careful = sortOperations(all, link([...named.edges, ...named.soft]));
  return careful.cycle.length === 0 ? careful : sortOperations(all, link(named.edges));
}

type Link = (after: string, before: string) => void;

/** Creates and updates come after what they stand in and refer to. */
function linkWrite(context: PlanContext, operation: LooseOperation, link: Link): void {
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

/** A field with a request of its own comes after the request that makes or changes its object. */
function linkSet({ id, address, parent }: LooseOperation, link: Link): void {
  for (const before of ["create", "update"] as const) {
    link(id, operationId(before, address));
    if (parent !== undefined) link(id, operationId(before, parent));
  }
}

function referredBy(context: PlanContext, operation: LooseOperation): readonly string[] {
  const kind = context.kinds.get(operation.kind);
  const node = context.desired.nodes.get(operation.address);
  // References may stand within what is masked.
  const declared = node?.sensitive && kind ? context.resolver.desired(kind, node.fields) : operation.declared;
  return kind ? referredAddresses(kind, declared) : [];
}

/** Deletes come after every operation on what refers to the object now; the live ids say what does. */
function linkDraft(
  { draft, references }: { readonly draft: Draft; readonly references: JsonObject },
  standing: ReadonlyMap<string, string>,
  link: Link,
): void {
  const { address, change, kind, live } = draft;
  if (change.action === "replace") {
    const [first, second] = change.createFirst ? (["create", "delete"] as const) : (["delete", "create"] as const);
    link(operationId(second, address), operationId(first, address));
  }
  if (live === undefined) return;
  const unbound = referredHandles(kind, references).flatMap((handle) => standing.get(handle) ?? []);
  for (const target of [...referredAddresses(kind, references), ...unbound]) {
    const deletion = operationId("delete", target);
    for (const op of ["update", "delete"] as const) link(deletion, operationId(op, address));
  }
}

/** Addresses of what stands at the service, by handle: what nobody here owns is referred to by its id. */
function addressesOf(drafts: readonly Draft[]): ReadonlyMap<string, string> {
  return new Map(drafts.flatMap(({ live, address }) => (live ? [[live.handle, address] as const] : [])));
}

/** Kahn's algorithm; what is ready goes in the order it was given, so plans are stable. */
function sortOperations(all: readonly LooseOperation[], edges: Edges): Ordered {
  const waiting = new Map(all.map(({ id }) => [id, edges.get(id)?.size ?? 0]));
  const followers = followersOf(edges);
  const byId = new Map(all.map((operation) => [operation.id, operation]));
  const ready = all.filter(({ id }) => waiting.get(id) === 0).map(({ id }) => id);
  for (let next = 0; next < ready.length; next++)
    for (const follower of followers.get(ready[next] ?? "") ?? []) {
      const left = (waiting.get(follower) ?? 0) - 1;
      waiting.set(follower, left);
      if (left === 0) ready.push(follower);
    }
  const operations = ready.flatMap((id) => {
    const operation = byId.get(id);
    return operation ? [{ ...operation, after: [...(edges.get(id) ?? [])] }] : [];
  });
  const placed = new Set(ready);
  return { operations, cycle: all.filter(({ id }) => !placed.has(id)).map(({ address }) => address) };
}

function followersOf(edges: Edges): ReadonlyMap<string, readonly string[]> {
  return grouped([...edges].flatMap(([after, befores]) => [...befores].map((before) => [before, after] as const)));
}
