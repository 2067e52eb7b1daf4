import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";

/** `scriptParams` compare as JSON: text of an object becomes that object (seed 1, Test configuration). */
export function normalParameters(value: Json): Json {
  if (typeof value !== "string") return value;
  try {
    const parsed: Json = JSON.parse(value);
    return isObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

/** As the wire wants them: JSON text. */
export function parametersToText(value: Json): Json {
  return typeof value === "string" || value === null ? value : JSON.stringify(value);
}
