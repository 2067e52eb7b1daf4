import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fewAtOnce, whenFree } from "./few-at-once.ts";
import type { FileMatcher } from "./match-files.ts";
import type { Workspace } from "./workspace.ts";
import { missingError, outsideError, pathInProject, sourceText, WorkspaceError } from "./workspace.ts";
import { writeAtomic } from "./write-files.ts";

/** Files of a project that are read at the same time. */
const openFiles = 32;

/** The workspace of a folder on disk. Symbolic links are followed as long as they stay inside it. */
export function diskWorkspace(folder: string): Workspace {
  const root = resolve(folder);
  let resolvedRoot: Promise<string> | undefined;
  const real = async (path: string) => {
    resolvedRoot ??= resolveLinks(root);
    return realPath({ root, realRoot: await resolvedRoot }, path);
  };
  const limited = fewAtOnce(openFiles);
  const readBytes = (path: string) => limited(async () => readExplained(await real(path), path));
  return {
    root,
    readBytes,
    readText: async (path) => sourceText(path, await readBytes(path)),
    glob: (patterns) => glob({ root, real }, patterns),
    writeAtomic: async (path, data) => writeAtomic(await real(path), data),
    exists: async (path) => isFile(await real(path)),
  };
}

/** The folder, and where a path in it really is. */
interface ResolvedFolder {
  readonly root: string;
  real(path: string): Promise<string>;
}

/** Where a path really is, links resolved; the parts that do not exist yet remain as written. */
async function realPath(folder: { readonly root: string; readonly realRoot: string }, path: string): Promise<string> {
  const { root, realRoot } = folder;
  const real = await resolveLinks(join(root, pathInProject(root, path)));
  const within = realRoot.endsWith(sep) ? realRoot : realRoot + sep;
  if (real !== realRoot && !real.startsWith(within)) throw outsideError(path);
  return real;
}

async function resolveLinks(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    const parent = dirname(absolute);
    if (!isAbsent(error) || parent === absolute) throw error;
    return join(await resolveLinks(parent), relative(parent, absolute));
  }
}

async function readExplained(real: string, path: string): Promise<Buffer> {
  const bytes = await readRegularFile(real).catch((error: unknown) => {
    if (isAbsent(error)) throw missingError(path, error);
    const reason = hasCode(error, "EISDIR") ? "is a folder" : `cannot be read (${String((error as Error).message)})`;
    throw unreadable(path, reason, error);
  });
  if (bytes === undefined) throw unreadable(path, "is a pipe, socket or device");
  return bytes;
}

function unreadable(path: string, why: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError(path, `${path} ${why}: name a file that can be read`, { cause });
}

async function isFile(real: string): Promise<boolean> {
  try {
    return (await stat(real)).isFile();
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

async function glob(place: ResolvedFolder, patterns: readonly string[]): Promise<readonly string[]> {
  const { fileMatcher } = await import("./match-files.ts");
  const found = new Set<string>();
  for (const pattern of patterns)
    for (const path of await filesMatching(place, fileMatcher(pathInProject(place.root, pattern)))) found.add(path);
  return [...found].sort();
}

async function filesMatching(place: ResolvedFolder, matcher: FileMatcher): Promise<readonly string[]> {
  if (!matcher.isPlain) return filesBelow(place, matcher.base, matcher);
  return (await isFile(await place.real(matcher.base))) ? [matcher.base] : [];
}

async function filesBelow(place: ResolvedFolder, folder: string, matcher: FileMatcher): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await entriesOf(join(place.root, folder))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (matcher.enters(path)) found.push(...(await filesBelow(place, path, matcher)));
    } else if (matcher.matches(path) && (entry.isFile() || (await isFile(await place.real(path))))) found.push(path);
  }
  return found;
}

async function entriesOf(folder: string) {
  try {
    return await whenFree(() => readdir(folder, { withFileTypes: true }));
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR");
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** No wait for a writer, should it be a pipe. */
const readOnly = constants.O_RDONLY | constants.O_NONBLOCK;

/** The bytes of a regular file; undefined for anything else: a pipe or a device could be read without end. */
async function readRegularFile(path: string): Promise<Buffer | undefined> {
  const file = await whenFree(() => open(path, readOnly));
  try {
    const status = await file.stat();
    if (status.isDirectory()) throw Object.assign(new Error("EISDIR: it is a folder"), { code: "EISDIR" });
    return status.isFile() ? await readAll(file, status.size) : undefined;
  } finally {
    await file.close();
  }
}

/** As large as it said it is; asking once more whether there is more would cost each small file a fourth of its time. */
async function readAll(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(bytes, at, size - at, at);
    if (bytesRead === 0) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}
