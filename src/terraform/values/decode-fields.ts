import type { Json, JsonObject } from "../../model/json.ts";
import { isNested, type TerraformAttribute } from "../../terraform-schema/attribute.ts";
import { storeContent } from "../../workspace/hash.ts";
import { DecimalText, isValueMap, UNKNOWN, type Value, type ValueMap } from "../wire/values.ts";

/** A value as a project file has it, with what Terraform does not know yet in it. */
export type Mixed = Json | typeof UNKNOWN | readonly Mixed[] | MixedObject;

/** Fields by the kind's names. */
export interface MixedObject {
  readonly [field: string]: Mixed;
}

/** Texts and files by hash, added to while values are decoded. */
export type Contents = Map<string, string | Uint8Array>;

/** The fields in the attributes of an object; null ones are left out, and of alternatives the first that is set counts. */
export function decodeFields(
  attributes: readonly TerraformAttribute[],
  value: ValueMap,
  contents: Contents,
): MixedObject {
  const fields: Record<string, Mixed> = {};
  for (const attribute of attributes) {
    if (attribute.source.is !== "field") continue;
    const decoded = decodeAttribute(attribute, value[attribute.name] ?? null, contents);
    if (decoded !== undefined) putField(fields, attribute.source.path, decoded);
  }
  return fields;
}

/** The value of one attribute as the field has it; undefined for null. */
export function decodeAttribute(attribute: TerraformAttribute, value: Value, contents: Contents): Mixed | undefined {
  const { source, type } = attribute;
  if (value === null || source.is !== "field") return undefined;
  if (value === UNKNOWN) return UNKNOWN;
  if (source.field.content !== undefined) return contentMark(source.form, value, contents);
  if (source.form === "id")
    return typeof value === "string" && /^(?:0|[1-9]\d{0,14})$/.test(value) ? { id: Number(value) } : plainValue(value);
  if (!isNested(type)) return plainValue(value);
  const members = (item: Value): Mixed =>
    isValueMap(item) ? decodeFields(type.attributes, item, contents) : plainValue(item);
  return Array.isArray(value) ? value.map(members) : members(value);
}

/** Fields with unknown values in them are only named. */
export function knownFields(fields: MixedObject): {
  readonly known: JsonObject;
  readonly unknown: ReadonlySet<string>;
} {
  const known: Record<string, Json> = {};
  const unknown = new Set<string>();
  for (const [name, value] of Object.entries(fields)) {
    if (isKnown(value)) known[name] = value;
    else unknown.add(name);
  }
  return { known, unknown };
}

/** True for a value with nothing unknown in it. */
export function isKnown(value: Mixed): value is Json {
  if (value === UNKNOWN) return false;
  if (Array.isArray(value)) return value.every(isKnown);
  return !isMixedObject(value) || Object.values(value).every(isKnown);
}

/** A value without its unknown parts. */
export function knownPart(value: Mixed): Json {
  if (value === UNKNOWN) return null;
  if (Array.isArray(value)) return value.filter((item: Mixed) => item !== UNKNOWN).map(knownPart);
  if (!isMixedObject(value)) return value as Json;
  const known = Object.entries(value).filter(([, member]) => member !== UNKNOWN);
  return Object.fromEntries(known.map(([name, member]) => [name, knownPart(member)]));
}

export function isMixedObject(value: Mixed | undefined): value is MixedObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function putField(fields: Record<string, Mixed>, [name = "", key]: readonly string[], decoded: Mixed): void {
  const former = fields[name];
  if (former === UNKNOWN) return;
  const members = isMixedObject(former) ? former : {};
  if (key !== undefined) fields[name] = { [key]: decoded, ...members };
  else if (former === undefined || decoded === UNKNOWN) fields[name] = decoded;
  else if (isMixedObject(decoded)) fields[name] = { ...decoded, ...members };
}

function contentMark(form: string, value: Value, contents: Contents): Json {
  const text = String(value);
  return storeContent(form === "base64" ? new Uint8Array(Buffer.from(text, "base64")) : text, contents);
}

/** Numbers beyond what a number holds exactly lose digits here: no field takes any. A key that is null means one that is absent. */
function plainValue(value: Value): Mixed {
  if (value === UNKNOWN) return UNKNOWN;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof DecimalText) return Number(value.decimal);
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isValueMap(value)) return value as Json;
  const set = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(set.map(([key, member]) => [key, plainValue(member)]));
}
