import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { syncFolder } from "./sync-folder.ts";
import { writeDurably } from "./write-durably.ts";

/**
 * Replaces a file as a whole: temporary file, fsync, rename, fsync of the folder. After a crash at any point the
 * old or the new content stands there, never a part. An existing file keeps its mode; a new one gets `freshMode`.
 */
export async function writeAtomic(path: string, data: string | Uint8Array, freshMode = 0o666): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    await writeDurably(temporary, data, await modeOf(path, freshMode));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function modeOf(path: string, freshMode: number): Promise<number> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch {
    return freshMode;
  }
}
