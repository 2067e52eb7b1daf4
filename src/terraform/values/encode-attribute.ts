import type { Field } from "../../model/field.ts";
import { isContentMark } from "../../model/fingerprint.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { spellValue } from "../../model/normal-form.ts";
import { utf8Text } from "../../model/tree.ts";
import { type CtyType, isNested, type NestedType, type TerraformAttribute } from "../../terraform-schema/attribute.ts";
import { type Value, valueMap } from "../wire/values.ts";

/** Texts and files by hash. */
export interface ReadContents {
  readonly get: (hash: string) => string | Uint8Array | undefined;
}

/** The value of an attribute from fields in normal form; null where they do not say it, and for secrets. */
export function encodeAttribute(attribute: TerraformAttribute, fields: JsonObject, contents: ReadContents): Value {
  const { source, type } = attribute;
  if (source.is !== "field" || source.path.length > 1 || source.field.secret) return null;
  const [name = ""] = source.path;
  const normal = fields[name];
  if (normal === undefined || normal === null) return null;
  if (isContentMark(normal)) return contentValue(source.form, contents.get(normal.$content));
  const spelled = spellValue(source.field, withoutSecretKeys(normal, source.field.secretKeys));
  if (source.form === "id")
    return isObject(spelled) && typeof spelled["id"] === "number" ? String(spelled["id"]) : null;
  if (source.form === "json") return typeof spelled === "string" ? spelled : JSON.stringify(spelled);
  return encodePlain(type, spelled, source.field);
}

/** A plain value in the type of an attribute; null where it does not fit. `field` is that of objects. */
export function encodePlain(type: CtyType | NestedType, value: Json | undefined, field?: Field): Value {
  if (value === undefined || value === null) return null;
  if (isNested(type)) {
    const group = field?.of ?? field;
    if (type.nesting === "single") return encodeMembers(type, value, group);
    return Array.isArray(value) ? value.map((item: Json) => encodeMembers(type, item, group)) : null;
  }
  if (typeof type === "string") return encodeScalar(type, value);
  const [shape, of] = type;
  // A list of one may be spelled as its only element.
  if (shape !== "map") return (Array.isArray(value) ? value : [value]).map((item: Json) => encodeScalar(of, item));
  if (!isObject(value)) return null;
  return valueMap(Object.entries(value).map(([key, member]) => [key, encodeScalar(of, member)]));
}

function encodeMembers({ attributes }: NestedType, item: Json, group: Field | undefined): Value {
  if (!isObject(item)) return null;
  const none = { get: () => undefined };
  return valueMap(
    attributes.map((attribute) => [
      attribute.name,
      encodeAttribute(attribute, item, none) ?? memberDefault(group, attribute, item),
    ]),
  );
}

/** The documented default of a member that is not set; none where the object's other members leave no meaning to it. */
export function memberDefault(group: Field | undefined, attribute: TerraformAttribute, item: JsonObject): Value {
  const { source, computed, type, default: standard } = attribute;
  if (!computed || standard === undefined || source.is !== "field") return null;
  const [name = ""] = source.path;
  const normal = group?.normalize?.({ ...item, [name]: standard });
  return isObject(normal) && !(name in normal) ? null : encodePlain(type, standard, source.field);
}

function encodeScalar(type: "string" | "number" | "bool", value: Json): Value {
  if (value === null) return null;
  if (type === "string") return typeof value === "string" ? value : JSON.stringify(value);
  if (type === "bool") return typeof value === "boolean" ? value : null;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Text where the bytes survive the round trip through a string of Terraform, else base64; the other attribute is null. */
function contentValue(form: string, content: string | Uint8Array | undefined): Value {
  if (content === undefined) return null;
  if (typeof content === "string") return form === "base64" ? null : content.normalize("NFC");
  const text = utf8Text(content);
  const isText = text !== undefined && text === text.normalize("NFC");
  if (form === "base64") return isText ? null : Buffer.from(content).toString("base64");
  return isText ? text : null;
}

function withoutSecretKeys(value: Json, secretKeys: readonly string[] | undefined): Json {
  if (secretKeys === undefined || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !secretKeys.includes(key)));
}
