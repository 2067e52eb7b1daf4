import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { Value } from "../../../src/terraform/wire/values.ts";
import { isNested, type TerraformAttribute } from "../../../src/terraform-schema/attribute.ts";
import type { ResourceSchema } from "../../../src/terraform-schema/resource.ts";
import type { Written } from "./proposed-state.ts";
import type { Config } from "./session-core.ts";

/** The id of an object that a reference leads to. */
export type IdOf = (reference: Json) => string | null;

/** What a user of Terraform writes for the fields of a project file. */
export function toConfig({ attributes }: ResourceSchema, fields: JsonObject, idOf: IdOf): Config {
  return members(attributes, fields, idOf);
}

function members(attributes: readonly TerraformAttribute[], fields: JsonObject, idOf: IdOf): Config {
  const taken = new Set<string>();
  const entries = attributes.flatMap((attribute): [string, Written][] => {
    const { source, name } = attribute;
    if (source.is !== "field") return [];
    const [field = "", key] = source.path;
    const value = key === undefined ? fields[field] : (fields[field] as JsonObject | undefined)?.[key];
    const path = source.path.join(".");
    if (value === undefined || value === null || taken.has(path)) return [];
    taken.add(path);
    return [[name, written(attribute, value, idOf)]];
  });
  return Object.fromEntries(entries);
}

function written(attribute: TerraformAttribute, value: Json, idOf: IdOf): Written {
  const { source, type } = attribute;
  if (source.is !== "field") return null;
  if (source.form === "id") return idOf(value);
  if (source.form === "json") return typeof value === "string" ? value : JSON.stringify(value);
  if (isNested(type)) return (value as readonly JsonObject[]).map((item) => members(type.attributes, item, idOf));
  if (typeof type === "string") return type === "string" ? String(value) : (value as Value);
  if (type[0] !== "map")
    return (Array.isArray(value) ? value : [value]).map((item: Json) =>
      type[1] === "string" ? String(item) : (item as Value),
    );
  const secret = source.field.secretKeys ?? [];
  const plain = isObject(value) ? Object.entries(value).filter(([key]) => !secret.includes(key)) : [];
  return plain.length === 0 ? null : Object.fromEntries(plain.map(([key, item]) => [key, String(item)]));
}
