import { hinted } from "../../model/did-you-mean.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { needsValue, parameterType } from "../../schema/module-fields.ts";
import { type ExpandProblem, expression } from "../expand.ts";

/** Values of a module's parameters in one instance; undefined for one whose value is missing or wrong, which is reported. */
export type Parameters = ReadonlyMap<string, Json | undefined>;

/** Where a problem with a parameter is: at its declaration, or at the value that a `use` gives. */
export type SayOfParameter = (problem: ExpandProblem, parameter: string, at: "declared" | "given" | "use") => void;

/** The values of declared parameters: those that are given, else defaults. */
export function resolveParameters(declared: Json | undefined, given: JsonObject, say: SayOfParameter): Parameters {
  const declarations = isObject(declared) ? declared : {};
  const names = Object.keys(declarations);
  for (const name of Object.keys(given)) if (!names.includes(name)) say(unknownParameter(name, names), name, "given");
  return new Map(
    names.map((name) => {
      const declaration = declarations[name];
      return [name, resolveParameter(name, isObject(declaration) ? declaration : {}, { given, say })];
    }),
  );
}

/** The refusal of a parameter that a module does not declare. */
export function unknownParameter(name: string, names: readonly string[]): ExpandProblem {
  const declared =
    names.length === 0 ? "The module declares no parameters" : `Declared: ${names.slice(0, 10).join(", ")}`;
  const meant = { found: name, among: names, otherwise: ` ${declared}.` };
  const hint = hinted(`The module declares no parameter ${name}`, meant);
  return { severity: "error", code: "LF1311", summary: `unknown parameter ${name}`, ...hint };
}

function resolveParameter(
  name: string,
  declaration: JsonObject,
  { given, say }: { readonly given: JsonObject; readonly say: SayOfParameter },
): Json | undefined {
  const { default: fallback = null } = declaration;
  const type = parameterType(declaration);
  const own = Object.hasOwn(given, name) ? (given[name] ?? null) : null;
  const at = own === null ? "declared" : "given";
  if (own === null && needsValue(declaration)) {
    say(withoutValue(name, type), name, "use");
    return undefined;
  }
  const value = own ?? fallback;
  // As for variables, every single value is a text where that is asked for; without a type it remains what it is.
  if (isOfType(value, type)) return declaration["type"] === "string" && value !== null ? String(value) : value;
  const words = type === "list" ? "a list of single values" : `a ${type}`;
  const detail = `The value of parameter ${name} (not shown) is not ${words}, which the module declares it to be`;
  say({ severity: "error", code: "LF1102", summary: `parameter ${name} is not ${words}`, detail }, name, at);
  return undefined;
}

/** A text in which something is replaced later may become any single value. */
function isOfType(value: Json, type: string): boolean {
  if (value === null || !types.has(type)) return true;
  if (type === "list") return Array.isArray(value) && value.every((item: Json) => typeof item !== "object");
  if (typeof value === "object") return false;
  return type === "string" || typeof value === type || (typeof value === "string" && value.search(expression) >= 0);
}

/** Another word is reported with the shape of the module. */
const types = new Set(["string", "number", "boolean", "list"]);

function withoutValue(name: string, type: string): ExpandProblem {
  const detail = `The module's parameter ${name} (${type}) has no value here: give it one under with`;
  return { severity: "error", code: "LF1103", summary: `parameter ${name} is missing`, detail };
}
