import { open } from "node:fs/promises";
import { whenFree } from "./few-at-once.ts";

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await whenFree(() => open(path, "r"));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
