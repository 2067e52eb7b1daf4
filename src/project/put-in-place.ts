import { dirname } from "node:path";
import { mainFile, programFile } from "../config/entry-files.ts";
import { importFolder } from "../import/content-path.ts";
import { pathsInTheWay } from "../workspace/add-files.ts";
import { moveFiles } from "../workspace/move-files.ts";
import { withTemporaryFolder } from "../workspace/temporary-folder.ts";
import { writeFolder } from "../workspace/write-folder.ts";
import type { ImportBase } from "./import-base.ts";
import type { Layout } from "./import-layout.ts";
import { changedMeanwhile, filesInTheWay } from "./import-problems.ts";

/**
 * Writes the files of an import beside the project and moves them into it: scripts first, the main file last. Until
 * that one stands nothing new is part of the project, so an import that is killed here is done again by the next one.
 */
export async function putInPlace(base: ImportBase, { files, changed }: Pick<Layout, "files" | "changed">) {
  if (files.size === 0) return;
  await withTemporaryFolder(async (folder) => {
    await writeFolder(folder, files);
    await refuseChanged(base, { files, changed });
    await refuseInTheWay(
      base,
      [...files.keys()].filter((path) => !changed.has(path)),
    );
    await moveFiles(inOrder([...files.keys()]), folder, base.root);
  }, base.root);
}

function inOrder(paths: readonly string[]): readonly (readonly string[])[] {
  const groups: [string[], string[], string[]] = [[], [], []];
  for (const path of paths) groups[path === mainFile || path === programFile ? 2 : isPart(path) ? 1 : 0].push(path);
  return groups;
}

function isPart(path: string): boolean {
  return path.endsWith(".yaml") && path.split("/").length === 2;
}

async function refuseChanged({ workspace }: ImportBase, { files, changed }: Pick<Layout, "files" | "changed">) {
  for (const [path, text] of changed) if ((await workspace.readText(path)) !== text) throw changedMeanwhile(path);
  const there = new Set(await workspace.glob([mainFile, programFile, `${importFolder}/**`]));
  for (const path of files.keys()) if (!changed.has(path) && there.has(path)) throw changedMeanwhile(path);
}

/** A link may lead to where files of others stand, and a folder may have a file's name: nothing is written over or outside. */
async function refuseInTheWay({ root, workspace }: ImportBase, paths: readonly string[]): Promise<void> {
  const inTheWay = await pathsInTheWay(root, paths);
  if (inTheWay.length > 0) throw filesInTheWay(inTheWay);
  for (const folder of new Set(paths.map((path) => dirname(path)))) await workspace.exists(folder);
}
