import type { JsonObject } from "../model/json.ts";
import type { AnyKind, RemoteScope, Wire } from "../model/kind.ts";
import { lostFields, type SentUpdate } from "./compare-answer.ts";
import { encodeFields, type ValueSources, writeOnlyFields } from "./encode-fields.ts";
import { type InlineList, inlineBody, lacksChildren, restoreSeparate, withIds } from "./inline-children.ts";

/** One object to be changed in place. */
export interface ObjectUpdate extends SentUpdate {
  readonly id: number;
  readonly parentId?: number;
  /** Its name at the service. */
  readonly currentName: string;
  /** The whole list of its inline children; absent when none of them changes. */
  readonly inline?: InlineList;
  /** One of several requests for the same change: what its answer shows besides is not compared. */
  readonly isPartial?: boolean;
  /** Called with each answer before anything further is sent. */
  readonly answered?: (wire: Wire) => Promise<void>;
}

/** Habits of a service that its answers to writes show, for all writes of a run. */
export interface ServiceHabits {
  /** A PUT drops what it does not carry (docs/engine.md, Assumptions A3). */
  putReplaces: boolean;
}

/** The request of a create: fields in normal form, in which secrets and contents are marks, references addresses or ids. */
export function createBody(
  kind: AnyKind,
  { fields, inline, sources }: Pick<ObjectUpdate, "fields" | "inline" | "sources">,
): JsonObject {
  const body = encodeFields(kind, fields, sources);
  return inline === undefined ? body : { ...body, ...inlineBody(inline, { isNew: true, sources }) };
}

/** Sends a create once. Whether a lost one happened is for {@link findLostCreate}. */
export async function createObject(
  scope: RemoteScope,
  kind: AnyKind,
  { body, parentId = 0 }: { readonly body: JsonObject; readonly parentId?: number | undefined },
): Promise<Wire> {
  if (kind.remote.create === undefined) throw new Error(`a ${kind.name} cannot be created separately`);
  return kind.remote.create({ ...scope, body, parentId });
}

/**
 * Changes an object in place and answers its last answer. What the service dropped because the request did not carry it is
 * put back at once, and inline children that it created anew get back what has a separate request.
 */
export async function updateObject(
  scope: RemoteScope & { readonly habits: ServiceHabits },
  kind: AnyKind,
  update: ObjectUpdate,
): Promise<Wire> {
  const answer = await sendUpdate(scope, kind, update);
  await update.answered?.(answer);
  const isLess = Object.keys(lostFields(kind, update, answer)).length > 0 || lacksChildren(update.inline, answer);
  const isDropped = !update.isPartial && !kind.remote.upserts && isLess;
  let wire = answer;
  if (isDropped) {
    scope.habits.putReplaces = true;
    const { inline } = update;
    wire = await sendUpdate(scope, kind, { ...update, ...(inline && { inline: withIds(inline, answer) }) });
    await update.answered?.(wire);
  }
  if (update.inline) await restoreSeparate(scope, update.inline, wire);
  return wire;
}

async function sendUpdate(
  scope: RemoteScope & { readonly habits: ServiceHabits },
  kind: AnyKind,
  { id, parentId = 0, currentName, fields, declared, kept, inline, sources }: ObjectUpdate,
): Promise<Wire> {
  if (kind.remote.update === undefined) throw new Error(`a ${kind.name} cannot be changed`);
  const carried = scope.habits.putReplaces ? { ...kept, ...declared, ...fields } : fields;
  const own = encodeFields(kind, { ...carried, ...writeOnlyFields(kind, declared) }, sources);
  const isWhole = inline !== undefined && (!inline.unchanged || scope.habits.putReplaces);
  const body = isWhole ? { ...own, ...inlineBody(inline, { isNew: false, sources }) } : own;
  const { habits: _habits, ...place } = scope;
  const all = declaredBody(kind, declared, sources);
  return kind.remote.update({ ...place, id, parentId, body, currentName, declared: all });
}

/** Every declared field, encoded; texts and files are only sent when they change, and need not be at hand. */
export function declaredBody(kind: AnyKind, declared: JsonObject, sources: ValueSources): JsonObject {
  const short = Object.entries(declared).filter(([name]) => kind.fields[name]?.content === undefined);
  return encodeFields(kind, Object.fromEntries(short), sources);
}
