import type { Hash } from "../model/fingerprint.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { mainFile, programFile } from "./entry-document.ts";
import type { FileContents } from "./read-files.ts";

/** The files that a YAML project was read from, as hashes of their bytes by path. */
export interface InputFiles {
  /** Patterns of the main file. */
  readonly include: readonly string[];
  /** The main file and those it includes. */
  readonly documents: Readonly<Record<string, string>>;
  /** The contents named by `${file:…}`, by the path as it is written. */
  readonly contents: Readonly<Record<string, string>>;
}

/** The hashes of contents; undefined where one could not be read. */
export function contentHashes(files: FileContents, hash: Hash): InputFiles["contents"] | undefined {
  const hashes: Record<string, string> = {};
  for (const [path, { bytes }] of files) {
    if (bytes === undefined) return undefined;
    hashes[path] = hash(bytes);
  }
  return hashes;
}

/** True where a project would be read from the same files with the same bytes. Nothing of them is parsed. */
export async function areSameFiles(files: InputFiles, workspace: Workspace, hash: Hash): Promise<boolean> {
  const { include, documents, contents } = files;
  try {
    if (await workspace.exists(programFile)) return false;
    const found = new Set([mainFile, ...(await workspace.glob(include))]);
    if (found.size !== Object.keys(documents).length) return false;
    if (![...found].every((path) => Object.hasOwn(documents, path))) return false;
    const all = [...Object.entries(documents), ...Object.entries(contents)];
    const same = await Promise.all(all.map(async ([path, known]) => hash(await workspace.readBytes(path)) === known));
    return !same.includes(false);
  } catch {
    // A file that cannot be read is explained where the project is loaded.
    return false;
  }
}
