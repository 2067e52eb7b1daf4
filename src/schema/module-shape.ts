import { keyPattern } from "../model/address.ts";
import { type Field, group } from "../model/field.ts";
import { type Json, type JsonObject, objectOf } from "../model/json.ts";
import { needsValue, parametersField, parameterType, useField } from "./module-fields.ts";

const testCases: Field = {
  type: "map",
  required: false,
  description: "Test cases, which each instance has under keys of its own.",
};

/** A module's own keys; its test cases are checked as those of the project, once they are expanded. */
export const moduleShape = group(
  { parameters: parametersField, use: useField, testCases },
  { description: "A module." },
);

/** A module's schema in which keys may be made of parameters; those that it declares are names. */
export function withFilledKeys({ properties, definitions, ...schema }: JsonObject): JsonObject {
  const pattern = `${keyPattern.source}|\\$\\{(?:param|each):`;
  const filled = (value: Json | undefined) =>
    JSON.parse(JSON.stringify(value ?? {}), (name, each: Json) =>
      name === "propertyNames" ? { pattern } : each,
    ) as Json;
  const { parameters = {}, ...others } = objectOf(properties);
  return { ...schema, properties: { parameters, ...objectOf(filled(others)) }, definitions: filled(definitions) };
}

/** The modules of a project and its uses, as far as a schema knows them. */
interface KnownUses {
  /** `text` is the path as files write it. */
  readonly modules: readonly { readonly text: string; readonly parameters: JsonObject }[];
  /** Parameters that only an environment gives, by the key of the use. */
  readonly late: ReadonlyMap<string, readonly string[]>;
}

/** A project's schema in which a `use` of one of these modules has the module's parameters. */
export function withModuleParameters(schema: JsonObject, { modules, late }: KnownUses): JsonObject {
  const keysByNames = new Map<string, string[]>();
  for (const [key, names] of late) {
    const keys = keysByNames.get(JSON.stringify(names)) ?? [];
    keysByNames.set(JSON.stringify(names), [...keys, key]);
  }
  return changedAt(schema, ["properties", "use"], ({ additionalProperties, ...uses }) => {
    const use = objectOf(additionalProperties);
    const patched = [...keysByNames].map(([names, keys]): [string, JsonObject] => [
      `^(?:${keys.map((key) => key.replaceAll(".", "\\.")).join("|")})$`,
      withModules(use, modules, JSON.parse(names) as readonly string[]),
    ]);
    return {
      ...uses,
      ...(patched.length > 0 && { patternProperties: Object.fromEntries(patched) }),
      additionalProperties: withModules(use, modules, []),
    };
  });
}

/** The schema of a use that an environment gives the `late` parameters. */
function withModules(use: JsonObject, modules: KnownUses["modules"], late: readonly string[]): JsonObject {
  const texts = [...new Set(modules.map(({ text }) => text))];
  return {
    ...changedAt(use, ["properties", "module"], (module) => ({ ...module, examples: texts })),
    // Files in several folders may write the same path and mean different modules.
    allOf: texts.map((text) => ({
      anyOf: [
        ...modules.filter((each) => each.text === text).map(({ parameters }) => useOf(parameters, late)),
        { not: { properties: { module: { const: text } }, required: ["module"] } },
      ],
    })),
  };
}

function changedAt(
  value: Json | undefined,
  [name, ...rest]: readonly string[],
  change: (found: JsonObject) => JsonObject,
): JsonObject {
  const object = objectOf(value);
  return name === undefined ? change(object) : { ...object, [name]: changedAt(object[name], rest, change) };
}

function useOf(parameters: JsonObject, late: readonly string[]): JsonObject {
  const values = Object.entries(parameters).map(([name, each]): [string, JsonObject] => [name, objectOf(each)]);
  const needed = values.flatMap(([name, each]) => (needsValue(each) && !late.includes(name) ? [name] : []));
  const given = (mayBeNull: (name: string) => boolean) => ({
    type: ["object", "null"],
    properties: Object.fromEntries(values.map(([name, each]) => [name, schemaOfValue(each, mayBeNull(name))])),
    additionalProperties: false,
  });
  // What a use gives is beside forEach or in each of its entries, which win.
  const isValue = Object.fromEntries(needed.map((name) => [name, { not: { type: "null" } }]));
  const isGiven = [
    { required: ["forEach"], properties: { forEach: { type: "object" } } },
    { required: ["with"], properties: { with: { required: needed, properties: isValue } } },
  ];
  return {
    properties: {
      with: given(() => true),
      forEach: { additionalProperties: given((name) => !needed.includes(name)) },
    },
    ...(needed.length > 0 && { anyOf: isGiven }),
  };
}

const single = ["string", "number", "boolean"];
/** Texts in which something is replaced may become any value. */
const expression = { type: "string", pattern: "\\$\\{" };

function schemaOfValue(declared: JsonObject, mayBeNull: boolean): JsonObject {
  const { default: fallback = null, description } = declared;
  const type = parameterType(declared);
  const nothing = mayBeNull ? ["null"] : [];
  const told = {
    ...(typeof description === "string" && { description }),
    ...(fallback !== null && { default: fallback }),
  };
  if (type === "list") return { ...told, type: ["array", ...nothing], items: { type: single } };
  if (type === "number" || type === "boolean") return { ...told, anyOf: [{ type: [type, ...nothing] }, expression] };
  // As everywhere, a text may be any single value; another word for the type is a problem of the module.
  return { ...told, type: [...single, ...nothing] };
}
