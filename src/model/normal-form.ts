import type { Field } from "./field.ts";
import { isContentMark, isSecretMark, same } from "./fingerprint.ts";
import { canonicalSet, isObject, type Json, type JsonObject, objectOf } from "./json.ts";
import type { AnyKind } from "./kind.ts";
import { momentOf } from "./recurrence.ts";
import { withoutInactive } from "./variant.ts";

/**
 * The normal form of one value: in which two spellings of the same desired value are equal (docs/engine.md, Diff).
 * Values that do not fit the field's type are returned unchanged: reporting them is up to validation.
 */
export function normalValue(field: Field, value: Json): Json {
  if (typeof value === "object" && (value === null || isContentMark(value) || isSecretMark(value))) return value;
  const plain = byType(field, value);
  return field.normalize ? field.normalize(plain) : plain;
}

/** The shape in which users write a value, each element and member by its own field. */
export function spellValue(field: Field | undefined, value: Json): Json {
  const spelled = field?.spell ? field.spell(value) : value;
  const item = field?.of?.spell;
  return item && Array.isArray(spelled) ? spelled.map(item) : spelled;
}

/**
 * The normal form of one object from plain values: its name, references resolved, fields of inactive variants left out.
 * Texts and files are content marks by now. `name` counts where the values hold none, for kinds that have one; without
 * `resolve`, references by id remain as they are.
 */
export function normalObject(
  kind: AnyKind,
  input: JsonObject,
  by: { readonly name?: string; readonly resolve?: (field: Field, value: Json, name: string) => Json } = {},
): JsonObject {
  const { name, resolve } = by;
  const normal: Record<string, Json> = {};
  for (const each in kind.fields) {
    const field = kind.fields[each];
    const value = input[each] ?? (each === "name" ? (name ?? input[each]) : input[each]);
    if (field === undefined || value === undefined) continue;
    const resolved = resolve === undefined || value === null ? value : resolve(field, value, each);
    normal[each] = normalValue(field, resolved);
  }
  return withoutInactive(kind, normal);
}

function byType(field: Field, value: Json): Json {
  switch (field.type) {
    case "string":
      return normalText(field, value);
    case "choice":
      return normalWord(field, normalText(field, value));
    case "integer":
    case "number":
      return normalNumber(value);
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    case "time":
      return normalTime(value);
    case "list":
      return normalList(field, field.alsoOne && !Array.isArray(value) ? [value] : value);
    case "object":
      return isObject(value) ? normalMembers(field.fields ?? {}, value) : value;
    case "map":
      return isObject(value) ? normalMap(field, value) : value;
    case "reference":
      return value;
  }
}

/** The number of a text that is one; any other value as it is. */
export function normalNumber(value: Json): Json {
  return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

function normalText(field: Field, value: Json): Json {
  const spelled = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return field.trim && typeof spelled === "string" ? spelled.trim() : spelled;
}

/** The word of a choice as the documents write it; a service may write it in other letters. */
function normalWord({ values = [] }: Field, word: Json): Json {
  if (typeof word !== "string" || values.includes(word)) return word;
  return values.find((each) => each.toLowerCase() === word.toLowerCase()) ?? word;
}

/** ISO 8601 with milliseconds, in UTC, from ISO text or epoch milliseconds. */
function normalTime(value: Json): Json {
  const epoch = momentOf(value);
  return Number.isNaN(epoch) ? value : new Date(epoch).toISOString();
}

function normalList(field: Field, values: Json): Json {
  const { of } = field;
  if (!Array.isArray(values)) return values;
  const items = of === undefined ? values : values.map((item) => normalValue(of, item));
  return field.set ? canonicalSet(items) : items;
}

/** Members of an inner object: nulls and documented defaults are omitted, so that sparse and full answers are equal. */
function normalMembers(fields: Readonly<Record<string, Field>>, value: JsonObject): JsonObject {
  const normal: Record<string, Json> = {};
  for (const name in fields) {
    const field = fields[name];
    const raw = value[name];
    if (field === undefined || raw === undefined || raw === null) continue;
    const member = normalValue(field, raw);
    if (member !== field.default) normal[name] = member;
  }
  return normal;
}

function normalMap(field: Field, value: JsonObject): JsonObject {
  const { of } = field;
  if (of === undefined) return value;
  // An assignment would lose the key `__proto__`, which a service may have.
  const entries = Object.entries(value).map(([key, member]) => [key, normalValue(of, member)] as const);
  return entries.every(([key, member]) => member === value[key]) ? value : Object.fromEntries(entries);
}

/** The fields of a service's answer in normal form; null counts as absent, texts are still plain text. */
export function readFields(kind: AnyKind, wire: JsonObject): JsonObject {
  const normal: Record<string, Json> = {};
  for (const name in kind.fields) {
    const field = kind.fields[name];
    if (field === undefined || field.secret) continue;
    const value = readField(name, field, wire);
    if (value !== undefined && value !== null) normal[name] = normalValue(field, value);
  }
  return withoutInactive(kind, normal);
}

function readField(name: string, field: Field, wire: JsonObject): Json | undefined {
  if (field.wire?.read) return field.wire.read(wire);
  if (field.type !== "reference") return wire[field.wire?.name ?? name];
  const nested = wire[name];
  if (isObject(nested)) return typeof nested.id === "number" ? { id: nested.id } : undefined;
  const id = wire[field.wire?.name ?? name];
  return typeof id === "number" ? { id } : undefined;
}

/** Paths of members that a service answers as null, since their parameters are encrypted. */
export function hiddenMembers(kind: AnyKind, live: JsonObject): readonly (readonly [field: string, key: string])[] {
  const mappings = Object.keys(kind.fields).filter((name) => kind.fields[name]?.maybeSecret);
  return mappings.flatMap((name) =>
    Object.entries(objectOf(live[name])).flatMap(([key, value]) => (value === null ? [[name, key] as const] : [])),
  );
}

/** The body of a request for these fields; references must be numbers and contents plain by now. */
export function writeFields(kind: AnyKind, fields: JsonObject): JsonObject {
  const body: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    const field = kind.fields[name];
    if (field) body[field.wire?.name ?? name] = value === null ? null : (field.wire?.write?.(value) ?? value);
  }
  return body;
}

/** True where a live object has every one of these fields; those with a separate request are not compared. */
export function hasFields(
  kind: AnyKind,
  fields: JsonObject,
  { live, equal = same }: { readonly live: JsonObject; readonly equal?: typeof same },
): boolean {
  return Object.entries(fields).every(
    ([name, value]) => kind.fields[name]?.separateRequest || equal(value, live[name] ?? kind.fields[name]?.default),
  );
}

/**
 * True where a live object without a name can be one that was saved anew under another id: it equals what was last applied
 * (docs/engine.md, Assumptions A4). References are resolved on both sides.
 */
export function isSavedAnew(kind: AnyKind, applied: JsonObject, live: JsonObject): boolean {
  if (kind.createdByUse || kind.fields["name"] !== undefined) return false;
  return isMadeOf(kind, applied, live);
}

/** True where a live object has these fields and no others; what the service fills in by itself counts where it was sent. */
export function isMadeOf(kind: AnyKind, sent: JsonObject, live: JsonObject): boolean {
  return Object.entries(kind.fields).every(([name, field]) => {
    if (field.separateRequest || (field.filledIn && sent[name] === undefined)) return true;
    return same(sent[name] ?? field.default, live[name] ?? field.default);
  });
}

/** True where two objects of one name collide: a name may be unique within what a field refers to, as a region's within its grid. */
export function inSameScope(kind: AnyKind, desired: JsonObject, live: JsonObject): boolean {
  if (typeof kind.naturalKey !== "object") return true;
  const { within } = kind.naturalKey;
  return desired[within] === undefined || same(desired[within], live[within]);
}
