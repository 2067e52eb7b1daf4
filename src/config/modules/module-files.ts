import { posix } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { isObject, type Json, type JsonObject, objectOf } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import { mainFile, type Workspace } from "../../workspace/workspace.ts";
import { type DocumentInput, includesIn, type LoadedFile, loadDocuments, loadFile } from "../load-documents.ts";
import { mergeDocuments, patchOf, type SourceDocument, withEnvironment } from "../merge-documents.ts";
import { nearFile } from "../read-files.ts";
import { instancesOf, readUses, rebaseUses } from "./read-uses.ts";

/** A module's file, or why there is none. */
export type ModuleFile = SourceDocument | { readonly failures: readonly Diagnostic[] };

/** The files of all modules that a project uses, by path from its folder. */
export interface ModuleFiles {
  readonly files: ReadonlyMap<string, ModuleFile>;
  readonly loaded: readonly LoadedFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** False where one cannot be read. */
  readonly complete: boolean;
}

/** Reads the modules that a document uses, and those that they use. */
export async function loadModules(
  document: JsonObject,
  load: (file: string) => Promise<LoadedFile>,
): Promise<ModuleFiles> {
  const files = new Map<string, ModuleFile>();
  const loaded: LoadedFile[] = [];
  const diagnostics: Diagnostic[] = [];
  let wanted = [...modulesOf(document)];
  while (wanted.length > 0) {
    const read = await Promise.all(wanted.map(async (path) => [path, await load(path)] as const));
    const found: string[] = [];
    for (const [path, file] of read) {
      const { source } = file;
      const value = source && rebaseUses(source.value, posix.dirname(path));
      files.set(path, source && value ? { ...source, value } : { failures: file.diagnostics });
      if (source) diagnostics.push(...file.diagnostics);
      loaded.push(file);
      if (value) found.push(...modulesOf(value));
    }
    wanted = [...new Set(found)].filter((path) => !files.has(path));
  }
  const complete = [...files.values()].every((file) => "value" in file);
  return { files, loaded, diagnostics, complete };
}

/** The files with the one that was most likely meant for each that cannot be found; `list` lists the files of the project's folder. */
export async function withMeantFiles(
  files: ModuleFiles["files"],
  list: () => Promise<readonly string[]>,
): Promise<ModuleFiles["files"]> {
  const isMissing = ({ code, line }: Diagnostic) => code === "LF1002" && line === undefined;
  if (![...files.values()].some((file) => "failures" in file && file.failures.some(isMissing))) return files;
  // Only a hint: a folder that may not be read must not hide the real problem.
  const listed = await list().catch(() => []);
  const byStem = new Map(listed.map((path) => [stemOf(path), path]));
  const meant = (path: string) => byStem.get(nearFile(stemOf(path), [...byStem.keys()]) ?? "");
  return new Map(
    [...files].map(([path, file]): [string, ModuleFile] => {
      const instead = "failures" in file ? meant(path) : undefined;
      if (instead === undefined || !("failures" in file)) return [path, file];
      const suggestion = { found: path, instead };
      return [path, { failures: file.failures.map((each) => (isMissing(each) ? { ...each, suggestion } : each)) }];
    }),
  );
}

/** A path without its ending, which is often left out. */
function stemOf(path: string): string {
  return path.replace(/\.ya?ml$/, "");
}

/** A reader of single files is enough for modules. */
type ModuleInput = Pick<DocumentInput, "hash"> & { readonly workspace: Pick<Workspace, "readText"> };

/** The modules that files of a project use in any environment, as far as the workspace has them and they can be read. */
export async function moduleSources(
  own: readonly SourceDocument[],
  input: ModuleInput,
): Promise<readonly SourceDocument[]> {
  const { files } = await modulesOfFiles(own, input);
  return [...files.values()].flatMap((file) => ("value" in file ? [file] : []));
}

/** The modules that files of a project use in any environment, those that cannot be read with the reason. */
export function modulesOfFiles(own: readonly SourceDocument[], { workspace, hash }: ModuleInput): Promise<ModuleFiles> {
  const all = own.map(({ file, value }) => rebaseUses(value, posix.dirname(file)));
  const environments = all.flatMap((value) =>
    isObject(value["environments"]) ? Object.values(value["environments"]) : [],
  );
  const documents = [...all, ...environments.filter(isObject)];
  const uses = documents.flatMap(({ use }, index) =>
    isObject(use) ? Object.entries(use).map(([name, each]) => [`${index} ${name}`, each] as const) : [],
  );
  const known = new Map<string, string>();
  const load = (file: string) => loadFile(file, { workspace, hash, known });
  return loadModules({ use: Object.fromEntries(uses) }, load);
}

/** A module as a file of a project names it, and the parameters that it declares. */
export interface NamedModule {
  readonly text: string;
  readonly parameters: JsonObject;
}

/** The modules that files of a project name in any environment, as far as they are in its folder and can be read. */
export async function namedModules(
  own: readonly SourceDocument[],
  input: DocumentInput,
): Promise<readonly NamedModule[]> {
  const modules = new Map((await moduleSources(own, input)).map(({ file, value }) => [file, value["parameters"]]));
  const found = own.flatMap(({ file, value }) => {
    const { environments } = value;
    const patches = isObject(environments) ? Object.values(environments).filter(isObject) : [];
    return [value, ...patches].flatMap(readUses).map(({ module }) => [module, posix.join(posix.dirname(file), module)]);
  });
  return [...new Map(found.map(([text = "", path = ""]) => [`${text} ${path}`, { text, path }])).values()]
    .filter(({ path }) => modules.has(path))
    .map(({ text, path }) => ({ text, parameters: objectOf(modules.get(path)) }))
    .sort((left, right) => (left.text < right.text ? -1 : 1));
}

/** Parameters that only an environment gives, by the key of the use. */
export function lateParameters(own: readonly SourceDocument[]): ReadonlyMap<string, readonly string[]> {
  const usesOf = (document: Json | undefined) => Object.entries(objectOf(objectOf(document)["use"]));
  const [late, early] = [new Map<string, readonly string[]>(), new Map<string, readonly string[]>()];
  const add = (names: typeof late, [key, use]: readonly [string, Json]) =>
    names.set(key, [...new Set([...(names.get(key) ?? []), ...givenNames(objectOf(use))])].sort());
  for (const { value } of own) {
    for (const each of usesOf(value)) add(early, each);
    for (const patch of Object.values(objectOf(value["environments"])))
      for (const each of usesOf(patch)) add(late, each);
  }
  const without = [...late].map(
    ([key, names]) => [key, names.filter((name) => !early.get(key)?.includes(name))] as const,
  );
  return new Map(without.filter(([, names]) => names.length > 0));
}

/** The parameters that a use gives a value, or one of its entries. */
function givenNames(use: JsonObject): readonly string[] {
  const given = [use["with"], ...Object.values(objectOf(use["forEach"]))].map(objectOf);
  return given.flatMap((each) => Object.keys(each).filter((name) => each[name] !== null));
}

/** The modules that a document names, those in its patches included. */
function modulesOf(document: JsonObject): ReadonlySet<string> {
  const uses = readUses(document);
  const patched = uses.flatMap(({ patch }) => [...modulesOf(patch)]);
  return new Set([...uses.map(({ module }) => module), ...patched]);
}

/** Looks for instances that another environment, or the project without one, has and this environment has not: of one use, or of all. */
export async function furtherInstances(
  document: JsonObject,
  of: DocumentInput & { readonly kinds: readonly AnyKind[]; readonly environment: string | undefined },
): Promise<(key?: string) => boolean> {
  const { environment, kinds, ...input } = of;
  const own = withEnvironment(document, environment);
  // Without a module there is nothing that others could share.
  if (instancesOf(own).size === 0) return () => false;
  const names = Object.keys(objectOf(document["environments"]));
  const isSame = names.every((name) => patchOf(document, name)["include"] === undefined);
  const documentOf = async (name: string | undefined) => {
    if (isSame) return withEnvironment(document, name);
    const { sources } = await loadDocuments(mainFile, input, includesIn(name ?? ""));
    return withEnvironment(mergeDocuments(sources, kinds).document, name);
  };
  const others = await Promise.all([undefined, ...names].filter((name) => name !== environment).map(documentOf));
  return (key) => {
    const here = instancesOf(own, key);
    return others.some((other) => [...instancesOf(other, key)].some((each) => !here.has(each)));
  };
}

/** The `${file:…}` of a module that lead out of its own folder, with the texts that hold them. */
export function filesOutside(file: string, value: Json): readonly string[] {
  const folder = posix.dirname(file);
  const found = [...JSON.stringify(value).matchAll(/(?<!\$)\$\{file:([^}$]*)\}/g)].map(([, path = ""]) => path);
  const isBelow = (path: string) => {
    const within = posix.relative(folder, path);
    return !path.startsWith("/") && within !== ".." && !within.startsWith("../");
  };
  return [...new Set(found)].filter((path) => !isBelow(path));
}

/** The path of the first text in a value that contains another. */
export function pathOfText(
  value: Json,
  text: string,
  path: readonly (string | number)[] = [],
): readonly (string | number)[] | undefined {
  if (typeof value === "string") return value.includes(text) ? path : undefined;
  const members = Array.isArray(value) ? value.entries() : isObject(value) ? Object.entries(value) : [];
  for (const [step, member] of members) {
    const found = pathOfText(member as Json, text, [...path, step]);
    if (found) return found;
  }
  return undefined;
}
