/** A JSON value: everything a plan, a state or a normal form may hold. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; keys without a value are simply absent. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a plain JSON object: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON object, or an empty one for anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** A test of the form of a JSON value that may be missing. */
export type JsonTest = (value: Json | undefined) => boolean;

export const isFlag: JsonTest = (value) => typeof value === "boolean";

export function orAbsent(test: JsonTest): JsonTest {
  return (value) => value === undefined || test(value);
}

export function everyItem(test: JsonTest): JsonTest {
  return (value) => Array.isArray(value) && value.every((each: Json) => test(each));
}

/** Structural equality of two JSON values; key order does not matter, list order does. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object") return false;
  if (Array.isArray(left)) return Array.isArray(right) && sameList(left, right);
  if (!isObject(left) || !isObject(right)) return false;
  let more = 0;
  for (const key in left) {
    if (!Object.hasOwn(right, key) || !sameJson(left[key], right[key])) return false;
    more++;
  }
  for (const _ in right) more--;
  return more === 0;
}

function sameList(left: readonly Json[], right: readonly Json[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (!sameJson(left[index], right[index])) return false;
  return true;
}

/** The members that have a value, as an object. */
export function withoutAbsent(object: Readonly<Record<string, Json | undefined>>): JsonObject {
  const present: Record<string, Json> = {};
  for (const name in object) {
    const value = object[name];
    if (value !== undefined) present[name] = value;
  }
  return present;
}

/** The value at a dotted path of object keys, or undefined. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let current = value;
  for (const key of path) current = isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  return current;
}

/** The way to the first plain value that is this one. */
export function pathTo(
  value: Json | undefined,
  sought: Json,
  path: readonly (string | number)[] = [],
): readonly (string | number)[] | undefined {
  if (value === sought) return path;
  const members: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? value.map((item: Json, at) => [at, item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [step, member] of members) {
    const found = pathTo(member, sought, [...path, step]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A copy of `object` with the value at `path` replaced, or removed when `value` is undefined. */
export function withValueAt(object: JsonObject, path: readonly string[], value: Json | undefined): JsonObject {
  const [head, ...rest] = path;
  if (head === undefined) return object;
  const current = Object.hasOwn(object, head) ? object[head] : undefined;
  const next = rest.length === 0 ? value : withValueAt(isObject(current) ? current : {}, rest, value);
  if (next !== undefined) return { ...object, [head]: next };
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== head));
}

/**
 * Canonical JSON (RFC 8785): keys in UTF-16 order, no blanks, numbers and strings as ECMAScript writes them.
 * Equal values have equal text, so it serves as sort key, digest input and comparison.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const object = value as Readonly<Record<string, Json | undefined>>;
  const members: string[] = [];
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(",")}}`;
}

/** The mappings in a list, each with its index; none where it is no list. */
export function mappingsIn(value: Json | undefined): readonly (readonly [index: number, mapping: JsonObject])[] {
  const found: (readonly [number, JsonObject])[] = [];
  itemsOf(value).forEach((item, index) => void (isObject(item) && found.push([index, item])));
  return found;
}

/** True where there is no value, or a list or mapping without members. */
export function isEmptyJson(value: Json | undefined): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

/** The items of a list; none where it is no list. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** A set as a list: equal elements once, in canonical order. */
export function canonicalSet(values: readonly Json[]): readonly Json[] {
  if (values.length < 2) return values;
  const byText = new Map(values.map((value) => [canonicalJson(value), value]));
  return [...byText].sort(byKey).map(([, value]) => value);
}

/** Orders entries by key in UTF-16 code units: the same on every machine and in every locale. */
export function byKey(left: readonly [string, unknown], right: readonly [string, unknown]): number {
  return left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : 0;
}

/** Orders plain strings in UTF-16 code units. */
export function byText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The place from which on a text is not JSON; its end where it was cut off. The parser does not say it of every error. */
export function jsonProblemPlace(text: string): { readonly line: number; readonly column: number } {
  let [start, end] = [0, text.length + 1];
  while (end - start > 1) {
    const middle = Math.floor((start + end) / 2);
    if (mayGoOn(text.slice(0, middle))) start = middle;
    else end = middle;
  }
  const before = text.slice(0, start).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** True for the beginning of a JSON text. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (thrown) {
    const words = String(thrown);
    const [, position] = / at position (\d+)/.exec(words) ?? [];
    return /end of JSON|Unterminated/.test(words) || Number(position) === text.length;
  }
}
