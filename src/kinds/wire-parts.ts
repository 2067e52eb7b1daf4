import { text } from "../model/field.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { Wire } from "../model/kind.ts";

/** The `name` that nearly every kind has: trimmed, 1 to 255 characters, the key when unset (service.md 1.2.3). */
export function objectName(description: string) {
  return text({ description: `${description} Default: the key.`, trim: true, maxLength: 255, origin: "decision" });
}

/** Answers of a list route as objects with ids. */
export function asWires(answer: unknown): readonly Wire[] {
  return Array.isArray(answer)
    ? answer.filter((item): item is Wire => isObject(item) && typeof item.id === "number")
    : [];
}

/** A child list within a parent's answer; undefined when the answer did not carry it. */
export function childList(member: string): (parent: JsonObject) => readonly Wire[] | undefined {
  return (parent) => (Array.isArray(parent[member]) ? asWires(parent[member]) : undefined);
}

/** The id of an object nested in an answer, as a reference. */
export function nestedReference(member: string): (wire: JsonObject) => Json | undefined {
  return (wire) => {
    const nested = wire[member];
    return isObject(nested) && typeof nested.id === "number" ? { id: nested.id } : undefined;
  };
}

/** Comma-separated words as a list; numbers and blanks are taken as people write them. */
export function splitWords(value: Json | undefined): readonly string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "string") return [];
  return value.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
}
