import type { Json } from "./json.ts";

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
