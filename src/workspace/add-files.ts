import { lstat, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Which of these paths cannot be made below a folder: something stands there, or a file where a folder is needed. */
export async function pathsInTheWay(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  if (await isNoFolder(folder)) return ["."];
  const found = new Set<string>();
  for (const path of paths) {
    const blocked = await obstacle(folder, path);
    if (blocked !== undefined) found.add(blocked);
  }
  return [...found];
}

/** Writes new files below a folder, which is made when missing. None is overwritten; after a failure none of them is left. */
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

async function obstacle(folder: string, path: string): Promise<string | undefined> {
  const parts = path.split("/");
  for (let length = 1; length < parts.length; length++) {
    const parent = parts.slice(0, length).join("/");
    if (await isNoFolder(join(folder, parent))) return parent;
  }
  return (await exists(join(folder, path))) ? path : undefined;
}

async function isNoFolder(path: string): Promise<boolean> {
  if (!(await exists(path))) return false;
  return stat(path).then(
    (status) => !status.isDirectory(),
    () => true,
  );
}

/** A link that leads nowhere is something, too. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
