import { constants, readlinkSync, realpathSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** The few file operations that state needs; an argument, so that a test can lose power between any two. */
export interface StateFiles {
  /** Undefined when there is no such file. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Writes a whole file, a new one even where something stands, and syncs it; a link is replaced, never followed. */
  readonly write: (path: string, text: string) => Promise<void>;
  /** Appends and syncs the data. */
  readonly append: (path: string, text: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly syncFolder: (path: string) => Promise<void>;
  /** Creates a file that must not exist; false when it does. */
  readonly createNew: (path: string, text: string) => Promise<boolean>;
  readonly remove: (path: string) => Promise<void>;
  /** The names in a folder; none where there is no folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
}

const freshFile = constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_WRONLY;
const journalFile = constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_WRONLY;

/** The real disk. */
export const diskFiles: StateFiles = {
  read: (path) => readFile(path, "utf8").catch(ifMissing),
  async write(path, text) {
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
    await withFile(path, freshFile, async (file) => {
      await file.writeFile(text);
      await file.sync();
    });
  },
  async append(path, text) {
    await mkdir(dirname(path), { recursive: true });
    await withFile(path, journalFile, async (file) => {
      await file.appendFile(text);
      await file.datasync();
    });
  },
  rename,
  async syncFolder(path) {
    await withFile(path, "r", (folder) => folder.sync());
  },
  async createNew(path, text) {
    await mkdir(dirname(path), { recursive: true });
    try {
      await withFile(path, freshFile, async (file) => {
        await file.writeFile(text);
        await file.sync();
      });
      return true;
    } catch (problem) {
      if (isCode(problem, "EEXIST")) return false;
      throw problem;
    }
  },
  remove: (path) => rm(path, { force: true }),
  list: async (folder) => (await readdir(folder).catch(ifMissing)) ?? [],
};

/** As many as Linux follows. */
const mostLinks = 40;

/** The file that a link means, so that all who come by a link meet at one lock and replace the file, not the link. */
export function behindLink(path: string): string {
  let target = path;
  for (let links = 0; links < mostLinks; links++)
    try {
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
