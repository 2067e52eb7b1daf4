import type { Hash } from "../model/fingerprint.ts";
import { contentVersionOf } from "../model/fingerprint.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import type { BindingParts, Operation, PlannedChild } from "../plan/plan.ts";
import type { InlineList } from "../remote/inline-children.ts";
import { writtenChildren } from "../remote/inline-children.ts";
import type { StateResource } from "../state/state.ts";
import type { ApplyContext } from "./apply-context.ts";
import { scopeOf, sourcesOf } from "./apply-context.ts";

/** A binding from what the plan knows and what the service answered. */
export function bindAnswer(of: {
  readonly kind: AnyKind;
  readonly wire: Wire;
  readonly binding: BindingParts;
  readonly parentId: number | undefined;
  readonly hash: Hash;
  /** What it was bound as before, when the answer does not say all. */
  readonly former?: StateResource;
}): StateResource {
  const { kind, wire, binding, parentId, former, hash } = of;
  const createdAt = typeof wire["createdAt"] === "string" ? wire["createdAt"] : (former?.createdAt ?? "");
  const seen =
    kind.contentVersion && isWhole(wire, kind.contentVersion)
      ? contentVersionOf(wire, kind.contentVersion, hash)
      : undefined;
  return {
    ...binding,
    id: wire.id,
    createdAt,
    ...(parentId === undefined ? {} : { parent: parentId }),
    ...(seen && { seen }),
  };
}

/** Only a whole set of members is the content version of a text that is not read again. */
function isWhole(wire: JsonObject, members: readonly string[]): boolean {
  return members.every((member) => wire[member] !== undefined);
}

/** The inline children of a request, as remote writes them. */
export function inlineOf(
  context: ApplyContext,
  { inlineChildren, address }: Operation,
): (InlineList<PlannedChild> & { readonly kind: AnyKind }) | undefined {
  if (inlineChildren === undefined) return undefined;
  const items = inlineChildren.items.map((item) => ({
    ...item,
    separate: { ...item.separate, ...item.binding?.applied },
  }));
  return {
    kind: context.kindOf(inlineChildren.kind),
    items,
    sourcesOf: (item) => sourcesOf(context, item.address ?? address),
  };
}

/** Bindings of the inline children that an answer shows. */
export function bindInline(
  context: ApplyContext,
  operation: Operation,
  wire: Wire,
): readonly (readonly [string, StateResource])[] {
  const inline = inlineOf(context, operation);
  if (inline === undefined) return [];
  const { kind } = inline;
  const { hash } = context;
  return writtenChildren(inline, wire).flatMap(({ item, child, isAnew }) => {
    const { address, binding, boundTo } = item;
    if (address !== undefined && binding !== undefined)
      return [[address, bindAnswer({ kind, wire: child, binding, parentId: wire.id, hash })] as const];
    const former = boundTo === undefined ? undefined : context.resources.get(boundTo);
    if (boundTo === undefined || former === undefined || !isAnew) return [];
    return [[boundTo, bindAnswer({ kind, wire: child, binding: former, parentId: wire.id, former, hash })] as const];
  });
}

/** Binds what was created by its use: a tag that a scenario just carried (docs/engine.md, Write routes). */
export async function bindCreatedByUse(context: ApplyContext): Promise<void> {
  const waiting = context.plan.pending;
  if (waiting.length === 0 || context.plan.operations.length === 0) return;
  const lists = new Map<string, readonly Wire[]>();
  for (const name of new Set(waiting.map(({ kind }) => kind))) lists.set(name, await listKind(context, name));
  for (const { address, kind, name, binding } of waiting) {
    const wire = lists.get(kind)?.find((candidate) => candidate["name"] === name);
    if (wire === undefined) continue;
    const resource = bindAnswer({ kind: context.kindOf(kind), wire, binding, parentId: undefined, hash: context.hash });
    context.resources.set(address, resource);
    await context.session.record([{ phase: "done", address, resource }]);
  }
}

async function listKind(context: ApplyContext, name: string): Promise<readonly Wire[]> {
  return (
    (await context
      .kindOf(name)
      .remote.list?.(scopeOf(context, name))
      .catch(() => [])) ?? []
  );
}
