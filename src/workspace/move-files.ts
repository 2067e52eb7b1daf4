import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Moves files from one folder into another on the same disk, in this order, each at once; folders are made when
 * missing. Durable when it resolves, as far as the files' own contents were.
 */
export async function moveFiles(paths: readonly string[], from: string, to: string): Promise<void> {
  const folders = new Set<string>();
  for (const path of paths) {
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true });
    await rename(join(from, path), target);
    folders.add(dirname(target));
  }
  for (const folder of folders) await syncFolder(folder);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
