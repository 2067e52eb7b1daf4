import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inBatches } from "./in-batches.ts";
import { writeDurably } from "./write-durably.ts";

/** Writes files below a folder that nobody looks into before it resolves; their contents are durable then. */
export async function writeFolder(folder: string, files: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  const folders = new Set([...files.keys()].map((path) => dirname(join(folder, path))));
  await inBatches(folders, (each) => mkdir(each, { recursive: true }));
  await inBatches(files, ([path, data]) => writeDurably(join(folder, path), data));
}
