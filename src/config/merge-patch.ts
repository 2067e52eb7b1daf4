import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";

/** JSON merge patch (RFC 7396): objects merge, null removes, anything else replaces. */
function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: Record<string, Json> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/** The document of an environment; the environments themselves stay as they are. */
export function withEnvironment(document: JsonObject, name: string): JsonObject {
  const environments = document.environments;
  const patch = isObject(environments) && Object.hasOwn(environments, name) ? environments[name] : undefined;
  return isObject(patch) ? (mergePatch(document, patch) as JsonObject) : document;
}
