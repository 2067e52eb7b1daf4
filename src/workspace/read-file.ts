import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { whenFree } from "./few-at-once.ts";

/** No wait for a writer, should it be a pipe. */
const readOnly = constants.O_RDONLY | constants.O_NONBLOCK;

/** The bytes of a regular file; undefined for what is none: a pipe or a device could be read without end. */
export async function readRegularFile(path: string): Promise<Buffer | undefined> {
  const file = await whenFree(() => open(path, readOnly));
  try {
    const status = await file.stat();
    if (status.isDirectory()) throw Object.assign(new Error("EISDIR: it is a folder"), { code: "EISDIR" });
    return status.isFile() ? await readAll(file, status.size) : undefined;
  } finally {
    await file.close();
  }
}

/** As large as it said it is; asking once more whether there is more would cost each small file a fourth of its time. */
async function readAll(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(bytes, at, size - at, at);
    if (bytesRead === 0) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}
