import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isFolder, isTaken } from "./path-exists.ts";

/** Which of these paths cannot be created below a folder: they exist, or there is a file where a folder is needed. */
export async function pathsInTheWay(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  if (await isNoFolder(folder)) return ["."];
  const found = new Set<string>();
  /** Paths in the way, and folders that are not there: nothing else is looked for below them. */
  const closed = new Set<string>();
  for (const parent of new Set(paths.flatMap(parentsOf))) {
    if (isBlocked(parent, closed)) continue;
    const isThere = await isTaken(join(folder, parent));
    if (isThere && (await isNoFolder(join(folder, parent)))) found.add(parent);
    if (!isThere || found.has(parent)) closed.add(parent);
  }
  for (const path of paths) if (!isBlocked(path, closed) && (await isTaken(join(folder, path)))) found.add(path);
  return [...found];
}

/** Writes new files below a folder, which is made when missing. None is overwritten; after a failure none of them remains. */
export async function addFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const written: string[] = [];
  try {
    for (const [path, text] of files) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text, { flag: "wx" });
      written.push(target);
    }
  } catch (error) {
    for (const target of written) await rm(target, { force: true });
    throw error;
  }
}

/** The folders that a path needs, outermost first. */
function parentsOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, length) => parts.slice(0, length + 1).join("/"));
}

function isBlocked(path: string, by: ReadonlySet<string>): boolean {
  return parentsOf(path).some((parent) => by.has(parent));
}

async function isNoFolder(path: string): Promise<boolean> {
  return (await isTaken(path)) && !(await isFolder(path));
}
