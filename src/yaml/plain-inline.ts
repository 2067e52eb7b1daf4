import type { Json } from "../model/json.ts";

/** Thrown for a text that is not plain YAML: the library has to read it. */
export class NotPlain extends Error {
  override readonly name = "NotPlain";
}

/** A key at this place of a line, when a colon and then a blank or the end of the line follow it. */
export function readKey(line: string, from: number): string | undefined {
  keyPattern.lastIndex = from;
  if (!keyPattern.test(line)) return undefined;
  const key = line.slice(from, keyPattern.lastIndex - 1);
  return key === "__proto__" ? undefined : key;
}

/** Shorter than the 1024 characters at which YAML ends a key. */
const keyPattern = /[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}:(?= |$)/y;

/** The value from this place to the end of a line; a comment may follow it. */
export function readInline(line: string, from: number): Json {
  const cursor: Cursor = { line, at: from };
  const first = line[from] ?? "";
  if (!opening.includes(first)) return scalar(plainInBlock(line, from));
  const value = readNested(cursor, 0);
  if (!/^ *$|^ +#/.test(line.slice(cursor.at))) throw new NotPlain();
  return value;
}

const opening = `{["'`;

interface Cursor {
  readonly line: string;
  at: number;
}

/** A plain text in block context: all until the end of the line or a comment. */
function plainInBlock(line: string, from: number): string {
  const comment = line.indexOf(" #", from);
  const text = withoutBlanks(comment < 0 ? line.slice(from) : line.slice(from, comment));
  if (text.endsWith(":") || text.includes(": ")) throw new NotPlain();
  return text;
}

function withoutBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end--;
  return text.slice(0, end);
}

const deepest = 20;

function readNested(cursor: Cursor, level: number): Json {
  if (level > deepest) throw new NotPlain();
  const first = cursor.line[cursor.at];
  if (first === "{") return readFlowMapping(cursor, level);
  if (first === "[") return readFlowList(cursor, level);
  return first === '"' || first === "'" ? readQuoted(cursor, first) : scalar(flowText(cursor));
}

/** A text in quotes without anything that they would escape. */
function readQuoted(cursor: Cursor, quote: string): string {
  const { line, at } = cursor;
  const end = line.indexOf(quote, at + 1);
  const text = line.slice(at + 1, end);
  const isEscaping = quote === '"' ? text.includes("\\") : line[end + 1] === quote;
  if (end < 0 || isEscaping) throw new NotPlain();
  cursor.at = end + 1;
  return text;
}

function readFlowMapping(cursor: Cursor, level: number): Json {
  const own: Record<string, Json> = {};
  if (isEmptyFlow(cursor, "}")) return own;
  do {
    const key = readKey(cursor.line, cursor.at);
    if (key === undefined || Object.hasOwn(own, key)) throw new NotPlain();
    cursor.at += key.length + 1;
    skipBlanks(cursor);
    own[key] = readNested(cursor, level + 1);
  } while (goesOn(cursor, "}"));
  return own;
}

function readFlowList(cursor: Cursor, level: number): Json {
  const items: Json[] = [];
  if (isEmptyFlow(cursor, "]")) return items;
  do items.push(readNested(cursor, level + 1));
  while (goesOn(cursor, "]"));
  return items;
}

/** Steps over the opening bracket, and over the closing one where it follows. */
function isEmptyFlow(cursor: Cursor, close: string): boolean {
  cursor.at++;
  skipBlanks(cursor);
  if (cursor.line[cursor.at] !== close) return false;
  cursor.at++;
  return true;
}

/** True before a comma; steps over it, or over the closing bracket. */
function goesOn(cursor: Cursor, close: string): boolean {
  skipBlanks(cursor);
  const next = cursor.line[cursor.at++];
  if (next === close) return false;
  if (next !== ",") throw new NotPlain();
  skipBlanks(cursor);
  return true;
}

function skipBlanks(cursor: Cursor): void {
  while (cursor.line[cursor.at] === " ") cursor.at++;
}

function flowText(cursor: Cursor): string {
  const { line, at } = cursor;
  flowPattern.lastIndex = at;
  if (!flowPattern.test(line)) throw new NotPlain();
  cursor.at = flowPattern.lastIndex;
  return withoutBlanks(line.slice(at, cursor.at));
}

/** A colon within it is followed by a letter, a digit or a slash. */
const flowPattern = /(?:[^,:#[\]{}"'\\]|:(?=[A-Za-z0-9/]))+/y;

/** The value of a plain text (YAML 1.2, core schema). */
function scalar(text: string): Json {
  const first = text[0] ?? "";
  if (/[A-Za-z_/$]/.test(first)) return words.has(text) ? (words.get(text) ?? null) : text;
  if (integer.test(text) || decimal.test(text)) return Number(text);
  if (!/[0-9]/.test(first) || mayBeNumber.test(text)) throw new NotPlain();
  return text;
}

const words: ReadonlyMap<string, Json> = new Map([
  ...["null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/** Few enough digits for a number to keep them all. */
const integer = /^(?:0|-?[1-9][0-9]{0,14})$/;
const decimal = /^-?(?:0|[1-9][0-9]{0,8})\.[0-9]{1,6}$/;

/** Spellings of numbers other than these: exponents, leading zeros, other bases. */
const mayBeNumber = /^[-+.0-9a-fA-Fxo_]*$/;
