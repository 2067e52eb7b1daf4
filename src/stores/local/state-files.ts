import { randomUUID } from "node:crypto";
import { constants, lstatSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync } from "node:fs";
import { link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** The few file operations that state needs; an argument, so that a test can lose power between any two. */
export interface StateFiles {
  /** Undefined when there is no such file. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** The file as it is on the disk: to decode a large state costs three times as much as to read and hash it. */
  readonly bytes: (path: string) => Promise<Buffer | undefined>;
  /** When it was last written, epoch milliseconds; undefined when there is no such file. */
  readonly modified: (path: string) => Promise<number | undefined>;
  /** Writes a whole file, a new one even where something is, and syncs it; a link is replaced, never followed. */
  readonly write: (path: string, text: string) => Promise<void>;
  readonly append: (path: string, text: string) => Promise<void>;
  readonly syncFolder: (path: string) => Promise<void>;
  /** Creates a file that must not exist, whole or not at all; false when it exists. */
  readonly createNew: (path: string, text: string) => Promise<boolean>;
  readonly remove: (path: string) => Promise<void>;
  /** The names in a folder; none where there is no folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /**
   * Takes a step if a file still says what it should, and nothing of this process happens in between: one that is stopped
   * after the look takes its step much later. False when the file says something else.
   */
  readonly stepIf: (guard: FileGuard, step: FileStep) => Promise<boolean>;
}

/** The content that a file must have. */
export interface FileGuard {
  readonly path: string;
  /** Undefined when there is no such file. */
  readonly says: (text: string | undefined) => boolean;
}

/** A change of names. */
export type FileStep = { readonly rename: string; readonly to: string } | { readonly remove: string };

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const newFile = O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY;
const journalFile = O_CREAT | O_APPEND | O_NOFOLLOW | O_WRONLY;

export const diskFiles: StateFiles = {
  read: async (path) => readSync(path)?.toString("utf8"),
  bytes: async (path) => readSync(path),
  modified: (path) => stat(path).then(({ mtimeMs }) => mtimeMs, ifMissing),
  async write(path, text) {
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
    await writeWhole(path, newFile, text);
  },
  async append(path, text) {
    await mkdir(dirname(path), { recursive: true });
    await withFile(path, journalFile, async (file) => {
      await file.appendFile(text);
      await file.datasync();
    });
  },
  async syncFolder(path) {
    await withFile(path, "r", (folder) => folder.sync());
  },
  async createNew(path, text) {
    await mkdir(dirname(path), { recursive: true });
    const temporary = `${path}.${randomUUID()}.tmp`;
    try {
      await writeWhole(temporary, newFile, text);
      await link(temporary, path);
      return true;
    } catch (problem) {
      if (isCode(problem, "EEXIST")) return false;
      if (linkless.some((code) => isCode(problem, code))) return createInPlace(path, text);
      throw problem;
    } finally {
      await removeFile(temporary);
    }
  },
  remove: (path) => removeFile(path),
  list: async (folder) => (await readdir(folder).catch(ifMissing)) ?? [],
  async stepIf({ path, says }, step) {
    if (!says(readSync(path)?.toString("utf8"))) return false;
    if ("remove" in step) rmSync(step.remove, { force: true });
    else renameSync(step.rename, step.to);
    return true;
  },
};

/** Error codes of a file system without hard links. */
const linkless = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EACCES"];

/** For file systems without hard links: a crash in between leaves an empty file. */
async function createInPlace(path: string, text: string): Promise<boolean> {
  let isMade = false;
  try {
    await withFile(path, newFile, async (file) => {
      isMade = true;
      await writeAndSync(file, text);
    });
    return true;
  } catch (problem) {
    if (isMade) await removeFile(path);
    else if (isCode(problem, "EEXIST")) return false;
    throw problem;
  }
}

function readSync(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (problem) {
    return ifMissing(problem);
  }
}

function removeFile(path: string): Promise<void> {
  return rm(path, { force: true });
}

function writeWhole(path: string, flags: number, text: string): Promise<void> {
  return withFile(path, flags, (file) => writeAndSync(file, text));
}

async function writeAndSync(file: OpenFile, text: string): Promise<void> {
  await file.writeFile(text);
  await file.sync();
}

/** As many as Linux follows. */
const mostLinks = 40;

/** The file that a link means, so that all who come by a link meet at one lock and replace the file, not the link. */
export function behindLink(path: string): string {
  let target = path;
  for (let links = 0; links < mostLinks; links++)
    try {
      if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return target;
      target = resolve(realpathSync(dirname(target)), readlinkSync(target));
    } catch {
      return target;
    }
  return path;
}

type OpenFile = Awaited<ReturnType<typeof open>>;

async function withFile(path: string, flags: string | number, use: (file: OpenFile) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await use(file);
  } finally {
    await file.close();
  }
}

function ifMissing(problem: unknown): undefined {
  if (isCode(problem, "ENOENT")) return undefined;
  throw problem;
}

function isCode(problem: unknown, code: string): boolean {
  return typeof problem === "object" && problem !== null && "code" in problem && problem.code === code;
}
