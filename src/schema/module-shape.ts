import type { Field } from "../model/field.ts";
import { group } from "../model/field.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { objectOf } from "../model/json.ts";
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

/** A project's schema in which a `use` of one of these modules has the module's parameters; `text` is the path as files write it. */
export function withModuleParameters(
  schema: JsonObject,
  modules: readonly { readonly text: string; readonly parameters: JsonObject }[],
): JsonObject {
  const texts = [...new Set(modules.map(({ text }) => text))];
  return changedAt(schema, ["properties", "use", "additionalProperties"], (use) => ({
    ...changedAt(use, ["properties", "module"], (module) => ({ ...module, examples: texts })),
    // Files in several folders may write the same path and mean different modules.
    allOf: texts.map((text) => ({
      anyOf: [
        ...modules.filter((each) => each.text === text).map(({ parameters }) => useOf(parameters)),
        { not: { properties: { module: { const: text } }, required: ["module"] } },
      ],
    })),
  }));
}

function changedAt(
  value: Json | undefined,
  [name, ...rest]: readonly string[],
  change: (found: JsonObject) => JsonObject,
): JsonObject {
  const object = objectOf(value);
  return name === undefined ? change(object) : { ...object, [name]: changedAt(object[name], rest, change) };
}

function useOf(parameters: JsonObject): JsonObject {
  const values = Object.entries(parameters).map(([name, each]): [string, JsonObject] => [name, objectOf(each)]);
  const given = {
    type: ["object", "null"],
    properties: Object.fromEntries(values.map(([name, each]) => [name, schemaOfValue(each)])),
    additionalProperties: false,
  };
  const needed = values.filter(([, each]) => needsValue(each)).map(([name]) => name);
  // What a use gives is beside forEach or in each of its entries.
  const isGiven = [{ required: ["forEach"] }, { required: ["with"], properties: { with: { required: needed } } }];
  return {
    properties: { with: given, forEach: { additionalProperties: given } },
    ...(needed.length > 0 && { anyOf: isGiven }),
  };
}

const single = ["string", "number", "boolean"];
/** Texts in which something is replaced may become any value. */
const expression = { type: "string", pattern: "\\$\\{" };

function schemaOfValue(declared: JsonObject): JsonObject {
  const { default: fallback = null, description } = declared;
  const type = parameterType(declared);
  const told = {
    ...(typeof description === "string" && { description }),
    ...(fallback !== null && { default: fallback }),
  };
  if (type === "list") return { ...told, type: "array", items: { type: single } };
  if (type === "number" || type === "boolean") return { ...told, anyOf: [{ type }, expression] };
  // As everywhere, a text may be any single value; another word for the type is a problem of the module.
  return { ...told, type: single };
}
