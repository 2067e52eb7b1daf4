import { closeSync, constants, fstatSync, open, read } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { groupBy } from "../model/group-by.ts";
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
  const realRoot = () => {
    resolvedRoot ??= resolveLinks(root);
    return resolvedRoot;
  };
  const real = async (path: string) => realPath({ root, realRoot: await realRoot() }, path);
  const limited = fewAtOnce(openFiles);
  const place = { root, limited, real };
  const folders = new Map<string, Promise<string>>();
  const realFolder = (folder: string) => {
    const known = folders.get(folder) ?? (folder === "." ? realRoot() : real(folder));
    folders.set(folder, known);
    return known;
  };
  const readBytes = (path: string) => limited(() => readExplained({ ...place, realFolder }, path));
  return {
    root,
    readBytes,
    readText: async (path) => sourceText(path, await readBytes(path)),
    glob: (patterns) => glob(place, patterns),
    writeAtomic: async (path, data) => writeAtomic(await real(path), data),
    exists: (path) => isFileWithin({ ...place, realFolder }, path),
  };
}

/** The folder, and where a path in it really is. */
interface ResolvedFolder {
  readonly root: string;
  /** A few of what it is given at a time. */
  readonly limited: ReturnType<typeof fewAtOnce>;
  real(path: string): Promise<string>;
}

/** The same with the folders in it looked at once. */
interface ReadFolder extends ResolvedFolder {
  realFolder(folder: string): Promise<string>;
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

async function readExplained(place: ReadFolder, path: string): Promise<Buffer> {
  const bytes = await readWithin(place, path).catch((error: unknown) => {
    if (error instanceof WorkspaceError) throw error;
    if (isAbsent(error)) throw missingError(path, error);
    const reason = hasCode(error, "EISDIR") ? "is a folder" : `cannot be read (${String((error as Error).message)})`;
    throw unreadable(path, reason, error);
  });
  if (bytes === undefined) throw unreadable(path, "is a pipe, socket or device");
  return bytes;
}

/** Most files are no links: one in a folder that was looked at is opened as it is, and only a link is resolved. */
async function readWithin(place: ReadFolder, path: string): Promise<Buffer | undefined> {
  const resolved = async () => readRegularFile(await place.real(path), readOnly);
  const plain = await plainPath(place, path);
  if (plain === undefined) return resolved();
  return readRegularFile(plain, readOnly | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (!hasCode(error, "ELOOP")) throw error;
    return resolved();
  });
}

/** Where a path is if it is no link itself; undefined where something is wrong with its folder, which is said of the path. */
async function plainPath({ root, realFolder }: ReadFolder, path: string): Promise<string | undefined> {
  const inProject = pathInProject(root, path);
  const folder = await realFolder(posix.dirname(inProject)).catch(() => undefined);
  return folder === undefined ? undefined : join(folder, posix.basename(inProject));
}

async function isFileWithin(place: ReadFolder, path: string): Promise<boolean> {
  const plain = await plainPath(place, path);
  if (plain === undefined) return isFile(await place.real(path));
  const status = await lstat(plain).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
    return undefined;
  });
  return status?.isSymbolicLink() ? isFile(await place.real(path)) : status?.isFile() === true;
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
  const matchers = patterns.map((pattern) => fileMatcher(pathInProject(place.root, pattern)));
  const plain = matchers.filter(({ isPlain }) => isPlain).map(async ({ base }) => plainFile(place, base));
  const below = groupBy(
    matchers.filter(({ isPlain }) => !isPlain),
    ({ base }) => base,
  );
  const walks = [...below].map(([base, together]) => filesBelow(place, base, wantedByAny(together)));
  return [...new Set((await Promise.all([...plain, ...walks])).flat())].sort();
}

async function plainFile(place: ResolvedFolder, path: string): Promise<readonly string[]> {
  return (await isFile(await place.real(path))) ? [path] : [];
}

type Wanted = Pick<FileMatcher, "matches" | "enters">;

/** Matches what one of them does. */
function wantedByAny(matchers: readonly FileMatcher[]): Wanted {
  return {
    matches: (path) => matchers.some((each) => each.matches(path)),
    enters: (folder) => matchers.some((each) => each.enters(folder)),
  };
}

async function filesBelow(place: ResolvedFolder, folder: string, wanted: Wanted): Promise<readonly string[]> {
  const entries = await place.limited(() => entriesOf(join(place.root, folder)));
  const found = entries.map(async (entry): Promise<readonly string[]> => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return wanted.enters(path) ? filesBelow(place, path, wanted) : [];
    if (!wanted.matches(path)) return [];
    return entry.isFile() || (await isFile(await place.real(path))) ? [path] : [];
  });
  return (await Promise.all(found)).flat();
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

/**
 * The bytes of a regular file; undefined for anything else: a pipe or a device could be read without end. Only what may wait for a disk
 * is asynchronous: a file handle of promises costs a small file three times as much.
 */
async function readRegularFile(path: string, flags: number): Promise<Buffer | undefined> {
  const descriptor = await whenFree(() => openFile(path, flags));
  try {
    const status = fstatSync(descriptor);
    if (status.isDirectory()) throw Object.assign(new Error("EISDIR: it is a folder"), { code: "EISDIR" });
    return status.isFile() ? await readAll(descriptor, status.size) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

const [openFile, readPart] = [promisify(open), promisify(read)];

/** As large as it said it is; asking once more whether there is more would cost each small file a fourth of its time. */
async function readAll(descriptor: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await readPart(descriptor, bytes, at, size - at, at);
    if (bytesRead === 0) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}
