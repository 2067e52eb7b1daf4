import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = ".loadform-tmp-";

/**
 * Runs `use` with a new folder that is removed afterwards, whatever happens. `parent` puts it on the disk of its
 * neighbours, where a rename moves files into place at once.
 */
export async function withTemporaryFolder<T>(use: (path: string) => Promise<T>, parent = tmpdir()): Promise<T> {
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, prefix));
  try {
    return await use(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** Removes the temporary folders of killed processes; no other process may be working in `parent`. */
export async function removeTemporaryFolders(parent: string): Promise<void> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const abandoned = entries.filter((each) => each.isDirectory() && new RegExp(`^\\${prefix}\\w{6}$`).test(each.name));
  for (const { name } of abandoned) await rm(join(parent, name), { recursive: true, force: true });
}
