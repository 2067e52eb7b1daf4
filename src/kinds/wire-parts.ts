import { text } from "../model/field.ts";
import { IncompleteAnswer } from "../model/incomplete-answer.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { Wire } from "../model/kind.ts";

/** The `name` that nearly every kind has: trimmed, 1 to 255 characters, the key when unset. */
export function objectName(description: string) {
  return text({ description: `${description} Default: the key.`, trim: true, maxLength: 255, origin: "decision" });
}

/** The answer of a list route; one that is no list of objects with ids must not be read as an empty one. */
export function listedWires(answer: unknown, what: string): readonly Wire[] {
  const wires = asWires(answer);
  if (wires === undefined)
    throw new IncompleteAnswer(`the ${what} came as ${shapeOf(answer)}, not as a list of objects with ids`);
  return wires;
}

/** A child list within a parent's answer; undefined when the answer did not carry it, or something else in its place. */
export function childList(member: string): (parent: JsonObject) => readonly Wire[] | undefined {
  return (parent) => asWires(parent[member]);
}

function asWires(answer: unknown): readonly Wire[] | undefined {
  return Array.isArray(answer) && answer.every(isWire) ? answer : undefined;
}

function isWire(item: unknown): item is Wire {
  return isObject(item) && Number.isSafeInteger(item.id) && Number(item.id) >= 0;
}

/** What was found instead; its values stay out of messages. */
function shapeOf(answer: unknown): string {
  if (answer === null || answer === undefined) return "nothing";
  if (Array.isArray(answer)) return "a list with something else in it";
  return isObject(answer) ? "one object" : `a ${typeof answer}`;
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
