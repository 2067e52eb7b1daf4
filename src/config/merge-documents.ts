import type { Diagnostic, Position } from "../model/diagnostic.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
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

/** The document that all files make together; what stands in two of them is reported at the second. */
export function mergeDocuments(sources: readonly SourceDocument[]): {
  readonly document: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
} {
  const [main, ...included] = sources;
  const document: Record<string, Json> = {};
  const united = new Map<string, Record<string, Json>>();
  const owners = new Map<string, SourceDocument>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, value] of Object.entries(main?.value ?? {})) {
    document[name] = value;
    if (main) own(owners, main, name);
  }
  for (const source of included)
    for (const [name, value] of Object.entries(source.value)) {
      if (mainOnly.includes(name)) diagnostics.push(notHere(source, name));
      else {
        diagnostics.push(...takenKeys({ source, name, value, owners }));
        document[name] = merge({ name, before: document[name], value, united });
        own(owners, source, name);
      }
    }
  return { document, diagnostics };
}

interface Merge {
  readonly name: string;
  readonly before: Json | undefined;
  readonly value: Json;
  /** Mappings made by this merge, which grow in place: thousands of files must not copy each other's keys. */
  readonly united: Map<string, Record<string, Json>>;
}

/** Mappings are united, the first of a key wins; lists are joined; of anything else the first stays. */
function merge({ name, before, value, united }: Merge): Json {
  if (!isObject(before) || !isObject(value)) return joined.includes(name) ? join(before, value) : (before ?? value);
  const all: Record<string, Json> = united.get(name) ?? { ...before };
  united.set(name, all);
  for (const [key, member] of Object.entries(value)) if (!Object.hasOwn(all, key)) all[key] = member;
  return all;
}

function join(before: Json | undefined, value: Json): Json {
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : (before ?? value);
}

function own(owners: Map<string, SourceDocument>, source: SourceDocument, name: string): void {
  const value = source.value[name];
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) if (!owners.has(`${name}/${key}`)) owners.set(`${name}/${key}`, source);
}

interface Addition {
  readonly source: SourceDocument;
  readonly name: string;
  readonly value: Json;
  readonly owners: ReadonlyMap<string, SourceDocument>;
}

function takenKeys({ source, name, value, owners }: Addition): readonly Diagnostic[] {
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key): Diagnostic[] => {
    const first = owners.get(`${name}/${key}`);
    if (first === undefined) return [];
    const place = { path: [name, key], at: "key" } as const;
    const at = first.locate(place);
    const where = at ? `${at.file}:${at.line}` : first.file;
    const detail = `found ${key} under ${name} in ${where} too; expected it once: rename or remove one`;
    return [{ severity: "error", code: "LF1005", summary: `${key} stands twice`, detail, ...source.locate(place) }];
  });
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
