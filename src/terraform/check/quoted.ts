import type { Json } from "../../model/json.ts";

/** The most characters of a value that a message repeats. */
const mostShown = 60;

/** A value as a message repeats it: a long text is cut, and its length is said instead. */
export function quoted(value: Json): string {
  const characters = typeof value === "string" ? [...value] : [];
  if (characters.length <= mostShown) return JSON.stringify(value);
  return `${JSON.stringify(`${characters.slice(0, mostShown).join("")}…`)} (${characters.length} characters)`;
}
