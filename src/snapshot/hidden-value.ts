import { type Hash, isContentMark } from "../model/fingerprint.ts";
import { canonicalJson, isObject, type Json, type JsonObject, objectOf } from "../model/json.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import { referenceResolver } from "../model/references.ts";
import type { Tree } from "../model/tree.ts";

/** Replaces a value in a snapshot: it equals the last-applied one, or it does not. */
export interface HiddenMark extends JsonObject {
  readonly $hidden: "as applied" | "changed";
}

/** The mark of a hidden value. */
export function hiddenMark(isAsApplied: boolean): HiddenMark {
  return { $hidden: isAsApplied ? "as applied" : "changed" };
}

export function isHiddenMark(value: Json): value is HiddenMark {
  return isObject(value) && (value["$hidden"] === "as applied" || value["$hidden"] === "changed");
}

/** Writes references as plans and states do; `bound` are the addresses of bound objects by their live handles. */
export function speller(kinds: readonly AnyKind[], live: Tree, bound: ReadonlyMap<string, string>) {
  const { spell } = referenceResolver({ live, addressOf: (handle) => bound.get(handle), known: new Set() });
  const byName = kindsByName(kinds);
  return (name: string, fields: JsonObject): JsonObject => {
    const kind = byName.get(name);
    return kind === undefined ? fields : spell(kind, fields);
  };
}

/** The words of the project's files at a dotted path, with `${env:…}` as it is written; of a member that cannot be found the whole field. */
export function sourceAt(sources: JsonObject, dotted: string): Json {
  const [name = "", ...rest] = dotted.split(".");
  const whole = sources[name] ?? null;
  const step = (value: Json | undefined, key: string): Json | undefined =>
    Array.isArray(value) ? value.find((item: Json) => isObject(item) && item["name"] === key) : objectOf(value)[key];
  return rest.reduce<Json | undefined>(step, whole) ?? whole;
}

export function sourceHash(source: Json, hash: Hash): string {
  return hash(canonicalJson(source));
}

/** True for a text that must not be written. */
export type Hides = (text: string) => boolean;

/** True for a value with something in it that must not be written, in names of members too. */
export function holdsHidden(value: Json, hides: Hides): boolean {
  if (typeof value === "string") return hides(value);
  if (typeof value === "number") return hides(String(value));
  if (Array.isArray(value)) return value.some((item: Json) => holdsHidden(item, hides));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => hides(name) || holdsHidden(member, hides));
}

/** Replaces values in fields and their members; a list is one value. `replace` answers undefined where it has nothing to replace. */
export function replaceValues(
  fields: JsonObject,
  replace: (value: Json, path: readonly string[]) => Json | undefined,
  above: readonly string[] = [],
): JsonObject {
  const entries = Object.entries(fields).map(([name, value]): [string, Json] => {
    const path = [...above, name];
    const found = replace(value, path);
    if (found !== undefined) return [name, found];
    return [name, isObject(value) && !isContentMark(value) ? replaceValues(value, replace, path) : value];
  });
  return Object.fromEntries(entries);
}
