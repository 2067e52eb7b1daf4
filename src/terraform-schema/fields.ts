import type { Field } from "../model/field.ts";
import type { AttributeSource, CtyType, NestedType, TerraformAttribute, ValueForm } from "./attribute.ts";
import { describeAttribute } from "./descriptions.ts";
import { foreignKey, snakeCase } from "./names.ts";

type Fields = Readonly<Record<string, Field>>;

/** The attributes of a set of fields: usually one for each; secrets and files have several forms. */
export function fieldAttributes(fields: Fields): readonly TerraformAttribute[] {
  return Object.entries(fields).flatMap(([name, field]) => attributesOf(name, field));
}

function attributesOf(name: string, field: Field): readonly TerraformAttribute[] {
  if (field.secret) return secretAttributes(snakeCase(name), [name], field);
  if (field.content === "bytes") return bytesAttributes(name, field);
  const secrets = (field.secretKeys ?? []).flatMap((key) =>
    secretAttributes(snakeCase(key), [name, key], {
      ...field,
      description: `${field.description.replace(/\.$/, "")}: \`${key}\`.`,
    }),
  );
  return [...secrets, attributeOf(name, field)];
}

/** The plain form, which the state holds, and the write-only one with the number that says when to send it. */
function secretAttributes(name: string, path: readonly string[], field: Field): readonly TerraformAttribute[] {
  const { description } = field;
  const source: AttributeSource = { is: "field", path, field, form: "plain" };
  const shared = { type: "string", optional: true, sensitive: true, literal: true, source } as const;
  const writeOnly = `${name}_wo`;
  const version = `${writeOnly}_version`;
  return [
    described({ ...shared, name, description: `${description} Kept in the state; \`${writeOnly}\` is not.` }),
    described({
      ...shared,
      name: writeOnly,
      description: `${description} Write-only: sent on create and when \`${version}\` changes, kept nowhere. Needs Terraform 1.11 or newer.`,
      writeOnly: true,
    }),
    {
      name: version,
      description: `Any number; a change of it sends \`${writeOnly}\` again.`,
      type: "number",
      optional: true,
      source: { is: "version", of: writeOnly },
    },
  ];
}

/** Text as it is, or any bytes; exactly one is set. */
function bytesAttributes(name: string, field: Field): readonly TerraformAttribute[] {
  const plain = snakeCase(name);
  const base64 = `${plain}_base64`;
  const source = { is: "field", path: [name], field } as const;
  const shared = { type: "string", optional: true } as const;
  const description = `${field.description} As text; either this or \`${base64}\`.`;
  const encoded = `${field.description} As base64, e.g. \`filebase64("users.csv")\`: the exact bytes; either this or \`${plain}\`.`;
  return [
    { ...shared, name: plain, description, literal: true, source: { ...source, form: "plain" } },
    { ...shared, name: base64, description: encoded, source: { ...source, form: "base64" } },
  ];
}

function attributeOf(name: string, field: Field): TerraformAttribute {
  const form = formOf(field);
  const fallback = form === "json" && field.default !== undefined ? JSON.stringify(field.default) : field.default;
  return described({
    name: form === "id" ? foreignKey(name) : snakeCase(name),
    description: field.description,
    type: typeOf(field, form),
    ...presence(name, field),
    ...(field.maybeSecret ? { sensitive: true } : {}),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(field.change === "replace" ? { requiresReplace: true } : {}),
    ...(field.content !== undefined || form === "json" ? { literal: true } : {}),
    source: { is: "field", path: [name], field, form },
  });
}

/** A provider never learns the key of an object, so a name that is the key elsewhere is required. */
function presence(name: string, field: Field): Pick<TerraformAttribute, "required" | "optional" | "computed"> {
  if (field.required || (name === "name" && field.inFiles !== undefined)) return { required: true };
  const isComputed = field.default !== undefined || field.filledIn || field.maybeSecret;
  return isComputed ? { optional: true, computed: true } : { optional: true };
}

function formOf(field: Field): ValueForm {
  if (field.type === "reference") return "id";
  return field.type === "map" && field.alsoText ? "json" : "plain";
}

/** The type of a field's value; a list in which order means nothing is a set unless it holds objects. */
function typeOf(field: Field, form: ValueForm): CtyType | NestedType {
  if (form !== "plain") return "string";
  const { of } = field;
  switch (field.type) {
    case "object":
      return { nesting: "single", attributes: fieldAttributes(field.fields ?? {}) };
    case "list":
      if (of?.fields) return { nesting: "list", attributes: fieldAttributes(of.fields) };
      return [field.set ? "set" : "list", scalarOf(of)];
    case "map":
      return ["map", scalarOf(of)];
    default:
      return scalarOf(field);
  }
}

function scalarOf(field: Field | undefined): "string" | "number" | "bool" {
  switch (field?.type) {
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "bool";
    case "list":
    case "map":
    case "object":
      throw new Error(`found a ${field.type} within a list or map; expected a plain value or an object of a list`);
    default:
      return "string";
  }
}

function described(attribute: TerraformAttribute): TerraformAttribute {
  return { ...attribute, description: describeAttribute(attribute) };
}
