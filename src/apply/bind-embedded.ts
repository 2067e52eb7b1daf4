import type { AnyKind, Wire } from "../model/kind.ts";
import { readFields } from "../model/wire-fields.ts";
import { holdsSecret, same } from "../plan/diff-fields.ts";
import type { EmbeddedItem, EmbeddedList, Operation } from "../plan/plan.ts";
import type { StateResource } from "../state/state.ts";
import type { ApplyContext } from "./apply-context.ts";
import { bindAnswer } from "./bind-answer.ts";

/** What the service made of an embedded child. */
interface Written {
  readonly item: EmbeddedItem;
  readonly child: Wire;
  /** It was made anew although it carried its id (docs/engine.md, Assumptions A4). */
  readonly isAnew: boolean;
}

/** Bindings of the embedded children that an answer shows: kept ones by id, others by what was sent. */
export function bindEmbedded(
  context: ApplyContext,
  { embedded }: Operation,
  wire: Wire,
): readonly (readonly [string, StateResource])[] {
  if (embedded === undefined) return [];
  const kind = context.kindOf(embedded.kind);
  return writtenChildren(kind, embedded, wire).flatMap(({ item, child, isAnew }) => {
    const { address, binding, stays } = item;
    if (address !== undefined && binding !== undefined)
      return [[address, bindAnswer({ kind, wire: child, binding, parentId: wire.id, hash: context.hash })] as const];
    const former = stays === undefined ? undefined : context.resources.get(stays);
    if (stays === undefined || former === undefined || !isAnew) return [];
    return [[stays, bindAnswer({ kind, wire: child, binding: former, parentId: wire.id, former, hash: context.hash })]];
  });
}

/** Children that the service made anew have lost what has a request of its own: a schedule is not paused any more. */
export async function setAgain(context: ApplyContext, operation: Operation, wire: Wire): Promise<void> {
  const { embedded, address: parent } = operation;
  if (embedded === undefined) return;
  const { api, plan } = context;
  const kind = context.kindOf(embedded.kind);
  for (const { item, child, isAnew } of writtenChildren(kind, embedded, wire)) {
    const wanted = Object.entries({ ...item.own, ...item.binding?.applied });
    const lost = wanted.filter(([name, value]) => kind.fields[name]?.ownRequest && child[name] !== value);
    const place = { api, organization: plan.target.organization, address: item.address ?? parent, id: child.id };
    if (isAnew && lost.length > 0) await kind.remote.set?.({ ...place, body: Object.fromEntries(lost) });
  }
}

function writtenChildren(kind: AnyKind, { items }: EmbeddedList, wire: Wire): readonly Written[] {
  const free = new Map((kind.remote.within?.(wire, undefined) ?? []).map((child) => [child.id, child]));
  const kept = items.map(({ id }) => (id === undefined ? undefined : free.get(id)));
  for (const child of kept) if (child) free.delete(child.id);
  return items.flatMap((item, index) => {
    const child = kept[index] ?? takeMatch(kind, item, free);
    return child === undefined ? [] : [{ item, child, isAnew: item.id !== undefined && item.id !== child.id }];
  });
}

function takeMatch(kind: AnyKind, item: EmbeddedItem, free: Map<number, Wire>): Wire | undefined {
  for (const child of free.values()) {
    const fields = readFields(kind, child);
    const isSent = Object.entries(item.fields).every(
      ([name, value]) =>
        value === null || holdsSecret(value) || same(value, fields[name] ?? kind.fields[name]?.default),
    );
    if (!isSent) continue;
    free.delete(child.id);
    return child;
  }
  return undefined;
}
