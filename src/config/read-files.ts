import { posix } from "node:path";
import { type Suggestion, thrownWords } from "../model/diagnostic.ts";
import { type Hinted, meaning, nearest } from "../model/did-you-mean.ts";
import type { Hash } from "../model/fingerprint.ts";
import { atFirstUse } from "../model/group-by.ts";
import { utf8Text } from "../model/tree.ts";
import { leadsOut, workTreeFiles } from "../workspace/work-tree.ts";
import { mainFile, programFile, type Workspace } from "../workspace/workspace.ts";

/** A file that `${file:…}` names: its bytes, or why there are none. */
interface FileContent {
  readonly bytes: Uint8Array | undefined;
  readonly failure?: Hinted;
  /** The bytes as text, exactly; undefined when they are no UTF-8. */
  text(): string | undefined;
}

/** Contents by the path as written in `${file:…}`, relative to the project folder. */
export type FileContents = ReadonlyMap<string, FileContent>;

const fileReference = /(?<!\$)\$\{file:([^}]*)\}/g;

/** Reads every file that the documents (as JSON text) refer to; `made` are those that exist nowhere else. */
export async function readFiles(
  workspace: Workspace,
  documents: readonly string[],
  made: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<FileContents> {
  const named = documents.flatMap((json) => [...json.matchAll(fileReference)].map(([, path]) => withoutEscapes(path)));
  const paths = new Set(named.filter((path) => !made.has(path)));
  // Only a hint: a folder that may not be read must not hide the real problem.
  const list = atFirstUse(() => workspace.glob(["**/*"]).catch(() => []));
  const read = await Promise.all([...paths].map((path) => readFile({ workspace, list }, path)));
  const contents = [...paths].flatMap((path, index) => (read[index] ? [[path, read[index]] as const] : []));
  return new Map([...contents, ...[...made].map(([path, bytes]) => [path, fileContent(bytes)] as const)]);
}

/** Reads the files that a project names, and those that its modules name: these may be anywhere in the work tree. */
export async function readContents(
  workspace: Workspace,
  entry: {
    readonly texts: readonly string[];
    readonly files?: ReadonlyMap<string, Uint8Array>;
    readonly modules?: { readonly text: string };
  },
): Promise<FileContents> {
  const own = await readFiles(workspace, entry.texts, entry.files);
  if (entry.modules === undefined) return own;
  const theirs = await readFiles({ ...workspace, ...workTreeFiles(workspace) }, [entry.modules.text]);
  return new Map([...theirs, ...own]);
}

/** The path as the parsed document holds it: JSON escapes undone. */
function withoutEscapes(escaped: string | undefined): string {
  const text = escaped ?? "";
  return text.includes("\\") ? String(JSON.parse(`"${text}"`)) : text;
}

async function readFile(
  { workspace, list }: { readonly workspace: Workspace; readonly list: () => Promise<readonly string[]> },
  path: string,
): Promise<FileContent> {
  try {
    return fileContent(await workspace.readBytes(path));
  } catch (error) {
    const said = thrownWords(error);
    const isMissing = !(await workspace.exists(path).catch(() => true));
    const instead = isMissing ? nearFile(posix.normalize(path), await list()) : undefined;
    const failure = instead === undefined ? { detail: said } : meaning(said, { found: path, instead });
    return { bytes: undefined, failure, text: () => undefined };
  }
}

/** A file of nearly the same path, or else of the same name in another folder; none for a path out of the listed folder. */
export function nearFile(path: string, files: readonly string[]): string | undefined {
  if (leadsOut(path)) return undefined;
  const name = posix.basename(path);
  return nearest(path, files) ?? files.find((file) => file === name || file.endsWith(`/${name}`));
}

/** A hint at a path as a file writes it: relative to its own folder. */
export function asWrittenIn(file: string, { found, instead }: Suggestion): Suggestion {
  const written = (path: string) => (path.startsWith("/") ? path : posix.relative(posix.dirname(file), path));
  return { found: written(found), instead: written(instead) };
}

/** A content that decodes itself once, when text is asked for: many objects may name one file. A byte order mark is part of the text: nothing is changed. */
function fileContent(bytes: Uint8Array): FileContent {
  return { bytes, text: atFirstUse(() => utf8Text(bytes)) };
}

const relativeFile = /(?<!\$)\$\{file:(?!\/)/g;

/** Makes the `${file:…}` of a file in `folder` relative to the project folder; works on JSON text. */
export function rebaseFiles(json: string, folder: string): string {
  if (folder === "" || !json.includes("${file:")) return json;
  return json.replace(relativeFile, () => `\${file:${JSON.stringify(folder).slice(1, -1)}/`);
}

/**
 * The same for a file's YAML before it is parsed; undefined where an escape could spell a part of it, or where the folder's name
 * could be read otherwise.
 */
export function rebaseYaml(yaml: string, folder: string): string | undefined {
  if (folder === "" || !mayNameFiles(yaml)) return yaml;
  if (yaml.includes("\\") || !/^[\w./-]+$/.test(folder)) return undefined;
  return yaml.replace(relativeFile, () => `\${file:${folder}/`);
}

/** False of a YAML text whose value is the same in every folder: an escape may spell a part of `${file:…}`. */
export function mayNameFiles(yaml: string): boolean {
  return yaml.includes("${file:") || yaml.includes("\\");
}

/** The files that a YAML project was read from, as hashes of their bytes by path. */
export interface InputFiles {
  /** Patterns of the main file. */
  readonly include: readonly string[];
  /** The main file and those it includes. */
  readonly documents: Readonly<Record<string, string>>;
  /** Files of modules that they use. */
  readonly modules?: Readonly<Record<string, string>>;
  /** The contents named by `${file:…}`, by the path as it is written. */
  readonly contents: Readonly<Record<string, string>>;
}

/** The hashes of contents; undefined where one could not be read. */
export function contentHashes(files: FileContents, hash: Hash): InputFiles["contents"] | undefined {
  const hashes: Record<string, string> = {};
  for (const [path, { bytes }] of files) {
    if (bytes === undefined) return undefined;
    hashes[path] = hash(bytes);
  }
  return hashes;
}

/** True where a project would be read from the same files with the same bytes. Nothing of them is parsed. */
export async function areSameFiles(files: InputFiles, workspace: Workspace, hash: Hash): Promise<boolean> {
  const { include, documents, modules = {}, contents } = files;
  try {
    if (await workspace.exists(programFile)) return false;
    const found = new Set([mainFile, ...(await workspace.glob(include))]);
    if (found.size !== Object.keys(documents).length) return false;
    if (![...found].every((path) => Object.hasOwn(documents, path))) return false;
    const all = [documents, modules, contents].flatMap((each) => Object.entries(each));
    const reader = workTreeFiles(workspace);
    const same = await Promise.all(all.map(async ([path, known]) => hash(await reader.readBytes(path)) === known));
    return !same.includes(false);
  } catch {
    // A file that cannot be read is explained where the project is loaded.
    return false;
  }
}
