import { type Diagnostic, type DocumentPlace, errorOf, type Position } from "../model/diagnostic.ts";
import { hinted, meaning, nearest } from "../model/did-you-mean.ts";
import { getOrMake } from "../model/group-by.ts";
import { isObject, type Json, type JsonObject, objectOf, valueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { Report } from "./collect-problems.ts";
import { objectAt } from "./declared-object.ts";
import { patchDocument } from "./modules/read-uses.ts";

/** One parsed file of a project. */
export interface SourceDocument {
  readonly file: string;
  readonly value: JsonObject;
  /** The place in this file only. */
  readonly locate: (place: DocumentPlace) => Position | undefined;
}

const mainOnly = ["project", "service", "state", "include", "limits"];

/** Lists that are joined; every other key holds a mapping whose keys must be unique over all files. */
const joined = ["moved", "removed"];

/**
 * The document that all files make together. A file may add to an object of another one by naming only collections of
 * its children; any other value that two files have is reported at the second.
 */
export function mergeDocuments(
  sources: readonly SourceDocument[],
  kinds: readonly AnyKind[],
): { readonly document: JsonObject; readonly diagnostics: readonly Diagnostic[] } {
  const [main, ...included] = sources;
  const document: Record<string, Json> = { ...main?.value };
  // Mappings made here grow in place: thousands of files must not copy each other's keys.
  const collections = new Map<string, Record<string, Json>>();
  const diagnostics: Diagnostic[] = [];
  // The environment decides which files are read, so it is known before they are.
  const inMain = environmentsWith(document, "include").length > 0 ? [...mainOnly, "defaultEnvironment"] : mainOnly;
  for (const source of included) {
    const twice = (path: readonly string[]) => diagnostics.push(declaredTwice(sources, source, path));
    diagnostics.push(...environmentsWith(source.value, "include").map((path) => notHere(source, path)));
    for (const [name, value] of Object.entries(source.value)) {
      const before = document[name];
      if (inMain.includes(name)) diagnostics.push(notHere(source, [name]));
      else if (isObject(before) && isObject(value)) {
        const all = getOrMake(collections, name, () => ({ ...before }));
        document[name] = all;
        addMembers(all, value, { path: [name], kinds, twice });
      } else document[name] = combined(name, before, value);
    }
  }
  return { document, diagnostics };
}

/** The files that declare an object, first the one that says something about the object itself. */
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

/** The merged value of anything but mappings: lists are joined, otherwise the first file wins. */
function combined(name: string, before: Json | undefined, value: Json): Json {
  return joined.includes(name) && Array.isArray(before) && Array.isArray(value)
    ? [...before, ...value]
    : (before ?? value);
}

interface MergeContext {
  readonly path: readonly string[];
  readonly kinds: readonly AnyKind[];
  /** Called for a value that two files have. */
  readonly twice: (path: readonly string[]) => void;
}

/** Adds to a mapping in place; of objects in both, the first remains where they are not parts of one. */
function addMembers(all: Record<string, Json>, more: JsonObject, context: MergeContext): void {
  for (const [key, member] of Object.entries(more)) {
    const first = Object.hasOwn(all, key) ? all[key] : undefined;
    const path = [...context.path, key];
    all[key] = first === undefined ? member : uniteObjects(first, member, { ...context, path });
  }
}

/** One object out of two parts of it, of which only one may say anything about the object itself. */
function uniteObjects(first: Json, second: Json, context: MergeContext): Json {
  const { path, kinds, twice } = context;
  const below = pluralsBelow(path, kinds);
  const whole = isPart(first, below) ? second : first;
  const part = whole === first ? second : first;
  if (!isPart(part, below) || !(isObject(whole) || whole === null)) {
    twice(path);
    return first;
  }
  const made: Record<string, Json> = { ...whole };
  for (const [name, collection] of Object.entries(part)) {
    const before = made[name];
    if (isObject(before) && isObject(collection)) {
      const all: Record<string, Json> = { ...before };
      addMembers(all, collection, { ...context, path: [...path, name] });
      made[name] = all;
    } else made[name] = before ?? collection;
  }
  return made;
}

/** True for an object with nothing but collections: a part of one in another file. */
function isPart(value: Json, below: ReadonlySet<string>): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => below.has(name));
}

function pluralsBelow(path: readonly string[], kinds: readonly AnyKind[]): ReadonlySet<string> {
  const place = objectAt(path, kinds);
  const isObjectPath = place !== undefined && place.within.length === 0;
  return new Set(isObjectPath ? kinds.flatMap((kind) => (kind.parent === place.kind.name ? kind.plural : [])) : []);
}

function declaredTwice(all: readonly SourceDocument[], source: SourceDocument, path: readonly string[]): Diagnostic {
  const key = path.at(-1) ?? "";
  const place = { path, at: "key" } as const;
  const first = all.slice(0, all.indexOf(source)).find((each) => each.locate(place) !== undefined);
  const at = first?.locate(place);
  const where = at ? `${at.file}:${at.line}` : (first?.file ?? "another file");
  const detail = `${where} has ${key} under ${path.slice(0, -1).join(".")} too. Rename or remove one of them`;
  return { severity: "error", code: "LF1005", summary: `${key} is declared twice`, detail, ...source.locate(place) };
}

function environmentsWith({ environments }: JsonObject, key: string): readonly (readonly string[])[] {
  const named = Object.entries(objectOf(environments)).filter(([, patch]) => objectOf(patch)[key] !== undefined);
  return named.map(([name]) => ["environments", name, key]);
}

const yamlOnly = {
  include: "Only loadform.yaml includes files; a program imports its own: remove include",
  use: "Only loadform.yaml uses modules; a program has functions in their place: remove use, and declare their objects",
};

/** A program reads its other files itself, and has functions in place of modules: what it says of either would be lost. */
export function refuseYamlOnly(document: JsonObject, report: Report): void {
  for (const [key, detail] of Object.entries(yamlOnly))
    for (const path of [...(document[key] === undefined ? [] : [[key]]), ...environmentsWith(document, key)])
      report({ ...errorOf("LF1104", `${key} has no effect`, detail), place: { path, at: "key" } });
}

function notHere(source: SourceDocument, path: readonly string[]): Diagnostic {
  const name = path.at(-1) ?? "";
  const detail = `${name} belongs in the main file only, and this file is included: move it there`;
  const position = source.locate({ path, at: "key" });
  return { severity: "error", code: "LF1101", summary: `${name} does not belong here`, detail, ...position };
}

/** The environment in which a project is read; undefined: none. */
export function chosenEnvironment(asked: string | undefined, document: JsonObject): string | undefined {
  const { defaultEnvironment } = document;
  const name = asked ?? (typeof defaultEnvironment === "string" ? defaultEnvironment : "");
  return name === "" ? undefined : name;
}

export function environmentsOf({ environments }: JsonObject): readonly string[] {
  return Object.keys(objectOf(environments)).sort();
}

/** The environments of a document beside one that reads the same files; "" is none. */
export function otherEnvironments(document: JsonObject, environment: string | undefined): readonly string[] {
  return ["", ...environmentsOf(document)].filter((name) => name !== (environment ?? ""));
}

/** Advice for programs, which have nothing to patch and so no second state. */
const noEnvironments =
  "and a program for Terraform declares no environments. Give it other values with --var NAME=… or $TF_VAR_NAME, from a folder of its own for each environment, so that each has its own state";

/** The document with an environment's patch in it; an environment that is not declared is reported. */
export function inEnvironment(
  document: JsonObject,
  of: {
    readonly environment: string | undefined;
    readonly asked: string | undefined;
    readonly language: string;
  },
  report: Report,
): JsonObject {
  const { environment: name, asked, language } = of;
  if (name === undefined) return document;
  const names = Object.keys(objectOf(document.environments));
  if (names.includes(name)) return withEnvironment(document, name);
  const otherwise = names.length > 0 ? ` Declared: ${names.slice(0, 10).join(", ")}.` : "";
  const source = asked === undefined ? "defaultEnvironment" : "--env (or $LOADFORM_ENV)";
  const lack = language === "terraform" ? noEnvironments : "which is not declared under environments";
  const hint = hinted(`${source} names ${name}, ${lack}`, { found: name, among: names, otherwise });
  const problem = { severity: "error", code: "LF1304", summary: `unknown environment ${name}` } as const;
  if (asked === undefined) report({ ...problem, ...hint, place: { path: ["defaultEnvironment"], at: "value" } });
  // Nothing in the files is to be corrected.
  else report({ ...problem, detail: hint.detail, place: { path: ["environments"], at: "key" } });
  return document;
}

/** The document of an environment, or of none; the environments themselves remain as they are. */
export function withEnvironment(document: JsonObject, name: string | undefined): JsonObject {
  return name === undefined ? document : patchDocument(document, patchOf(document, name));
}

/** The patch of an environment; an empty one where that is not declared. */
export function patchOf(document: JsonObject, name: string): JsonObject {
  return objectOf(valueAt(document, ["environments", name]));
}

/** Says which objects only an environment's patch has although one of nearly the same key is declared: a patch of it was meant. */
export function doubtAdditions(document: JsonObject, kinds: readonly AnyKind[], report: Report): void {
  for (const [environment, patch] of Object.entries(objectOf(document.environments)))
    doubtPatch(patch, document, { path: ["environments", environment], parent: undefined, kinds, report });
}

interface PatchCheck {
  readonly path: readonly string[];
  /** Kind of the object that is patched; undefined: the document. */
  readonly parent: string | undefined;
  readonly kinds: readonly AnyKind[];
  readonly report: Report;
}

function doubtPatch(patch: Json, base: JsonObject, at: PatchCheck): void {
  for (const kind of at.kinds.filter(({ parent }) => parent === at.parent)) {
    const [patches, declared] = [valueAt(patch, [kind.plural]), valueAt(base, [kind.plural])];
    if (!isObject(patches) || !isObject(declared)) continue;
    const others = Object.keys(declared).filter((key) => !Object.hasOwn(patches, key));
    for (const [key, member] of Object.entries(patches)) {
      const path = [...at.path, kind.plural, key];
      const known = valueAt(declared, [key]);
      if (isObject(known)) doubtPatch(member, known, { ...at, path, parent: kind.name });
      else if (known === undefined) doubtAddition(key, kind.name, { ...at, path, others });
    }
  }
}

/** Says that a patch of another key was meant, where one of nearly this key is declared. */
export function doubtAddition(
  key: string,
  kind: string,
  { path, report, others }: Pick<PatchCheck, "path" | "report"> & { readonly others: readonly string[] },
): void {
  // Numbered objects are near each other on purpose.
  const word = (numbered: string) => numbered.replace(/\d/g, "");
  const near = nearest(
    key,
    others.filter((other) => word(other) !== word(key)),
  );
  if (near === undefined) return;
  const detail = `Without the environment ${path[1]} the project has no ${kind} ${key}, so there is nothing to patch`;
  const hint = meaning(detail, { found: key, instead: near });
  const summary = `${path[1]} patches no ${kind} ${key}`;
  report({ severity: "warning", code: "LF1204", summary, ...hint, place: { path, at: "key" } });
}
