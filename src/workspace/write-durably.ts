import { open } from "node:fs/promises";
import { whenFree } from "./few-at-once.ts";

/** Writes a file that is not there yet; its contents are durable then, its name only with those of the folder. */
export async function writeDurably(path: string, data: string | Uint8Array, mode = 0o666): Promise<void> {
  const file = await whenFree(() => open(path, "wx", mode));
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}
