import { isObject } from "../model/json.ts";

/** A value of another type or form than its descriptor says, in words without the value. */
export interface Misform {
  readonly kind: "type" | "form" | "word";
  readonly found: string;
  readonly expected: string;
}

interface Form {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const isText = (value: unknown) => typeof value === "string";
const anything: Form = { expected: "anything", fits: () => true };

const forms: Readonly<Record<string, Form>> = {
  string: { expected: "text", fits: isText },
  text: { expected: "text", fits: isText },
  int: { expected: "a whole number", fits: Number.isSafeInteger },
  number: { expected: "a number", fits: (value) => typeof value === "number" && Number.isFinite(value) },
  boolean: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  time: { expected: "text", fits: isText },
  json: anything,
  binary: anything,
  none: { expected: "nothing", fits: (value) => value === undefined || value === null },
};

/** A descriptor of the route table in its parts. */
export interface Described {
  /** Name of a shape, for an object. */
  readonly shape?: string;
  readonly word: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
}

/** Reads a descriptor: `@tag[]`, `int!`, `Flat|Step`. */
export function readDescriptor(text: string): Described {
  const [bare = ""] = text.split("=");
  const isRequired = bare.endsWith("!");
  const known = isRequired ? bare.slice(0, -1) : bare;
  const isList = known.endsWith("[]");
  const word = isList ? known.slice(0, -2) : known;
  return { word, isList, isRequired, ...(word.startsWith("@") && { shape: word.slice(1) }) };
}

/** ISO 8601 in UTC with milliseconds (API 1, conventions 2). */
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The defect of one value that is neither a list nor an object of a shape; undefined where it fits. */
export function scalarMisform(value: unknown, word: string): Misform | undefined {
  if (word.includes("|")) return wordMisform(value, word.split("|"));
  const { expected, fits } = forms[word] ?? anything;
  if (!fits(value)) return { kind: "type", found: typeWords(value), expected };
  if (word !== "time" || isoTime.test(String(value))) return undefined;
  return { kind: "form", found: "a time in another form", expected: "ISO 8601 in UTC with milliseconds" };
}

function wordMisform(value: unknown, words: readonly string[]): Misform | undefined {
  if (words.some((word) => word === value)) return undefined;
  const expected = `one of ${words.join(", ")}`;
  if (typeof value !== "string") return { kind: "type", found: typeWords(value), expected };
  const meant = words.find((word) => word.toLowerCase() === value.toLowerCase());
  return { kind: "word", found: meant === undefined ? "another word" : `${meant} in other letters`, expected };
}

/** The type of a value, in words. */
export function typeWords(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  if (typeof value === "string")
    return value.trim() !== "" && Number.isFinite(Number(value)) ? "a number as text" : "text";
  if (typeof value === "boolean") return "true or false";
  return Number.isInteger(value) ? "a whole number" : "a number";
}
