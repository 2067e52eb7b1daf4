import { importFolder } from "../import/content-path.ts";
import { utf8Text } from "../model/utf8-text.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import { inBatches } from "../workspace/in-batches.ts";
import { fileMatcher } from "../workspace/match-files.ts";
import type { ImportBase } from "./import-base.ts";
import { isSealed } from "./import-seal.ts";

/** What stands below the folder of imports already; disks that do not keep capitals apart are thought of. */
export interface TakenPaths {
  /** Whether nothing may be written there; a file with the same bytes is no obstacle: it may wait to be named. */
  readonly isTaken: (path: string, data?: string | Uint8Array) => boolean;
  readonly isThere: (path: string) => boolean;
  /** Files that an import left which never ended: nobody edited them, and they are no part of the project. */
  readonly leftovers: ReadonlyMap<string, string>;
}

/** Looks once; contents are read so that an import that never ended is carried on with. */
export async function takenPaths(base: Pick<ImportBase, "entry" | "workspace" | "document">): Promise<TakenPaths> {
  const { workspace } = base;
  const paths = await workspace.glob([`${importFolder}/**`]);
  const there = new Set(paths.map((path) => path.toLowerCase()));
  const digests = new Map<string, string>();
  await inBatches(paths, async (path) => digests.set(path, sha256(await workspace.readBytes(path))));
  return {
    isTaken: (path, data) =>
      there.has(path.toLowerCase()) && (data === undefined || digests.get(path) !== sha256(data)),
    isThere: (path) => there.has(path.toLowerCase()),
    leftovers: await leftoversIn(paths, base),
  };
}

async function leftoversIn(
  paths: readonly string[],
  { workspace, document }: Pick<ImportBase, "workspace" | "document">,
): Promise<ReadonlyMap<string, string>> {
  const isPart = includeMatcher(document["include"]);
  const found = new Map<string, string>();
  for (const path of paths) {
    if (!path.endsWith(".yaml") || isPart(path)) continue;
    const text = utf8Text(await workspace.readBytes(path));
    if (text !== undefined && isSealed(text)) found.set(path, text);
  }
  return found;
}

/** Whether a main file with this `include` includes a path. */
export function includeMatcher(include: unknown): (path: string) => boolean {
  const patterns = Array.isArray(include) ? include.map((pattern) => fileMatcher(String(pattern))) : [];
  return (path) => patterns.some((pattern) => pattern.matches(path));
}
