import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs `use` with a fresh folder that is gone afterwards, whatever happens. `parent` keeps it on the disk of its
 * neighbours, where a rename moves files into place at once.
 */
export async function withTemporaryFolder<T>(use: (path: string) => Promise<T>, parent = tmpdir()): Promise<T> {
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, ".loadform-"));
  try {
    return await use(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
