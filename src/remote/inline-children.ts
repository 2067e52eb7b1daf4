import { holdsSecret, same } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { AnyKind, RemoteScope, Wire } from "../model/kind.ts";
import { hasFields, readFields } from "../model/normal-form.ts";
import { inactiveFields } from "../model/variant.ts";
import { encodeFields, type ValueSources } from "./encode-fields.ts";

/** A child that is written inside its parent's requests. */
export interface InlineChild {
  /** Absent for a new one. */
  readonly id?: number;
  readonly fields: JsonObject;
  /** Fields with a separate request as they were: they are set again where the service creates the child anew. */
  readonly separate?: JsonObject;
}

/** The whole list of such children; what is not in it is deleted. */
export interface InlineList<T extends InlineChild = InlineChild> {
  readonly kind: AnyKind;
  readonly items: readonly T[];
  /** None of them changes: they are only sent to a service whose PUT drops what it does not carry (docs/engine.md, Assumptions A3). */
  readonly unchanged?: true | undefined;
  /** Where the values of one child are found; default those of its parent. */
  readonly sourcesOf?: (item: T) => ValueSources;
}

/** The members of a request that carry the children, or that clear them when none remain. */
export function inlineBody<T extends InlineChild>(
  { kind, items, sourcesOf }: InlineList<T>,
  { isNew, sources }: { readonly isNew: boolean; readonly sources: ValueSources },
): JsonObject {
  const { inline } = kind;
  if (inline === undefined) throw new Error(`a ${kind.name} is not written inside another object`);
  if (items.length === 0) return isNew ? {} : inline.clear;
  const bodies = items.map((item): Json => {
    const fields = encodeFields(kind, item.fields, sourcesOf?.(item) ?? sources);
    return item.id === undefined ? fields : { id: item.id, ...fields };
  });
  return { [inline.member]: bodies };
}

/**
 * The children in their parent's answer: known ones by id, others by what was sent. `isAnew` is true of one that was created anew
 * although it carried its id (docs/engine.md, Assumptions A4).
 */
export function writtenChildren<T extends InlineChild>(
  { kind, items }: Pick<InlineList<T>, "kind" | "items">,
  wire: Wire,
): readonly { readonly item: T; readonly child: Wire; readonly isAnew: boolean }[] {
  const free = new Map((kind.remote.within?.(wire, undefined) ?? []).map((child) => [child.id, child]));
  const known = items.map(({ id }) => (id === undefined ? undefined : free.get(id)));
  for (const child of known) if (child) free.delete(child.id);
  return items.flatMap((item, index) => {
    const child = known[index] ?? takeMatch(kind, item, free);
    return child === undefined ? [] : [{ item, child, isAnew: item.id !== undefined && item.id !== child.id }];
  });
}

/** The children with the ids that they have after a first request, for a second one: what it dropped is new, unless it has finished. */
export function withIds(inline: InlineList, wire: Wire): InlineList {
  if (inline.kind.remote.within?.(wire, undefined) === undefined) return inline;
  const ids = new Map(writtenChildren(inline, wire).map(({ item, child }) => [item, child.id]));
  const items = inline.items.flatMap((item): readonly InlineChild[] => {
    const { id: _former, ...fresh } = item;
    const id = ids.get(item);
    if (id !== undefined) return [{ ...item, id }];
    return inline.kind.finished?.(item.fields, item.separate ?? {}) ? [] : [fresh];
  });
  return { ...inline, items };
}

/** True where an answer shows none of the children that must remain: a PUT that replaces drops all, somebody who deletes one does not. */
export function lacksChildren(inline: InlineList | undefined, wire: Wire): boolean {
  const isShown = inline?.kind.remote.within?.(wire, undefined) !== undefined;
  return isShown && inline?.unchanged === true && inline.items.length > 0 && writtenChildren(inline, wire).length === 0;
}

/** Children that the service created anew get back what has a separate request. */
export async function restoreSeparate(scope: RemoteScope, inline: InlineList, wire: Wire): Promise<void> {
  const { kind } = inline;
  for (const { item, child, isAnew } of writtenChildren(inline, wire)) {
    const inactive = inactiveFields(kind.variants, readFields(kind, child));
    const lost = Object.entries(item.separate ?? {}).filter(
      ([name, value]) => kind.fields[name]?.separateRequest && !inactive.has(name) && child[name] !== value,
    );
    if (isAnew && lost.length > 0) await kind.remote.set?.({ ...scope, id: child.id, body: Object.fromEntries(lost) });
  }
}

function takeMatch(kind: AnyKind, item: InlineChild, free: Map<number, Wire>): Wire | undefined {
  for (const child of free.values()) {
    // One that is cleared or secret cannot be read.
    const equal = (value?: Json, live?: Json) => value === null || holdsSecret(value) || same(value, live);
    if (!hasFields(kind, item.fields, { live: readFields(kind, child), equal })) continue;
    free.delete(child.id);
    return child;
  }
  return undefined;
}
