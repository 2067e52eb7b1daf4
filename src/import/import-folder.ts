import { dirname } from "node:path";
import { includesIn } from "../config/load-documents.ts";
import { type Problem, problem } from "../model/diagnostic.ts";
import { utf8Text } from "../model/tree.ts";
import { pathsInTheWay } from "../workspace/add-files.ts";
import { forEachFew } from "../workspace/few-at-once.ts";
import { sha256 } from "../workspace/hash.ts";
import { fileMatcher } from "../workspace/match-files.ts";
import { withTemporaryFolder } from "../workspace/temporary-folder.ts";
import { mainFile, programFile } from "../workspace/workspace.ts";
import { type FolderWriter, moveFiles, openFolderWriter } from "../workspace/write-files.ts";
import type { ImportTarget } from "./import-target.ts";

/** The folder of the files that an import writes. */
export const importFolder = "load";

/** Notes a file or folder with the folders around it, in small letters: some disks keep no others apart. */
export function takePath(taken: Set<string>, path: string): void {
  const small = path.toLowerCase();
  for (let end = small.length; end > 0; end = small.lastIndexOf("/", end - 1)) {
    const each = small.slice(0, end);
    if (taken.has(each)) return;
    taken.add(each);
  }
}

/** The files below the folder of imports, compared in the way of disks that do not tell capitals apart. */
export interface ExistingFiles {
  /** True where nothing may be written; a file with the same bytes is no obstacle: nothing may refer to it yet. */
  readonly isTaken: (path: string, data?: string | Uint8Array) => boolean;
  readonly isThere: (path: string) => boolean;
  /** Files of an interrupted import: not edited since, and no part of the project. */
  readonly leftovers: ReadonlyMap<string, string>;
}

/** Contents are read too, so that an interrupted import is continued. */
export async function existingFiles(
  target: Pick<ImportTarget, "entry" | "workspace" | "document" | "project">,
): Promise<ExistingFiles> {
  const { workspace } = target;
  const paths = await workspace.glob([`${importFolder}/**`]);
  const there = new Set<string>();
  for (const path of paths) takePath(there, path);
  const digests = new Map<string, string>();
  await forEachFew(paths, async (path) => digests.set(path, sha256(await workspace.readBytes(path))));
  return {
    isTaken: (path, data) =>
      there.has(path.toLowerCase()) && (data === undefined || digests.get(path) !== sha256(data)),
    isThere: (path) => there.has(path.toLowerCase()),
    leftovers: await leftoversIn(paths, target),
  };
}

async function leftoversIn(
  paths: readonly string[],
  { workspace, document, project }: Pick<ImportTarget, "workspace" | "document" | "project">,
): Promise<ReadonlyMap<string, string>> {
  const isPart = includeMatcher(includeOf({ document, project }).patterns);
  const found = new Map<string, string>();
  for (const path of paths) {
    if (!path.endsWith(".yaml") || isPart(path)) continue;
    const text = utf8Text(await workspace.readBytes(path));
    if (text !== undefined && isSealed(text)) found.set(path, text);
  }
  return found;
}

/** The globs of the include that counts in the environment, and the mapping that has it. */
export function includeOf({ document, project }: Pick<ImportTarget, "document" | "project">) {
  const [list] = includesIn(project.environment ?? "")(document);
  return { within: (list?.path ?? []).slice(0, -1).map(String), patterns: list?.patterns ?? [] };
}

/** A test for paths that a main file with this `include` includes. */
export function includeMatcher(include: unknown): (path: string) => boolean {
  const patterns = Array.isArray(include) ? include.map((pattern) => fileMatcher(String(pattern))) : [];
  return (path) => patterns.some((pattern) => pattern.matches(path));
}

/** The files that an import puts in place. */
export interface NewFiles {
  /** By path, in the order in which they are to be moved into place. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** Files that exist already, with the text that was added to. */
  readonly changed: ReadonlyMap<string, string>;
}

/** The files of an import on their way into its project. */
export interface Staging {
  /** Begins to write files beside the project, while the import goes on. */
  readonly write: FolderWriter["write"];
  /** Resolves when all of them are there to be moved. */
  readonly written: () => Promise<void>;
  /**
   * Moves those that were written into the project: scripts first, the main file last. Until that one is moved nothing new is part of
   * the project, so an import that is killed here is repeated by the next one.
   */
  readonly putInPlace: (files: NewFiles) => Promise<void>;
}

/** Files that are not put in place are deleted at the end. */
export async function withStaging<T>(target: ImportTarget, use: (staging: Staging) => Promise<T>): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    const { write, end, stop } = await openFolderWriter(folder);
    try {
      return await use({ write, written: end, putInPlace: (files) => moveIn(target, files, folder) });
    } finally {
      await stop();
    }
  }, target.root);
}

async function moveIn(target: ImportTarget, { files, changed }: NewFiles, folder: string): Promise<void> {
  if (files.size === 0) return;
  await checkPlace(target, { files, changed });
  const added = [...files.keys()].filter((path) => !changed.has(path));
  await forEachFew(new Set(added.map((path) => dirname(path))), (parent) => target.workspace.exists(parent));
  await moveFiles(inOrder([...files.keys()]), folder, target.root);
}

/** Rejects where files would replace something. */
export async function checkPlace(target: ImportTarget, { files, changed }: NewFiles): Promise<void> {
  await refuseChanged(target, { files, changed });
  // A link may lead to other files, and a folder may have a file's name: nothing is overwritten, or written outside.
  const added = [...files.keys()].filter((path) => !changed.has(path));
  const inTheWay = await pathsInTheWay(target.root, added);
  if (inTheWay.length > 0) throw filesInTheWay(inTheWay);
}

function inOrder(paths: readonly string[]): readonly (readonly string[])[] {
  const groups: [string[], string[], string[]] = [[], [], []];
  for (const path of paths) groups[path === mainFile || path === programFile ? 2 : isPart(path) ? 1 : 0].push(path);
  return groups;
}

function isPart(path: string): boolean {
  return path.endsWith(".yaml") && path.split("/").length === 2;
}

async function refuseChanged({ workspace }: ImportTarget, { files, changed }: NewFiles) {
  for (const [path, text] of changed) if ((await workspace.readText(path)) !== text) throw changedMeanwhile(path);
  const there = new Set(await workspace.glob([mainFile, programFile, `${importFolder}/**`]));
  for (const path of files.keys()) if (!changed.has(path) && there.has(path)) throw changedMeanwhile(path);
}

function changedMeanwhile(path: string): Problem {
  const detail = `Somebody changed ${path} while the import ran. Nothing was moved; import again`;
  return problem("LF6002", "the project changed meanwhile", detail);
}

function filesInTheWay(paths: readonly string[]): Problem {
  const shown = paths.slice(0, 5).join(", ") + (paths.length > 5 ? ` and ${paths.length - 5} more` : "");
  const detail = `The import would write to ${shown}, which exists already. Move it away and import again; folders can remain if files are written below them. Nothing was written`;
  return problem("LF9004", "the import would overwrite files", detail);
}

const headerPattern = /^(?:#|\/\/) Written by loadform import \(([0-9a-f]{16})\)[^\n]*\n/;

/** The text under a first line by which a later import sees whether it was edited since. */
export function sealed(text: string, comment: "#" | "//" = "#"): string {
  const body = text.replace(headerPattern, "");
  const seal = sha256(body).slice(0, 16);
  return `${comment} Written by loadform import (${seal}). Edit it freely: import --all and --test-case never write an edited file.\n${body}`;
}

/** True for a file of an import that was not edited since. */
export function isSealed(text: string): boolean {
  return headerPattern.test(text) && sealed(text, text.startsWith("//") ? "//" : "#") === text;
}
