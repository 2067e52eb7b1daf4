import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  open,
  openSync,
  read,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { unlessThrown } from "../model/diagnostic.ts";
import { getOrMake, groupBy } from "../model/group-by.ts";
import { fewAtOnce, whenFree } from "./few-at-once.ts";
import type { FileMatcher } from "./match-files.ts";
import { missingError, outsideError, pathInProject, sourceText, type Workspace, WorkspaceError } from "./workspace.ts";
import { writeAtomic } from "./write-files.ts";

const openFiles = 32;

/** The workspace of a folder on disk. Symbolic links are followed as long as they stay inside it. */
export function diskWorkspace(folder: string): Workspace {
  const root = resolve(folder);
  let resolvedRoot: string | undefined;
  const realRoot = () => (resolvedRoot ??= resolveLinks(root));
  const real = (path: string) => realPath({ root, realRoot: realRoot() }, path);
  const limited = fewAtOnce(openFiles);
  const realFolder = onceAMoment((folder) => (folder === "" ? realRoot() : real(folder)));
  const fileAt = (path: string): FileInFolder => {
    const inProject = pathInProject(root, path);
    const cut = inProject.lastIndexOf("/");
    return { path, folder: realFolder(inProject.slice(0, Math.max(0, cut))), name: inProject.slice(cut + 1), real };
  };
  const place = { root, limited, real, fileAt };
  const readBytes = async (path: string) => {
    const file = fileAt(path);
    return readAtOnce(file) ?? limited(() => readExplained(file));
  };
  return {
    root,
    readBytes,
    readText: async (path) => sourceText(path, await readBytes(path)),
    glob: (patterns) => glob(place, patterns),
    writeAtomic: async (path, data) => writeAtomic(real(path), data),
    exists: async (path) => isFileWithin(fileAt(path)),
  };
}

/** The text of a file by its path alone. */
export function readTextFile(path: string): Promise<string> {
  return diskWorkspace(dirname(path))
    .readText(basename(path))
    .catch((thrown: unknown) => {
      const { cause } = thrown as Error;
      throw isAbsent(cause) ? new WorkspaceError(path, `There is no file ${path}: check the path`, { cause }) : thrown;
    });
}

interface ResolvedFolder {
  readonly root: string;
  readonly limited: ReturnType<typeof fewAtOnce>;
  real(path: string): string;
  fileAt(path: string): FileInFolder;
}

/** A file by its folder, which was resolved just now. */
interface FileInFolder extends Pick<ResolvedFolder, "real"> {
  /** As it was asked for. */
  readonly path: string;
  /** Undefined where something is wrong with the folder, which is said of the path. */
  readonly folder: string | undefined;
  readonly name: string;
}

/** Finds a path once for all who ask for it at the same moment, for it may be another one later. */
function onceAMoment(find: (path: string) => string) {
  const known = new Map<string, string>();
  return (path: string): string | undefined => {
    if (known.size === 0) queueMicrotask(() => known.clear());
    return unlessThrown(() => getOrMake(known, path, () => find(path)));
  };
}

/** Where a path really is, links resolved; the parts that do not exist yet remain as written. */
function realPath(folder: { readonly root: string; readonly realRoot: string }, path: string): string {
  const { root, realRoot } = folder;
  const real = resolveLinks(`${root}/${pathInProject(root, path)}`);
  const within = realRoot.endsWith(sep) ? realRoot : realRoot + sep;
  if (real !== realRoot && !real.startsWith(within)) throw outsideError(path);
  return real;
}

function resolveLinks(absolute: string): string {
  try {
    return realpathSync.native(absolute);
  } catch (error) {
    const parent = dirname(absolute);
    if (!isAbsent(error) || parent === absolute) throw error;
    return join(resolveLinks(parent), relative(parent, absolute));
  }
}

/** Bytes that are read at once: a turn of another thread would take longer than reading them. */
const smallSize = 64 * 1024;
/** Seconds that this process waits for a disk altogether; a slow one is then asked for several files at the same time. */
const patienceSecs = 0.1;
let waitedSecs = 0;

/** The bytes of a small regular file at hand, without a turn of another thread; undefined for anything else. */
function readAtOnce({ folder, name }: FileInFolder): Buffer | undefined {
  if (folder === undefined || waitedSecs > patienceSecs) return undefined;
  let descriptor: number | undefined;
  try {
    const before = process.uptime();
    descriptor = openSync(`${folder}/${name}`, readOnly | constants.O_NOFOLLOW);
    waitedSecs += process.uptime() - before;
    const status = fstatSync(descriptor);
    if (!status.isFile() || status.size > smallSize) return undefined;
    const bytes = Buffer.allocUnsafe(status.size);
    return readSync(descriptor, bytes, 0, bytes.length, 0) === bytes.length ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

async function readExplained(file: FileInFolder): Promise<Buffer> {
  const { path } = file;
  const bytes = await readWithin(file).catch((error: unknown) => {
    if (error instanceof WorkspaceError) throw error;
    if (isAbsent(error)) throw missingError(path, error);
    const reason = hasCode(error, "EISDIR") ? "is a folder" : `cannot be read (${String((error as Error).message)})`;
    throw unreadable(path, reason, error);
  });
  if (bytes === undefined) throw unreadable(path, "is a pipe, socket or device");
  return bytes;
}

/** Most files are no links: one in a folder that was looked at is opened as it is, and only a link is resolved. */
async function readWithin({ path, folder, name, real }: FileInFolder): Promise<Buffer | undefined> {
  const resolved = async () => readRegularFile(real(path), readOnly);
  if (folder === undefined) return resolved();
  return readRegularFile(join(folder, name), readOnly | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (!hasCode(error, "ELOOP")) throw error;
    return resolved();
  });
}

async function isFileWithin({ path, folder, name, real }: FileInFolder): Promise<boolean> {
  if (folder === undefined) return isFile(real(path));
  const status = ifThere(() => lstatSync(`${folder}/${name}`, { throwIfNoEntry: false }));
  return status?.isSymbolicLink() ? isFile(real(path)) : status?.isFile() === true;
}

function unreadable(path: string, why: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError(path, `${path} ${why}: name a file that can be read`, { cause });
}

function isFile(real: string): boolean {
  return ifThere(() => statSync(real, { throwIfNoEntry: false }))?.isFile() === true;
}

/** Undefined where the path leads through a file. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function glob(place: ResolvedFolder, patterns: readonly string[]): Promise<readonly string[]> {
  const { fileMatcher } = await import("./match-files.ts");
  const matchers = patterns.map((pattern) => fileMatcher(pathInProject(place.root, pattern)));
  const plain = matchers.map(async ({ isPlain, base }) =>
    isPlain && (await isFileWithin(place.fileAt(base))) ? [base] : [],
  );
  const below = groupBy(
    matchers.filter(({ isPlain }) => !isPlain),
    ({ base }) => base,
  );
  const walks = [...below].map(([base, together]) =>
    filesBelow(place, base, {
      matches: (path) => together.some((each) => each.matches(path)),
      enters: (folder) => together.some((each) => each.enters(folder)),
    }),
  );
  return [...new Set((await Promise.all([...plain, ...walks])).flat())].sort();
}

async function filesBelow(place: ResolvedFolder, folder: string, wanted: Pick<FileMatcher, "matches" | "enters">) {
  const entries = await place.limited(() =>
    whenFree(async () => ifThere(() => readdirSync(join(place.root, folder), { withFileTypes: true })) ?? []),
  );
  const found = entries.map(async (entry): Promise<readonly string[]> => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return wanted.enters(path) ? filesBelow(place, path, wanted) : [];
    if (!wanted.matches(path)) return [];
    // A link to nothing is to be missed, or what its file declares would count as removed.
    const isLinked = () => ifThere(() => statSync(place.real(path), { throwIfNoEntry: false }))?.isFile() ?? true;
    return entry.isFile() || (entry.isSymbolicLink() && isLinked()) ? [path] : [];
  });
  return (await Promise.all(found)).flat();
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

async function readAll(descriptor: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await readPart(descriptor, bytes, at, size - at, at);
    if (bytesRead === 0) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}
