import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { unlessThrown } from "../model/diagnostic.ts";
import { forEachFew, whenFree } from "./few-at-once.ts";
import { isTaken } from "./path-exists.ts";

/**
 * Replaces a file as a whole: temporary file, fsync, rename, fsync of the folder. After a crash at any point the
 * file has the old or the new content, never a part of it. An existing file keeps its mode; a new one gets `freshMode`.
 */
export async function writeAtomic(path: string, data: string | Uint8Array, freshMode = 0o666): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${basename(path)}.${randomUUID()}.tmp`);
  const mode = await stat(path).then(
    (former) => former.mode & 0o777,
    () => freshMode,
  );
  await movedTo(path, temporary, () => writeDurably(temporary, data, mode));
  await syncFolder(folder);
}

/** Replaces a file as a whole for whoever reads it, and waits for no disk: after a crash of the system it can be lost or damaged. */
export async function replaceFile(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await movedTo(path, temporary, () => writeFile(temporary, data, { mode, flag: "wx" }));
}

/** Moves a temporary file to its place once it is written; none remains after a failure. */
async function movedTo(path: string, temporary: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes a file that is not there yet; its contents are durable then, its name only with those of the folder. */
async function writeDurably(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  const file = await whenFree(() => open(path, "wx", mode));
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder durable. */
async function syncFolder(path: string): Promise<void> {
  const opened = await whenFree(() => open(path, "r"));
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

type Files = ReadonlyMap<string, string | Uint8Array>;

/** Writes files below a folder that nobody looks into before it resolves; their contents are durable then. */
export function writeFolder(folder: string, files: Files): Promise<void> {
  return writeAll(fs, placesIn(folder, files));
}

/** A thread of its own that writes files below a folder while this one goes on: to create thousands of them takes a second. */
export interface FolderWriter {
  /** As {@link writeFolder}, after whatever it was given before. */
  write(files: Files): void;
  /** Resolves when the contents of all files are durable, rejects when one could not be written. */
  end(): Promise<void>;
  /** Ends it, wherever it is. */
  stop(): Promise<unknown>;
}

/** Where no thread can be started, as under a limit of them, this one writes all at the end. */
export async function openFolderWriter(folder: string): Promise<FolderWriter> {
  const { Worker } = await import("node:worker_threads");
  const given: Places[] = [];
  const writeHere = async (failed?: NodeJS.ErrnoException): Promise<void> => {
    if (failed !== undefined && failed.code !== "ERR_WORKER_INIT_FAILED") throw failed;
    for (const each of given) await writeAll(fs, each);
  };
  const thread = unlessThrown(() => new Worker(threadProgram, { eval: true, execArgv: [] }));
  const ended = new Promise<void>((resolve, reject) => {
    thread?.once("error", reject);
    thread?.once("exit", () => resolve());
  });
  // Whoever stops it does not look at how it ended.
  ended.catch(() => undefined);
  return {
    write(files) {
      const places = placesIn(folder, files);
      given.push(places);
      thread?.postMessage(places);
    },
    end() {
      thread?.postMessage("end");
      return thread === undefined ? writeHere() : ended.catch(writeHere);
    },
    stop: async () => thread?.terminate(),
  };
}

/** Folders, parents first, and files by their whole paths. */
interface Places {
  readonly folders: readonly string[];
  readonly files: readonly (readonly [path: string, data: string | Uint8Array])[];
}

function placesIn(folder: string, files: Files): Places {
  // A view of a part is sent to a thread with all of its buffer.
  const own = (data: string | Uint8Array) =>
    typeof data === "string" || data.byteLength === data.buffer.byteLength ? data : new Uint8Array(data);
  const whole = [...files].map(([path, data]) => [join(folder, path), own(data)] as const);
  return { folders: [...new Set([folder, ...whole.map(([path]) => dirname(path))])], files: whole };
}

/**
 * All are written before the first is waited for, so that the disk takes them in one go; then some are waited for at a time. A thread
 * runs the text of this function: it may use its arguments alone.
 */
async function writeAll({ mkdirSync, writeFileSync, promises }: typeof import("node:fs"), { folders, files }: Places) {
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const [path, data] of files) writeFileSync(path, data, { flag: "wx" });
  const waiting = files.values();
  const waitForEach = async () => {
    for (const [path] of waiting) {
      // Some systems want a file to be open for writing.
      const file = await promises.open(path, "r+");
      try {
        await file.sync();
      } finally {
        await file.close();
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, waitForEach));
}

/** A file that cannot be written ends the thread with its error, whatever the process does with rejections that nobody handles. */
const threadProgram = `
  const [fs, { parentPort }] = [require("node:fs"), require("node:worker_threads")];
  let before = Promise.resolve();
  const fail = (failed) => setImmediate(() => { throw failed; });
  parentPort.on("message", (given) => {
    before = before.then(() => (given === "end" ? parentPort.close() : (${writeAll})(fs, given)));
    before.catch(fail);
  });
`;

/**
 * Moves files from one folder, which holds nothing else, into another on the same disk, group by group, each file at once;
 * folders are made when missing. A folder that is missing there is moved as a whole, with the last group of its files.
 * Durable when it resolves, as far as the files' own contents were.
 */
export async function moveFiles(groups: readonly (readonly string[])[], from: string, to: string): Promise<void> {
  const groupOf = new Map(groups.flatMap((group, index) => group.map((path) => [path, index] as const)));
  const whole = await wholeFolders(groupOf, to);
  const single = [...groupOf.keys()].filter((path) => ![...above(path)].some((folder) => whole.has(folder)));
  const folders = new Set(single.map((path) => dirname(join(to, path))));
  await forEachFew(folders, (folder) => mkdir(folder, { recursive: true }));
  for (const index of groups.keys()) {
    const files = single.filter((path) => groupOf.get(path) === index);
    const moved = [...whole].filter(([, last]) => last === index).map(([folder]) => folder);
    await forEachFew([...files, ...moved], (path) => rename(join(from, path), join(to, path)));
  }
  await forEachFew(new Set([...groupOf.keys(), ...whole.keys()].map((path) => dirname(join(to, path)))), syncFolder);
}

/** The highest folders of the files that are missing below `to`, while their own folder is there, and the last group of each. */
async function wholeFolders(groupOf: ReadonlyMap<string, number>, to: string): Promise<ReadonlyMap<string, number>> {
  const last = new Map<string, number>();
  for (const [path, index] of groupOf)
    for (const folder of above(path)) last.set(folder, Math.max(index, last.get(folder) ?? 0));
  const isMissing = new Map<string, boolean>();
  await forEachFew([".", ...last.keys()], async (folder) => isMissing.set(folder, !(await isTaken(join(to, folder)))));
  return new Map([...last].filter(([folder]) => isMissing.get(folder) && !isMissing.get(dirname(folder))));
}

/** The folders of a path from the nearest, but the one that all begin in. */
function* above(path: string): Iterable<string> {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) yield folder;
}
