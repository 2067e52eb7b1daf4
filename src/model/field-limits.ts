import type { Field } from "./field.ts";
import type { Json } from "./json.ts";

/** What a value of the right type would have to be to keep within the limits of its field; undefined when it does. */
export function brokenLimit(field: Field, value: Json): string | undefined {
  if (typeof value === "string" && field.type === "string") {
    if (field.trim && value.trim() === "") return "text that is not empty";
    const isLong = field.maxLength !== undefined && [...value].length > field.maxLength;
    return isLong ? `at most ${field.maxLength} characters long` : undefined;
  }
  if (typeof value !== "number") return undefined;
  if (field.minimum !== undefined && value < field.minimum) return `at least ${field.minimum}`;
  if (field.maximum !== undefined && value > field.maximum) return `at most ${field.maximum}`;
  return undefined;
}
