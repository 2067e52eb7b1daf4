import { posix, relative, resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { diskWorkspace } from "../../workspace/disk-workspace.ts";
import { fileMatcher } from "../../workspace/match-files.ts";
import { foldersIn, isFolder, isGlob, realPlace } from "../../workspace/path-exists.ts";
import { hasProject, mainFile, projectFiles } from "../../workspace/workspace.ts";

/** The folders of the projects that a command line names. */
export interface ChosenProjects {
  /** As they are shown: relative to the working folder, with `/`; each folder once. */
  readonly dirs: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The projects of folders and globs, in the order of the arguments. A glob passes over folders without a project; one that
 * matches none, and a named folder without one, are errors. `isYaml`: only projects in YAML are meant.
 */
export async function chooseProjects(args: readonly string[], cwd: string, isYaml = false): Promise<ChosenProjects> {
  const found = await Promise.all(args.map((word) => foldersOf(word, cwd, isYaml)));
  const all = found.flatMap(({ folders }) => folders);
  const real = await Promise.all(all.map(realPlace));
  const dirs = new Map<string, string>();
  for (const [index, folder] of all.entries())
    if (!dirs.has(real[index] ?? folder)) dirs.set(real[index] ?? folder, shownFolder(folder, cwd));
  return { dirs: [...dirs.values()], diagnostics: found.flatMap(({ problem }) => problem ?? []) };
}

interface Found {
  readonly folders: readonly string[];
  readonly problem?: Diagnostic;
}

async function foldersOf(word: string, cwd: string, isYaml: boolean): Promise<Found> {
  const files = isYaml ? [mainFile] : projectFiles;
  if (await isGlob(word, cwd)) {
    const folders = await foldersLike(word, cwd, files);
    return folders.length > 0 ? { folders } : { folders, problem: noMatch(word, isYaml) };
  }
  const folder = resolve(cwd, word);
  if (await isFolder(folder)) {
    const workspace = diskWorkspace(folder);
    const isThere = isYaml ? await workspace.exists(mainFile) : await hasProject(workspace);
    // What is wrong with a folder whose project has another form is said by the command itself.
    if (isThere || (await hasProject(workspace))) return { folders: [folder] };
    return { folders: [], problem: noProject(word, `${folder} has none of ${projectFiles.join(", ")}`) };
  }
  return { folders: [], problem: noProject(word, `There is no folder ${folder}`) };
}

/** The folders of files below the glob. It is read from its deepest plain folder, which may be outside of the working one. */
async function foldersLike(word: string, cwd: string, files: readonly string[]): Promise<readonly string[]> {
  const names = word.replace(/\/+$/, "").split("/");
  const first = names.findIndex((name) => /[*?[{\\]/.test(name));
  const plain = names.slice(0, first).join("/");
  const root = resolve(cwd, plain === "" && word.startsWith("/") ? "/" : plain);
  const parts = names.slice(first);
  if (parts.every(isOneName)) return withProject(await foldersBelow(root, parts), files);
  const found = await diskWorkspace(root).glob(files.map((file) => `${parts.join("/")}/${file}`));
  return [...new Set(found.map((file) => resolve(root, posix.dirname(file))))].sort();
}

/** True for a part of a glob whose alternatives are names of one folder. */
function isOneName(part: string): boolean {
  return part.split("{").length === part.split("}").length;
}

/**
 * The folders that a shell finds, behind links too: each part of the glob but `**` is one folder, and `**` enters no link, so that links in
 * a circle are no end of it.
 */
async function foldersBelow(folder: string, parts: readonly string[]): Promise<readonly string[]> {
  const [part, ...rest] = parts;
  if (part === undefined) return [folder];
  if (part === "**") {
    const deeper = rest[0] === "**" ? [] : await foldersLikeName(folder, "*", "own");
    const found = [foldersBelow(folder, rest), ...deeper.map((name) => foldersBelow(resolve(folder, name), parts))];
    return [...new Set((await Promise.all(found)).flat())];
  }
  const names = await foldersLikeName(folder, part, "linked");
  return (await Promise.all(names.map((name) => foldersBelow(resolve(folder, name), rest)))).flat();
}

async function foldersLikeName(folder: string, part: string, which: "own" | "linked"): Promise<readonly string[]> {
  const { isPlain, base, matches } = fileMatcher(part);
  if (isPlain) return (await isFolder(resolve(folder, base))) ? [base] : [];
  return (await foldersIn(folder, which)).filter((name) => name !== "node_modules" && matches(name));
}

async function withProject(folders: readonly string[], files: readonly string[]): Promise<readonly string[]> {
  // What cannot be read in a project is said by the command itself.
  const isProject = (folder: string) => hasProject(diskWorkspace(folder), files).catch(() => true);
  const found = await Promise.all(folders.map(isProject));
  return folders.filter((_, index) => found[index]).sort();
}

function shownFolder(folder: string, cwd: string): string {
  const shown = relative(cwd, folder);
  return shown === "" ? "." : shown;
}

function noMatch(word: string, isYaml: boolean): Diagnostic {
  const lack = `No folder that ${word} matches has ${isYaml ? `a ${mainFile}` : "a project"}`;
  const detail = `${lack}. Folders of tools (.git, node_modules) are not looked into, and * stays within one name: 'tests/**' reaches every folder below tests`;
  return { severity: "error", code: "LF1001", summary: "the glob matches no project", detail };
}

function noProject(word: string, why: string): Diagnostic {
  const detail = `${why}. Name the folder of a project, or a glob, which passes over folders without one`;
  return { severity: "error", code: "LF1001", summary: `no project in ${word}`, detail };
}
