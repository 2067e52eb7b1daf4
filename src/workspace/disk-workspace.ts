import { closeSync, constants, fstatSync, open, read, readSync } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
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
  const folders = whileAsked(real);
  const limited = fewAtOnce(openFiles);
  const inFolder = async <T>(path: string, use: (place: PlaceInFolder) => Promise<T>): Promise<T> => {
    const spelled = pathInProject(root, path);
    return folders(dirname(spelled), (folder) => use({ folder, name: basename(spelled) }));
  };
  const readBytes = (path: string) =>
    inFolder(path, (place) => limited(async () => (await readPlain(place)) ?? readExplained(await real(path), path)));
  return {
    root,
    readBytes,
    readText: async (path) => sourceText(path, await readBytes(path)),
    glob: (patterns) => glob({ root, real }, patterns),
    writeAtomic: async (path, data) => writeAtomic(await real(path), data),
    exists: (path) => inFolder(path, async (place) => (await isPlainFile(place)) ?? isFile(await real(path))),
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
  const spelled = pathInProject(root, path);
  if (spelled === "") return realRoot;
  const real = await resolveLinks(join(root, spelled));
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

/** Finds a path once for all who ask for it at the same time: its answer is used while one of them does. */
function whileAsked(find: (path: string) => Promise<string>) {
  const known = new Map<string, { users: number; readonly found: Promise<string | undefined> }>();
  return async <T>(path: string, use: (found: Promise<string | undefined>) => Promise<T>): Promise<T> => {
    const entry = known.get(path) ?? { users: 0, found: find(path).catch(() => undefined) };
    known.set(path, entry);
    entry.users++;
    try {
      return await use(entry.found);
    } finally {
      entry.users--;
      if (entry.users === 0) known.delete(path);
    }
  };
}

/** A file by its folder, where that is within the project, links resolved. */
interface PlaceInFolder {
  readonly folder: Promise<string | undefined>;
  readonly name: string;
}

/**
 * The bytes of a regular file, of whose path only the folder has to be resolved; undefined where it is a link, cannot be read, or the
 * system cannot refuse links.
 */
async function readPlain({ folder, name }: PlaceInFolder): Promise<Buffer | undefined> {
  const real = constants.O_NOFOLLOW ? await folder : undefined;
  if (real === undefined) return undefined;
  return readRegularFile(join(real, name), readOnly | constants.O_NOFOLLOW).catch(() => undefined);
}

/** Whether there is a regular file, as far as that can be said without resolving its path. */
async function isPlainFile({ folder, name }: PlaceInFolder): Promise<boolean | undefined> {
  const real = await folder;
  if (real === undefined) return undefined;
  try {
    return (await lstat(join(real, name))).isFile() || undefined;
  } catch (error) {
    return isAbsent(error) ? false : undefined;
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

const [openFile, readPart] = [promisify(open), promisify(read)];

/** The bytes of a regular file; undefined for anything else: a pipe or a device could be read without end. */
async function readRegularFile(path: string, flags = readOnly): Promise<Buffer | undefined> {
  const file = await whenFree(() => openFile(path, flags));
  try {
    const status = fstatSync(file);
    if (status.isDirectory()) throw Object.assign(new Error("EISDIR: it is a folder"), { code: "EISDIR" });
    return status.isFile() ? await readAll(file, status.size) : undefined;
  } finally {
    closeSync(file);
  }
}

/** Bytes that are read at once: a turn of another thread would take longer than reading them. */
const smallSize = 64 * 1024;

/** As large as it said it is; asking once more whether there is more would cost each small file a fourth of its time. */
async function readAll(file: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; ) {
    const [length, isSmall] = [size - at, size <= smallSize];
    const got = isSmall
      ? readSync(file, bytes, at, length, at)
      : (await readPart(file, bytes, at, length, at)).bytesRead;
    if (got === 0) return bytes.subarray(0, at);
    at += got;
  }
  return bytes;
}
