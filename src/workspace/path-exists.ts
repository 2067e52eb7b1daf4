import { realpathSync } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

const statusOf = (path: string) => stat(path).catch(() => undefined);

/** True for a file or a folder; a link that leads nowhere is neither. */
export async function pathExists(path: string): Promise<boolean> {
  return (await statusOf(path)) !== undefined;
}

/** True where no file can be created under this name: a link that leads nowhere has it, too. */
export async function isTaken(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** True for a regular file, through links too. */
export async function isFile(path: string): Promise<boolean> {
  return (await statusOf(path))?.isFile() === true;
}

/** Bytes of a regular file, through links too; 0 for anything else. */
export async function fileSize(path: string): Promise<number> {
  const status = await statusOf(path);
  return status?.isFile() ? status.size : 0;
}

/** True for a folder, through links too. */
export async function isFolder(path: string): Promise<boolean> {
  return (await statusOf(path))?.isDirectory() === true;
}

/** The names of the folders in a folder; `linked`: of links to such too. */
export async function foldersIn(folder: string, which: "own" | "linked"): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const isMeant = entries.map(async (entry) => {
    if (entry.isDirectory()) return true;
    return which === "linked" && entry.isSymbolicLink() && isFolder(join(folder, entry.name));
  });
  const meant = await Promise.all(isMeant);
  return entries.filter((_, index) => meant[index]).map(({ name }) => name);
}

/** An absolute path with its links resolved; the parts that do not exist yet remain as they are. */
export async function realPlace(path: string): Promise<string> {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(await realPlace(dirname(path)), basename(path));
  }
}

/** True for a glob; a folder may have the name of one. */
export async function isGlob(word: string, cwd: string): Promise<boolean> {
  return /[*?[{]/.test(word) && !(await isFolder(resolve(cwd, word)));
}
