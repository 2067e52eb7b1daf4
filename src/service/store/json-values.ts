import type { JsonValue } from "../../api/routes.ts";
import { Refusal } from "../refusal.ts";

/** Most levels of lists and objects in one another: everything that walks through them recurses. */
const mostLevels = 100;

/** Refuses a value that is nested deeper than anything can be read or written: 400. `around` is what it may lie in besides. */
export function refuseDeep(value: unknown, around = 0): void {
  if (isDeeper(value, mostLevels + around))
    throw new Refusal(400, `found JSON nested deeper than ${mostLevels + around} levels; expected at most that many`);
}

/** True for a value with more levels of lists and objects; looks at one level after the other, without recursion. */
export function isDeeper(value: unknown, levels = mostLevels): boolean {
  let level: object[] = isNested(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levels) return true;
    const below: object[] = [];
    for (const each of level) for (const member of Object.values(each)) if (isNested(member)) below.push(member);
    level = below;
  }
  return false;
}

/** True for a JSON object; null and lists are none. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, JsonValue>> {
  return isNested(value) && !Array.isArray(value);
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A copy of a JSON value, so that two owners share nothing; keys without a value are left out. */
export function cloneJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson);
  const entries: [string, JsonValue][] = Object.entries(value);
  return Object.fromEntries(
    entries.filter(([, each]) => each !== undefined).map(([key, each]) => [key, cloneJson(each)]),
  );
}
