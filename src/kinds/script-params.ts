import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";

/**
 * `scriptParams` compare as JSON: text of an object becomes that object (seed 1, Test configuration). Values reach a
 * script as strings, so 5 and "5" are the same.
 */
export function normalParameters(value: Json): Json {
  if (typeof value !== "string") return value;
  try {
    const parsed: Json = JSON.parse(withLongIntegersAsText(value));
    return isObject(parsed) ? withTextValues(parsed) : value;
  } catch {
    return value;
  }
}

/** An integer that no number holds exactly is kept digit by digit: it is an id, not an amount. */
function withLongIntegersAsText(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}

function withTextValues(parameters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === "number" || typeof value === "boolean" ? String(value) : value,
    ]),
  );
}

/** As the wire wants them: JSON text. */
export function parametersToText(value: Json): Json {
  return typeof value === "string" || value === null ? value : JSON.stringify(value);
}

const none: readonly string[] = [];

/** Names of the parameters whose values are secret; `paramsConfig` is in normal form, keyed by name. */
function encryptedParameters(scenario: JsonObject): readonly string[] {
  const parameters = scenario.paramsConfig;
  if (!isObject(parameters)) return none;
  const encrypted: string[] = [];
  for (const name in parameters) {
    const parameter = parameters[name];
    if (isObject(parameter) && parameter.encrypted === true) encrypted.push(name);
  }
  return encrypted;
}

/** A scenario's defaults of encrypted parameters are write-only. */
export function secretDefaults(scenario: JsonObject): readonly string[] {
  const names = encryptedParameters(scenario);
  return names.length === 0 ? names : names.map((name) => below("paramsConfig", name, ".defaultValue"));
}

/** A configuration's values for encrypted parameters of its scenario are write-only. */
export function secretValues(
  _fields: JsonObject,
  referred: (field: string) => JsonObject | undefined,
): readonly string[] {
  const scenario = referred("scenario");
  const names = scenario === undefined ? none : encryptedParameters(scenario);
  return names.length === 0 ? names : names.map((name) => below("scriptParams", name));
}

/** Paths are dotted, so a name with a dot in it makes the whole field secret. */
function below(field: string, name: string, rest = ""): string {
  return name.includes(".") ? field : `${field}.${name}${rest}`;
}
