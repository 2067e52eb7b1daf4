import type { JsonValue } from "../../api/routes.ts";
import { shownValue } from "../core/check-body.ts";
import { wordsOf } from "../rules/read-runners.ts";
import { isDeeper } from "../store/json-values.ts";
import type { Parameter } from "./parameter.ts";

/** The text of a parameter as a value, or what was found and expected instead. */
export type ReadValue = { readonly value: JsonValue } | { readonly problem: string };

/** Reads the text of a parameter by its row of the table. */
export function readValue(text: string, parameter: Parameter): ReadValue {
  const { choices } = parameter;
  if (choices && !choices.includes(text.trim()))
    return misread(text, choices.length === 1 ? (choices[0] ?? "") : `one of ${choices.join(", ")}`);
  switch (parameter.value) {
    case "whole":
      return readNumber(text, /^[+-]?\d+$/, parameter);
    case "decimal":
      return readNumber(text, decimal, parameter);
    case "flag":
      return readFlag(text);
    case "words":
      return { value: wordsOf(text) };
    case "numbers":
      return readNumbers(text, parameter);
    case "patterns":
      return readPatterns(text);
    case "json":
      return readJson(text);
    default:
      return { value: choices ? text.trim() : text };
  }
}

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

function readNumber(text: string, form: RegExp, parameter: Parameter): ReadValue {
  const value = Number(text);
  const isSafe = form.test(text.trim()) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isSafe && isInRange(value, parameter) ? { value } : misread(text, numberExpected(parameter));
}

function isInRange(value: number, { from, above, to }: Parameter): boolean {
  if (from !== undefined && value < from) return false;
  if (above !== undefined && value <= above) return false;
  return to === undefined || value <= to;
}

function numberExpected({ value, from, above, to }: Parameter): string {
  const what = value === "whole" ? "a whole number" : "a number";
  if (from !== undefined && to !== undefined) return `${what} from ${from} to ${to}`;
  if (above !== undefined) return `${what} above ${above}`;
  return from === undefined ? what : `${what}, at least ${from}`;
}

/** DECISION (API 2, Common parameters): a flag is true or false, in any case. */
function readFlag(text: string): ReadValue {
  const word = text.trim().toLowerCase();
  return word === "true" || word === "false" ? { value: word === "true" } : misread(text, "true or false");
}

function readNumbers(text: string, parameter: Parameter): ReadValue {
  const words = wordsOf(text);
  const isList = words.every((word) => decimal.test(word) && isInRange(Number(word), parameter));
  return isList && words.length > 0
    ? { value: words.map(Number) }
    : misread(text, `${numberExpected({ ...parameter, value: "decimal" })}, or several with commas between them`);
}

/** DECISION (API 2, Common parameters: assertions_exclusion_pattern): a comma in a pattern is written as \x2c. */
function readPatterns(text: string): ReadValue {
  const patterns = wordsOf(text);
  const wrong = patterns.find((pattern) => !isPattern(pattern));
  return wrong === undefined ? { value: patterns } : misread(wrong, "regular expressions with commas between them");
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text).source !== "";
  } catch {
    return false;
  }
}

function readJson(text: string): ReadValue {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isDeeper(value) ? misread(text, "JSON at most 100 levels deep") : { value };
  } catch {
    return misread(text, "JSON text");
  }
}

function misread(text: string, expected: string): ReadValue {
  return { problem: `found ${shownValue(text)}; expected ${expected}` };
}
