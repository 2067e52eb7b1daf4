import { isObject } from "../model/json.ts";

/** An object of an answer. */
export type Wire = Readonly<Record<string, unknown>>;

/** The objects of a list that have an id; whatever else it holds is found by its comparison. */
export function wiresIn(list: unknown): readonly Wire[] {
  return Array.isArray(list) ? (list as readonly unknown[]).filter(isObject).filter((wire) => idIn(wire) >= 0) : [];
}

/** The objects in the list of another object. */
export function wiresBelow(wire: Wire | undefined, member: string): readonly Wire[] {
  return wiresIn(wire?.[member]);
}

/** The id of an object, also where it came as text; -1 where it has none. */
export function idIn(wire: unknown): number {
  const id = isObject(wire) && wire["id"] !== null && wire["id"] !== "" ? Number(wire["id"]) : -1;
  return Number.isSafeInteger(id) && id >= 0 ? id : -1;
}

/** An object in another one. */
export function wireIn(wire: unknown, member: string): Wire | undefined {
  const below = isObject(wire) ? wire[member] : undefined;
  return isObject(below) ? below : undefined;
}

/** Identity and times of an object. */
export function stampOf(wire: Wire): { readonly id: number; readonly createdAt: string; readonly updatedAt: string } {
  const createdAt = momentIn(wire["createdAt"]);
  return { id: idIn(wire), createdAt, updatedAt: momentIn(wire["updatedAt"] ?? createdAt) };
}

/** The text, or what stands in for it. */
export function textIn(value: unknown, standIn = ""): string {
  return typeof value === "string" ? value : standIn;
}

/** The text, or null. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The number, also where it came as text; 0 where there is none. */
export function amountIn(value: unknown): number {
  const number = typeof value === "number" || typeof value === "string" ? Number(value) : 0;
  return Number.isFinite(number) ? number : 0;
}

/** The documented word, also where it came in other letters; the first one where there is none. */
export function documentedWord(value: unknown, words: readonly [string, ...string[]]): string {
  const [first] = words;
  return words.find((word) => word.toLowerCase() === String(value).toLowerCase()) ?? first;
}

/** The moment as the documents write one. */
export function momentIn(value: unknown): string {
  const at = typeof value === "number" ? value : Date.parse(String(value));
  return Number.isFinite(at) && Math.abs(at) < 253_402_300_799_999
    ? new Date(at).toISOString()
    : new Date(0).toISOString();
}
