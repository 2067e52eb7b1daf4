import { importFolder } from "../import/content-path.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { ImportBase } from "./import-base.ts";

/** Which files stand below the folder of imports already; disks that do not keep capitals apart are thought of. */
export interface TakenPaths {
  /** Whether an object may not write its script or data there. What stands ready for its author to name is no one else's. */
  readonly isTaken: (path: string, data?: string | Uint8Array) => boolean;
  readonly isThere: (path: string) => boolean;
}

/** Looks once. Contents count only below a program: what an import left there for its author may wait to be named. */
export async function takenPaths({ entry, workspace }: Pick<ImportBase, "entry" | "workspace">): Promise<TakenPaths> {
  const paths = await workspace.glob([`${importFolder}/**`]);
  const there = new Set(paths.map((path) => path.toLowerCase()));
  const digests = new Map<string, string>();
  if (entry === "typescript") for (const path of paths) digests.set(path, sha256(await workspace.readBytes(path)));
  return {
    isTaken: (path, data) =>
      there.has(path.toLowerCase()) && (data === undefined || digests.get(path) !== sha256(data)),
    isThere: (path) => there.has(path.toLowerCase()),
  };
}
