import type { Field } from "../model/field.ts";
import { type Hash, isContentMark } from "../model/fingerprint.ts";
import { canonicalJson, isObject, type Json, type JsonObject, objectOf } from "../model/json.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import { referenceResolver } from "../model/references.ts";
import { liveHandle, nodeName, type Tree, type TreeNode } from "../model/tree.ts";

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

/** References as states have them, and as they count for what the files say. */
export type ReferenceWords = ReturnType<typeof referenceWords>;

/** `bound` are the addresses of bound objects by their live handles. */
export function referenceWords(of: {
  readonly kinds: readonly AnyKind[];
  readonly live: Tree;
  readonly desired: Tree;
  readonly bound: ReadonlyMap<string, string>;
}) {
  const { kinds, live, desired, bound } = of;
  const { spell } = referenceResolver({ live, addressOf: (handle) => bound.get(handle), readKinds: new Set() });
  const byName = kindsByName(kinds);
  const handles = new Map([...bound].map(([handle, address]) => [address, handle]));
  /** A key means the object that it leads to, however that is called. */
  const meant = ({ kind: target, by }: NonNullable<Field["reference"]>, value: Json): Json => {
    const node = typeof value === "string" ? desired.nodes.get(`${target}.${value}`) : undefined;
    if (by === "name") return { named: node && !node.sensitive?.includes("name") ? nodeName(node) : value };
    if (isObject(value)) return { meant: resolved(target, value) };
    return node === undefined ? value : { meant: handles.get(node.handle) ?? node.handle };
  };
  const resolved = (target: string, { id, name }: JsonObject): Json => {
    if (typeof id === "number") return liveHandle(target, id);
    const named = [...live.nodes.values()].filter((node) => node.kind === target && nodeName(node) === name);
    return named.length === 1 && named[0] ? named[0].handle : { name: name ?? null };
  };
  const withMeanings = (field: Field | undefined, source: Json): Json => {
    if (field === undefined || (typeof source === "string" && source.includes("${"))) return source;
    if (field.reference) return meant(field.reference, source);
    if (Array.isArray(source)) return source.map((item: Json) => withMeanings(field.of ?? field, item));
    if (!isObject(source)) return field.of ? withMeanings(field.of, source) : source;
    const entries = Object.entries(source);
    return Object.fromEntries(entries.map(([name, value]) => [name, withMeanings(field.fields?.[name], value)]));
  };
  return {
    spell(name: string, fields: JsonObject): JsonObject {
      const kind = byName.get(name);
      return kind === undefined ? fields : spell(kind, fields);
    },
    /** The words of the project's files at a dotted path, with `${env:…}` as it is written; of a member that cannot be found the whole field. */
    sourceOf({ kind, sources = {} }: Pick<TreeNode, "kind" | "sources">, dotted: string): Json {
      const [name = "", ...rest] = dotted.split(".");
      const whole = sources[name] ?? null;
      const member = rest.reduce<Json | undefined>(memberNamed, whole);
      return rest.length > 0 && member !== undefined ? member : withMeanings(byName.get(kind)?.fields[name], whole);
    },
  };
}

/** A member by its key, or of a list by its name. */
function memberNamed(value: Json | undefined, key: string): Json | undefined {
  return Array.isArray(value)
    ? value.find((item: Json) => isObject(item) && item["name"] === key)
    : objectOf(value)[key];
}

export function sourceHash(source: Json, hash: Hash): string {
  return hash(canonicalJson(source));
}

/** `${env:NAME}` alone: nothing else of it can change. */
export function isOneExpression(source: Json): boolean {
  return typeof source === "string" && /^\$\{[^{}]*\}$/.test(source);
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
