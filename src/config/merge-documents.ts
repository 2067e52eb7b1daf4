import type { Diagnostic, Position } from "../model/diagnostic.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject, valueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { objectAt } from "./declared-object.ts";
import type { Place } from "./place.ts";

/** One parsed file of a project. */
export interface SourceDocument {
  readonly file: string;
  readonly value: JsonObject;
  /** The place in this file only. */
  readonly locate: (place: Place) => Position | undefined;
}

/** Keys that only the main file may have. */
const mainOnly = ["project", "service", "state", "include"];

/** Lists that are joined; every other key holds a mapping whose keys must be unique over all files. */
const joined = ["moved", "removed"];

/**
 * The document that all files make together. A file may carry on with an object of another one by naming only
 * collections of what stands below it; anything else that stands in two files is reported at the second.
 */
export function mergeDocuments(
  sources: readonly SourceDocument[],
  kinds: readonly AnyKind[],
): {
  readonly document: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
} {
  const [main, ...included] = sources;
  const document: Record<string, Json> = { ...main?.value };
  const united = new Map<string, Record<string, Json>>();
  const diagnostics: Diagnostic[] = [];
  for (const source of included) {
    const uniting: Uniting = { kinds, twice: (path) => diagnostics.push(standsTwice(sources, source, path)) };
    for (const [name, value] of Object.entries(source.value))
      if (mainOnly.includes(name)) diagnostics.push(notHere(source, name));
      else document[name] = merge({ name, before: document[name], value, united }, uniting);
  }
  return { document, diagnostics };
}

/** The files in which an object stands, first the one that says something about the object itself. */
export function filesWith(
  sources: readonly SourceDocument[],
  path: readonly string[],
  kinds: readonly AnyKind[],
): readonly string[] {
  const below = pluralsBelow(path, kinds);
  const parts = sources.filter(({ value }) => valueAt(value, path) !== undefined);
  const whole = parts.find(({ value }) => !isPart(valueAt(value, path) ?? null, below)) ?? parts[0];
  return whole === undefined ? [] : [whole, ...parts.filter((part) => part !== whole)].map(({ file }) => file);
}

interface Uniting {
  readonly kinds: readonly AnyKind[];
  /** Called for what stands in two files. */
  readonly twice: (path: readonly string[]) => void;
}

interface Merge {
  readonly name: string;
  readonly before: Json | undefined;
  readonly value: Json;
  /** Mappings made by this merge, which grow in place: thousands of files must not copy each other's keys. */
  readonly united: Map<string, Record<string, Json>>;
}

/** Mappings are united, the first of a key wins; lists are joined; of anything else the first stays. */
function merge({ name, before, value, united }: Merge, uniting: Uniting): Json {
  if (!isObject(before) || !isObject(value)) return joined.includes(name) ? join(before, value) : (before ?? value);
  const all: Record<string, Json> = united.get(name) ?? { ...before };
  united.set(name, all);
  addMembers(all, value, { path: [name], uniting });
  return all;
}

function join(before: Json | undefined, value: Json): Json {
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : (before ?? value);
}

interface At {
  readonly path: readonly string[];
  readonly uniting: Uniting;
}

function addMembers(all: Record<string, Json>, more: JsonObject, { path, uniting }: At): void {
  for (const [key, member] of Object.entries(more)) {
    const first = Object.hasOwn(all, key) ? all[key] : undefined;
    all[key] = first === undefined ? member : uniteObjects(first, member, { path: [...path, key], uniting });
  }
}

/** One object out of two parts of it, of which only one may say anything about the object itself. */
function uniteObjects(first: Json, second: Json, { path, uniting }: At): Json {
  const below = pluralsBelow(path, uniting.kinds);
  const whole = isPart(first, below) ? second : first;
  const part = whole === first ? second : first;
  if (!isPart(part, below) || !(isObject(whole) || whole === null)) {
    uniting.twice(path);
    return first;
  }
  const made: Record<string, Json> = { ...whole };
  for (const [name, collection] of Object.entries(part)) {
    const there = made[name];
    if (isObject(there) && isObject(collection)) {
      const all: Record<string, Json> = { ...there };
      addMembers(all, collection, { path: [...path, name], uniting });
      made[name] = all;
    } else made[name] = there ?? collection;
  }
  return made;
}

/** Whether an object holds nothing but collections: a part of one that stands in another file. */
function isPart(value: Json, below: ReadonlySet<string>): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => below.has(name));
}

function pluralsBelow(path: readonly string[], kinds: readonly AnyKind[]): ReadonlySet<string> {
  const found = objectAt(path, kinds);
  const isObjectPath = found !== undefined && found.within.length === 0;
  return new Set(isObjectPath ? kinds.flatMap((kind) => (kind.parent === found.kind.name ? kind.plural : [])) : []);
}

function standsTwice(sources: readonly SourceDocument[], source: SourceDocument, path: readonly string[]): Diagnostic {
  const key = path.at(-1) ?? "";
  const place = { path, at: "key" } as const;
  const first = sources.slice(0, sources.indexOf(source)).find((each) => each.locate(place) !== undefined);
  const at = first?.locate(place);
  const where = at ? `${at.file}:${at.line}` : (first?.file ?? "another file");
  const detail = `found ${key} under ${path.slice(0, -1).join(".")} in ${where} too; expected it once: rename or remove one`;
  return { severity: "error", code: "LF1005", summary: `${key} stands twice`, detail, ...source.locate(place) };
}

function notHere(source: SourceDocument, name: string): Diagnostic {
  const detail = `found ${name} in an included file; expected it in the main file only: move it there`;
  const place = { path: [name], at: "key" } as const;
  return {
    severity: "error",
    code: "LF1101",
    summary: `${name} does not belong here`,
    detail,
    ...source.locate(place),
  };
}
