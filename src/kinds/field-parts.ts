import { wrongValue } from "../model/diagnostic.ts";
import { text } from "../model/field.ts";
import type { Json } from "../model/json.ts";
import type { Rule, RuleFinding } from "../model/kind.ts";

/** The `name` that nearly every kind has: trimmed, 1 to 255 characters, the key when unset. */
export function objectName(description: string) {
  return text({ description, inFiles: "Default: the key.", trim: true, maxLength: 255, origin: "decision" });
}

/** A rule: the name can be read. */
export const readableName: Rule = {
  origin: "decision",
  section: "1 Resources and their fields",
  check: ({ name }) => unreadableNames([[["name"], name]]),
};

/** The names that cannot be read, each with its place. */
export function unreadableNames(
  names: readonly (readonly [path: RuleFinding["path"], name: Json | undefined])[],
): readonly RuleFinding[] {
  return names.flatMap(([path, name]) => {
    const found = typeof name === "string" ? unreadablePart(name.trim()) : undefined;
    return found === undefined ? [] : [finding(path, "the name cannot be read", wrongValue(found, readableWords))];
  });
}

/** The characters of most names: none of them is hidden. */
const printable = /^[!-~][ -~]*$/;

const readableWords = "one line of characters that can be read";

/** The part of a trimmed name that makes it unreadable, in words. */
function unreadablePart(name: string): string | undefined {
  if (printable.test(name)) return undefined;
  const hidden = /[\p{Cc}\p{Cs}\u2028\u2029]/u.exec(name)?.[0];
  if (hidden === undefined)
    return name === "" || /[^\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(name)
      ? undefined
      : "text that nobody sees";
  if (/[\n\r\u2028\u2029]/.test(hidden)) return "text with a line break in it";
  return `text with the character U+${hidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")} in it`;
}

/** A rule: the field is an absolute URL of one of these schemes, e.g. `https:`. */
export function urlRule(field: string, schemes: readonly string[], stated: Pick<Rule, "origin" | "section">): Rule {
  return {
    ...stated,
    check: (fields) => {
      const value = fields[field];
      return typeof value === "string" ? urlFindings(field, value, schemes) : [];
    },
  };
}

/** The scheme of a git or web address; `user@host:path` is ssh. */
export function schemeOf(value: string): string | undefined {
  if (/^[^/@\s]+@[^/:\s]+:(?!\/\/)/.test(value)) return "ssh:";
  return URL.canParse(value) ? new URL(value).protocol : undefined;
}

function urlFindings(field: string, value: string, schemes: readonly string[]): readonly RuleFinding[] {
  const scheme = schemeOf(value);
  if (scheme !== undefined && schemes.includes(scheme)) return [];
  const wanted = schemes.map((each) => `${each}//…`).join(" or ");
  const found = scheme === undefined ? "no URL" : `a URL of scheme ${scheme}`;
  return [{ path: [field], summary: `${field} is not a usable URL`, detail: wrongValue(found, wanted) }];
}

export function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

export function finding(path: RuleFinding["path"], summary: string, detail: string): RuleFinding {
  return { path, summary, detail };
}

/** Comma-separated words as a list; numbers and blanks are taken as people write them. */
export function splitWords(value: Json | undefined): readonly string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "string") return [];
  const words = value.split(",").map((word) => word.trim());
  return words.includes("") ? words.filter((word) => word !== "") : words;
}
