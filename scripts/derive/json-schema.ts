import { keyPattern } from "../../src/model/address.ts";
import { type Field, fileDescription } from "../../src/model/field.ts";
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { AnyKind } from "../../src/model/kind.ts";
import { moduleShape, withFilledKeys } from "../../src/schema/module-shape.ts";
import { projectShape } from "../../src/schema/project-shape.ts";

/** Draft 7: the newest that yaml-language-server handles without gaps. */
const dialect = "http://json-schema.org/draft-07/schema#";

/** Text with something to be replaced is allowed where a number, a flag or a choice is expected. */
const expressionPattern = "\\$\\{(env|file|var|param|each):";

/** Secrets are one whole reference. */
const secretPattern = "^\\$\\{(env|file):[^}]+\\}$";
const variablePattern = "^\\$\\{env:[^}]+\\}$";

type Names = ReadonlyMap<Field, string>;

/** JSON Schema of loadform.yaml and of included files; `project` is not required, since included files have none. */
export function projectSchema(kinds: readonly AnyKind[]): JsonObject {
  const { document, names } = projectShape(kinds);
  return {
    $schema: dialect,
    title: "loadform project",
    ...objectSchema(document, names),
    definitions: definitions(names, () => true),
  };
}

export function moduleSchema(kinds: readonly AnyKind[]): JsonObject {
  const { document, names } = projectShape(kinds);
  const testCase = kinds.find(({ plural }) => plural === "testCases");
  const needed = new Set(testCase && withDescendants(kinds, testCase));
  const { testCases } = document.fields ?? {};
  const shape: Field = { ...moduleShape, fields: { ...moduleShape.fields, ...(testCases && { testCases }) } };
  return withFilledKeys({
    $schema: dialect,
    title: "loadform module",
    ...objectSchema(shape, names),
    definitions: definitions(names, (each) => needed.has(each)),
  });
}

/** JSON Schema of a file that declares no objects. */
export function fileSchema(title: string, document: Field): JsonObject {
  return { $schema: dialect, title, ...objectSchema(document, new Map()) };
}

/**
 * The schema for the compiled validator: the same verdict on the objects of a project, without words for people.
 * `environments` and `defaults` repeat every kind with nothing required; they are small and checked field by field.
 */
export function validationSchema(kinds: readonly AnyKind[]): JsonObject {
  const schema = projectSchema(kinds);
  const { environments: _environments, defaults: _defaults, ...properties } = schema.properties as JsonObject;
  const wanted = Object.entries(schema.definitions as JsonObject).filter(([name]) =>
    kinds.some((kind) => kind.name === name),
  );
  const slim = {
    ...schema,
    properties: { ...properties, environments: {}, defaults: {} },
    definitions: Object.fromEntries(wanted),
  };
  return withoutWords(slim, false) as JsonObject;
}

const words = ["title", "description", "default", "examples"];

/** Members of `properties` and `definitions` are names, whatever they are called. */
function withoutWords(value: Json, areNames: boolean): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutWords(item, false));
  if (!isObject(value)) return value;
  const left = value.$comment === languageMark ? [...words, "pattern", "$comment"] : words;
  const members = Object.entries(value).filter(([name]) => areNames || !left.includes(name));
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      withoutWords(member, !areNames && (name === "properties" || name === "definitions")),
    ]),
  );
}

/** JSON Schema of one object of a kind, with what may be below it. */
export function kindSchema(kinds: readonly AnyKind[], name: string): JsonObject | undefined {
  const kind = kinds.find((each) => each.name === name);
  if (kind === undefined) return undefined;
  const { names } = projectShape(kinds);
  const needed = new Set(withDescendants(kinds, kind));
  return {
    $schema: dialect,
    title: `loadform ${name}`,
    $ref: `#/definitions/${name}`,
    definitions: definitions(names, (each) => needed.has(each)),
  };
}

function withDescendants(kinds: readonly AnyKind[], kind: AnyKind): readonly string[] {
  const children = kinds.filter((each) => each.parent === kind.name);
  return [kind.name, ...children.flatMap((child) => withDescendants(kinds, child))];
}

function definitions(names: Names, wanted: (name: string) => boolean): JsonObject {
  const entries = [...names].filter(([, name]) => wanted(name));
  return Object.fromEntries(entries.map(([field, name]) => [name, objectSchema(field, names)]));
}

function fieldSchema(field: Field, names: Names): JsonObject {
  const name = names.get(field);
  return name === undefined ? inPlaceSchema(field, names) : { $ref: `#/definitions/${name}` };
}

function inPlaceSchema(field: Field, names: Names): JsonObject {
  switch (field.type) {
    case "string":
      return textSchema(field);
    case "integer":
    case "number":
      return orExpression({ type: field.type, ...limits(field) });
    case "boolean":
      return orExpression({ type: "boolean" });
    case "choice":
      return orExpression({ enum: choiceValues(field) });
    case "time":
      return { type: ["string", "integer"] };
    case "list":
      return listSchema(field, names);
    case "object":
      return field.alsoText
        ? anyOf([objectSchema(field, names), { type: "string", ...inLanguage(field) }])
        : objectSchema(field, names);
    case "map":
      return field.alsoText ? anyOf([mapSchema(field, names), { type: "string" }]) : mapSchema(field, names);
    case "reference":
      return referenceSchema();
  }
}

function textSchema(field: Field): JsonObject {
  if (field.secret) return { type: "string", pattern: field.secret === "env" ? variablePattern : secretPattern };
  const type = field.alsoScalar ? ["string", "number", "boolean"] : "string";
  return { type, ...limits(field), ...(field.trim ? { pattern: "\\S" } : {}), ...inLanguage(field) };
}

/** A text of a language, or one with something to be replaced; {@link languageMark} takes it out of the validator. */
function inLanguage({ language }: Field): JsonObject {
  return language === undefined ? {} : { pattern: `${language}|${expressionPattern}`, $comment: languageMark };
}

/** Marks a pattern that only editors judge by: `validate` says what is wrong, and at which column. */
const languageMark = "for editors: loadform validate says what is wrong, and where";

/** Words made of digits are often written as numbers: `nodeVersion: 22`. */
function choiceValues(field: Field): readonly Json[] {
  const values = field.values ?? [];
  return [...values, ...values.filter((value) => /^\d+$/.test(value)).map(Number)];
}

function limits(field: Field): JsonObject {
  return {
    ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
    ...(field.maximum === undefined ? {} : { maximum: field.maximum }),
    ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
  };
}

function listSchema(field: Field, names: Names): JsonObject {
  const items = field.of ? described(field.of, fieldSchema(field.of, names)) : {};
  const list = { type: "array", items };
  return field.alsoOne ? anyOf([list, items]) : list;
}

function mapSchema(field: Field, names: Names): JsonObject {
  const { of } = field;
  const member = of ? fieldSchema(of, names) : {};
  const secret = { type: "string", pattern: secretPattern };
  const secrets = Object.fromEntries((field.secretKeys ?? []).map((key) => [key, secret]));
  return {
    type: "object",
    ...(field.keyed ? { propertyNames: { pattern: keyPattern.source } } : {}),
    ...(field.secretKeys ? { properties: secrets } : {}),
    additionalProperties: of && mayBeNull(of, field) ? nullable(member) : member,
  };
}

/** A keyed object in which nothing is required may be left empty: `nightly:`. */
function mayBeNull(member: Field, map: Field): boolean {
  if (member.nullable) return true;
  return map.keyed === true && Object.values(member.fields ?? {}).every((each) => !each.required);
}

function objectSchema(field: Field, names: Names): JsonObject {
  const members = Object.entries(field.fields ?? {});
  const required = members.filter(([, member]) => member.required).map(([name]) => name);
  return {
    type: "object",
    description: field.description,
    properties: Object.fromEntries(members.map(([name, member]) => [name, memberSchema(member, names)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function memberSchema(field: Field, names: Names): JsonObject {
  const schema = fieldSchema(field, names);
  return described(field, field.required ? schema : nullable(schema));
}

function described(field: Field, schema: JsonObject): JsonObject {
  const unit = field.unit === undefined ? "" : ` In ${field.unit}.`;
  return {
    ...schema,
    description: fileDescription(field) + unit,
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.examples === undefined ? {} : { examples: field.examples }),
  };
}

function referenceSchema(): JsonObject {
  const only = (name: string, type: string): JsonObject => ({
    type: "object",
    properties: { [name]: { type } },
    required: [name],
    additionalProperties: false,
  });
  return anyOf([{ type: "string", minLength: 1 }, only("id", "integer"), only("name", "string")]);
}

function orExpression(schema: JsonObject): JsonObject {
  return anyOf([schema, { type: "string", pattern: expressionPattern }]);
}

/** Optional fields take null, which clears. */
function nullable(schema: JsonObject): JsonObject {
  const none = { type: "null" };
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, none] };
  if (schema.type === undefined) return anyOf([schema, none]);
  return { ...schema, type: [...(Array.isArray(schema.type) ? schema.type : [schema.type as Json]), "null"] };
}

function anyOf(schemas: readonly JsonObject[]): JsonObject {
  return { anyOf: schemas };
}
