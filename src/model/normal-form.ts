import { canonicalSet } from "./canonical.ts";
import type { Field } from "./field.ts";
import { isContentMark, isSecretMark } from "./fingerprint.ts";
import type { Json, JsonObject } from "./json.ts";
import { isObject } from "./json.ts";
import { momentOf } from "./recurrence.ts";

/**
 * The normal form of one value: what makes two spellings of the same wish equal (docs/engine.md, Diff).
 * Values that do not fit the field's type come back as they are: validation speaks about them, not this.
 */
export function normalValue(field: Field, value: Json): Json {
  if (value === null || isContentMark(value) || isSecretMark(value)) return value;
  const plain = byType(field, value);
  return field.normalize ? field.normalize(plain) : plain;
}

/** The normal form of an object's fields; unknown members are left out, null and absent stay apart. */
export function normalFields(fields: Readonly<Record<string, Field>>, values: JsonObject): JsonObject {
  const normal: Record<string, Json> = {};
  for (const [name, field] of entriesOf(fields)) {
    const value = values[name];
    if (value !== undefined) normal[name] = normalValue(field, value);
  }
  return normal;
}

const entriesOfFields = new WeakMap<object, readonly (readonly [string, Field])[]>();

/** The fields as a list, made once: every object of a project walks it. */
function entriesOf(fields: Readonly<Record<string, Field>>): readonly (readonly [string, Field])[] {
  const known = entriesOfFields.get(fields);
  if (known) return known;
  const entries = Object.entries(fields);
  entriesOfFields.set(fields, entries);
  return entries;
}

function byType(field: Field, value: Json): Json {
  switch (field.type) {
    case "string":
    case "choice":
      return normalText(field, value);
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

function normalNumber(value: Json): Json {
  const isNumeric = typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value));
  return isNumeric ? Number(value) : value;
}

function normalText(field: Field, value: Json): Json {
  const spelled = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return field.trim && typeof spelled === "string" ? spelled.trim() : spelled;
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

/** Members of an inner object: nulls and documented defaults are left out, so that sparse and full answers are equal. */
function normalMembers(fields: Readonly<Record<string, Field>>, value: JsonObject): JsonObject {
  const normal: Record<string, Json> = {};
  for (const [name, field] of entriesOf(fields)) {
    const raw = value[name];
    if (raw === undefined || raw === null) continue;
    const member = normalValue(field, raw);
    if (member !== field.default) normal[name] = member;
  }
  return normal;
}

function normalMap(field: Field, value: JsonObject): JsonObject {
  const { of } = field;
  if (of === undefined) return value;
  const normal: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) normal[key] = normalValue(of, member);
  return normal;
}
