import type { JsonValue } from "../../api/routes.ts";

/** A copy of a JSON value, so that two owners share nothing; keys without a value are left out. */
export function cloneJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson);
  const entries: [string, JsonValue][] = Object.entries(value);
  return Object.fromEntries(
    entries.filter(([, each]) => each !== undefined).map(([key, each]) => [key, cloneJson(each)]),
  );
}
