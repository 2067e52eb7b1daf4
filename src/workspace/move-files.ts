import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inBatches } from "./in-batches.ts";
import { syncFolder } from "./sync-folder.ts";

/**
 * Moves files from one folder into another on the same disk, group by group, each file at once; folders are made when
 * missing. Durable when it resolves, as far as the files' own contents were.
 */
export async function moveFiles(groups: readonly (readonly string[])[], from: string, to: string): Promise<void> {
  const folders = new Set(groups.flat().map((path) => dirname(join(to, path))));
  await inBatches(folders, (folder) => mkdir(folder, { recursive: true }));
  for (const group of groups) await inBatches(group, (path) => rename(join(from, path), join(to, path)));
  await inBatches(folders, syncFolder);
}
