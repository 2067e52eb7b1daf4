import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";

/**
 * `scriptParams` compare as JSON: text of an object becomes that object (seed 1, Test configuration). Values reach a
 * script as strings, so 5 and "5" are the same (service.md 1.2.11).
 */
export function normalParameters(value: Json): Json {
  if (typeof value !== "string") return value;
  try {
    const parsed: Json = JSON.parse(value);
    return isObject(parsed) ? withTextValues(parsed) : value;
  } catch {
    return value;
  }
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
