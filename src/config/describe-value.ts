import type { Field } from "../model/field.ts";
import type { Json } from "../model/json.ts";

/** Length at which a message cuts a text. */
const longest = 40;

/** A value in a message: `text "abc"`, `the number 5`, `a list`. */
export function describeValue(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") return `text "${value.length > longest ? `${value.slice(0, longest)}…` : value}"`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "a list" : "a mapping";
}

/** The values that a field takes, in words. */
export function describeField(field: Field): string {
  switch (field.type) {
    case "string":
      if (field.secret) return "one whole ${env:NAME} or ${file:PATH}";
      return field.alsoScalar ? "a single value" : "text";
    case "integer":
      return "a whole number";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    case "choice":
      return either(field.values ?? []);
    case "list":
      return field.alsoOne && field.of ? `${describeField(field.of)}, or a list of them` : "a list";
    case "object":
    case "map":
      return field.alsoText ? "a mapping, or text" : "a mapping";
    case "reference":
      return `the key of a ${field.reference?.kind ?? "object"}, { id: … } or { name: … }`;
    case "time":
      return "ISO 8601 or epoch milliseconds";
  }
}

/** The end of a path in a few words: `exclusions[0]`. */
export function describePath(path: readonly (string | number)[]): string {
  const last = path.at(-1);
  if (typeof last === "number") return `${describePath(path.slice(0, -1))}[${last}]`;
  return last ?? "the project";
}

/** "a, b or c". */
export function either(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
