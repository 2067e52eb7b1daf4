import { type Diagnostic, type DocumentPath, type DocumentPlace, unlessThrown } from "../model/diagnostic.ts";
import { hinted, meaning, nearest } from "../model/did-you-mean.ts";
import type { Hash } from "../model/fingerprint.ts";
import { atFirstUse } from "../model/group-by.ts";
import { isObject, type Json, type JsonObject, objectOf } from "../model/json.ts";
import { type Workspace, WorkspaceError } from "../workspace/workspace.ts";
import { yamlLocator } from "../yaml/locate-yaml.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";
import { chosenEnvironment, patchOf, type SourceDocument } from "./merge-documents.ts";
import type { ParseCache } from "./parse-cache.ts";
import { mayNameFiles, rebaseFiles, rebaseYaml } from "./read-files.ts";

/** The files of a YAML project, parsed. */
export interface LoadedDocuments {
  readonly sources: readonly SourceDocument[];
  /** The files as JSON text, to look for files that they name. */
  readonly texts: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** The globs that named the included files. */
  readonly include?: readonly string[];
  /** False when a file or a part of one is missing: nothing may be concluded from the rest. */
  readonly complete: boolean;
  /** The cache's new content; undefined when it is up to date. */
  readonly parsed: ReadonlyMap<string, string> | undefined;
  /** Hashes of the files by path; of those with which nothing is wrong. */
  readonly hashes?: Readonly<Record<string, string>>;
}

export interface DocumentInput {
  readonly workspace: Workspace;
  readonly hash: Hash;
  readonly cache?: ParseCache | undefined;
  /** Called with the size of the files in characters before they are parsed. */
  readonly makeRoom?: ((characters: number) => void) | undefined;
}

export interface LoadedFile {
  readonly source: SourceDocument | undefined;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly digest?: string;
  /** Key and JSON text, for the cache. */
  readonly parsed?: readonly [string, string];
}

/** A list of globs in a main file. */
interface IncludeList {
  readonly path: DocumentPath;
  readonly patterns: readonly Json[];
}

/** Chooses the lists of a main file that count. */
export type Includes = (main: JsonObject) => readonly IncludeList[];

/** The list of the environment that a command asks for, which replaces that of the project. */
export function includesIn(asked: string | undefined): Includes {
  return (main) => {
    const environment = chosenEnvironment(asked, main);
    const own = environment === undefined ? [] : environmentIncludes(main, environment);
    return own.length > 0 ? own : includeLists(main, []);
  };
}

/** The lists of the project and of each of its environments. */
export const allIncludes: Includes = (main) => {
  const environments = Object.keys(objectOf(main["environments"]));
  return [...includeLists(main, []), ...environments.flatMap((name) => environmentIncludes(main, name))];
};

function environmentIncludes(main: JsonObject, environment: string): readonly IncludeList[] {
  return includeLists(patchOf(main, environment), ["environments", environment]);
}

/** In a patch, null stands for no list. */
function includeLists({ include }: JsonObject, path: DocumentPath): readonly IncludeList[] {
  return include === undefined ? [] : [{ path: [...path, "include"], patterns: Array.isArray(include) ? include : [] }];
}

/** Reads the main file and those it includes; `loaded` and `known` are for whoever reads further ones with the same cache. */
export async function loadDocuments(main: string, input: DocumentInput, includes: Includes) {
  const loading = { ...input, main, known: (await input.cache?.read()) ?? new Map<string, string>() };
  const first = await loadFile(main, loading);
  const lists = first.source ? includes(first.source.value) : [];
  const included = first.source
    ? await includedFiles(first.source, lists, input.workspace)
    : { files: [], diagnostics: [] };
  const read = await Promise.all(included.files.map((file) => readUnparsed(file, loading.workspace)));
  input.makeRoom?.(read.reduce((sum, { text }) => sum + text.length, first.text.length));
  const files = [first, ...read.map((file) => parsedFile(file, loading))];
  return {
    sources: files.flatMap(({ source }) => source ?? []),
    texts: files.map(({ text }) => text),
    include: lists.flatMap(({ patterns }) => patterns.map(String)),
    diagnostics: [...included.diagnostics, ...files.flatMap(({ diagnostics }) => diagnostics)],
    complete: included.diagnostics.length === 0 && files.every(({ source }) => source !== undefined),
    parsed: changedCache(files, loading.known),
    hashes: fileHashes(files),
    loaded: files,
    known: loading.known,
  };
}

/** Hashes of files by path, of those with which nothing is wrong. */
export function fileHashes(files: readonly LoadedFile[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.flatMap(({ source, digest, parsed }) => (source && digest && parsed ? [[source.file, digest]] : [])),
  );
}

/** The cache holds what this run used; files that have errors are parsed again each time. */
export function changedCache(
  files: readonly LoadedFile[],
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | undefined {
  const used = new Map(files.flatMap(({ parsed }) => (parsed ? [parsed] : [])));
  const isSame = used.size === known.size && [...used].every(([hash, json]) => known.get(hash) === json);
  return isSame ? undefined : used;
}

interface Loading extends Pick<DocumentInput, "hash"> {
  readonly workspace: Pick<Workspace, "readText">;
  readonly main?: string;
  readonly known: ReadonlyMap<string, string>;
}

/** Reads one file: from the cache, or parsed. */
export async function loadFile(file: string, loading: Loading): Promise<LoadedFile> {
  return parsedFile(await readUnparsed(file, loading.workspace), loading);
}

interface Unparsed extends Pick<Parsed, "file" | "text"> {
  /** The reason why there is no text. */
  readonly problem?: Diagnostic;
}

async function readUnparsed(file: string, workspace: Loading["workspace"]): Promise<Unparsed> {
  try {
    return { file, text: await workspace.readText(file) };
  } catch (error) {
    return { file, text: "", problem: unreadableFile(file, error) };
  }
}

function parsedFile({ file, text, problem }: Unparsed, { hash, known, main }: Omit<Loading, "workspace">): LoadedFile {
  if (problem) return { source: undefined, text, diagnostics: [problem] };
  const digest = hash(text);
  const parsed = { file, text, digest, key: cacheKey(file, text, digest) };
  const json = known.get(parsed.key);
  const cached = json === undefined ? undefined : fromCache({ ...parsed, json });
  return cached ?? parseFile(parsed, file === main);
}

/** The key of a text in the cache: where it names files, its value depends on its folder. */
function cacheKey(file: string, text: string, digest: string): string {
  return mayNameFiles(text) ? `${digest}:${encodeURIComponent(folderOf(file))}` : digest;
}

function unreadableFile(file: string, error: unknown): Diagnostic {
  const detail = error instanceof Error ? error.message : String(error);
  const at = error instanceof WorkspaceError ? error.at : undefined;
  const summary = at === undefined ? `${file} cannot be read` : `${file} is not text`;
  return { severity: "error", code: "LF1002", summary, detail, file, ...at };
}

function parseFile(read: Omit<Parsed, "json">, isMain: boolean): LoadedFile {
  const { file } = read;
  const { value, diagnostics } = parseRebased(read);
  if (value === undefined) return { source: undefined, text: "", diagnostics };
  if (!isObject(value)) {
    return { source: undefined, text: "", diagnostics: [...diagnostics, notAMapping(value, file, isMain)] };
  }
  const loaded = loadedFile({ ...read, json: JSON.stringify(value) }, value);
  if (diagnostics.length === 0) return loaded;
  const { parsed: _, ...uncached } = loaded;
  return { ...uncached, diagnostics };
}

/** A file's value with every `${file:…}` relative to the project folder. */
function parseRebased({ file, text }: Pick<Parsed, "file" | "text">): ReturnType<typeof parseYaml> {
  const folder = folderOf(file);
  const rebased = rebaseYaml(text, folder);
  const parsed = rebased === undefined ? undefined : parseYaml(rebased, file);
  // Problems have their places in the file as it is.
  if (parsed && (rebased === text || parsed.diagnostics.length === 0)) return parsed;
  const { value, diagnostics } = parseYaml(text, file);
  const json = JSON.stringify(value ?? null);
  const moved = rebaseFiles(json, folder);
  return { value: moved === json ? value : (JSON.parse(moved) as Json), diagnostics };
}

interface Parsed {
  readonly file: string;
  readonly text: string;
  readonly digest: string;
  /** The cache's key. */
  readonly key: string;
  readonly json: string;
}

/** A file from the cache; undefined when its entry is damaged. */
function fromCache(parsed: Parsed): LoadedFile | undefined {
  const document: Json | undefined = unlessThrown(() => JSON.parse(parsed.json));
  return isObject(document) ? loadedFile(parsed, document) : undefined;
}

function folderOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
}

/** Positions are needed only for messages, so the file is parsed for them only then. */
function loadedFile({ file, text, digest, key, json }: Parsed, document: JsonObject): LoadedFile {
  const locator = atFirstUse(() => yamlLocator(file, text));
  const locate = (place: DocumentPlace) => locator()(place);
  return { source: { file, value: document, locate }, text: json, digest, diagnostics: [], parsed: [key, json] };
}

function notAMapping(value: Json, file: string, isMain: boolean): Diagnostic {
  const found = value === null ? "nothing" : Array.isArray(value) ? "a list" : "a single value";
  const keys = isMain ? "project, service and testCases" : "testCases and providers";
  const detail = `${file} contains ${found}. A project file must be a mapping with keys such as ${keys}`;
  const summary = `${file} is not ${isMain ? "a project" : "part of a project"}`;
  return { severity: "error", code: "LF1102", summary, detail, file, line: 1, column: 1 };
}

interface Included {
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Every file that a glob matches, once, in order of path; the main file never includes itself. */
async function includedFiles(main: SourceDocument, lists: readonly IncludeList[], workspace: Workspace) {
  const wanted = lists.flatMap(({ path, patterns }) =>
    patterns.map((pattern, index) => ({ pattern, path: [...path, index] })),
  );
  const found = await Promise.all(
    wanted.map(async ({ pattern, path }): Promise<Included> => {
      if (typeof pattern !== "string") return { files: [], diagnostics: [] };
      const matched = await matchesOf(pattern, workspace);
      if (!("code" in matched) && matched.length > 0) return { files: matched, diagnostics: [] };
      const diagnostic = "code" in matched ? matched : await noMatch(pattern, main.file, workspace);
      const place = main.locate({ path, at: "value" });
      return { files: [], diagnostics: [{ ...diagnostic, ...place }] };
    }),
  );
  const files = new Set(found.flatMap((each) => each.files));
  files.delete(main.file);
  return { files: [...files].sort(), diagnostics: found.flatMap(({ diagnostics }) => diagnostics) };
}

async function matchesOf(pattern: string, workspace: Workspace): Promise<readonly string[] | Diagnostic> {
  try {
    return await workspace.glob([pattern]);
  } catch (error) {
    const why = error instanceof WorkspaceError ? "leaves the project" : `${pattern} cannot be searched`;
    return { severity: "error", code: "LF1002", summary: `include ${why}`, detail: String((error as Error).message) };
  }
}

/** Length at which a message cuts a pattern. */
const longest = 200;

async function noMatch(pattern: string, main: string, workspace: Workspace): Promise<Diagnostic> {
  const files = (await workspace.glob(["**/*.yaml", "**/*.yml"])).filter((file) => file !== main);
  const moved = await inNearFolder(pattern, files, workspace);
  const shown = pattern.length > longest ? `${pattern.slice(0, longest)}…` : pattern;
  const detail = `No file matches ${shown}. That is an error, because the objects of a missing file would count as removed${pattern.includes("${") ? ". Nothing is replaced in include" : ""}`;
  const summary = `include ${shown} matches nothing`;
  const found = pattern;
  const hint =
    moved === undefined ? hinted(detail, { found, among: files }) : meaning(detail, { found, instead: moved });
  return { severity: "error", code: "LF1004", summary, ...hint };
}

/** The pattern with the folder that was meant, where it matches something there. */
async function inNearFolder(pattern: string, files: readonly string[], workspace: Workspace) {
  const [, folder = "", rest = ""] = /^([^*?[]*)(\/[^/]*[*?[].*)$/.exec(pattern) ?? [];
  const near = folder === "" ? undefined : nearest(folder, new Set(files.map(folderOf)));
  const moved = near ? `${near}${rest}` : undefined;
  return moved !== undefined && (await workspace.glob([moved])).length > 0 ? moved : undefined;
}
