import type { JsonValue } from "../../api/routes.ts";
import type { Parameter, ValueKind } from "./parameter.ts";
import { startParameters } from "./parameters.ts";

type Json = { readonly [key: string]: JsonValue };

const patterns: Readonly<Partial<Record<ValueKind, string>>> = {
  whole: "^[+-]?[0-9]+$",
  decimal: "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)$",
  flag: "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$",
};

/** JSON Schema of the form of POST /start, made of its tables: every value is text or a file. */
export function describeForm(): Json {
  const plain = startParameters.filter(({ name }) => !name.includes("[*]"));
  const keyed = startParameters.filter(({ name }) => name.includes("[*]"));
  return {
    type: "object",
    properties: Object.fromEntries(plain.map((each) => [each.name, parameterSchema(each)])),
    patternProperties: Object.fromEntries(keyed.map((each) => [patternOf(each.name), parameterSchema(each)])),
  };
}

function patternOf(name: string): string {
  const escaped = name.split("[*]").map((part) => part.replaceAll(".", "\\."));
  return `^${escaped.join("\\[[^\\[\\]]+\\]")}$`;
}

function parameterSchema({ type, value, choices, standard, of }: Parameter): Json {
  const pattern = value && patterns[value];
  return {
    type: "string",
    ...(type === "File" ? { contentMediaType: "application/octet-stream" } : {}),
    ...(choices ? { enum: choices } : {}),
    ...(pattern ? { pattern } : {}),
    ...(standard === undefined ? {} : { default: standard }),
    ...(of ? { description: `For ${of.join(", ")}` } : {}),
  };
}
