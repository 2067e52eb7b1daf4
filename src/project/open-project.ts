import { dirname, join, resolve } from "node:path";
import { readable } from "../config/collect-problems.ts";
import { loadProject, type Project, type ProjectInput } from "../config/load-project.ts";
import { projectCache } from "../config/parse-cache.ts";
import { type ImportLoading, type ImportTarget, openTarget } from "../import/import-target.ts";
import { kinds } from "../kinds/index.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { sha256 } from "../workspace/hash.ts";
import { isFolder, pathExists } from "../workspace/path-exists.ts";
import { mainFile, programFile, type Workspace } from "../workspace/workspace.ts";
import { endWriting, writingFile } from "../workspace/write-together.ts";
import { orExplained } from "./explain-failure.ts";
import { type DeclaredLimits, limitFindings, noLimits } from "./limit-findings.ts";
import { askedEnvironment, type ProjectFlags, type System } from "./system.ts";

export interface LoadedProject extends Project {
  /** Absolute path of its folder. */
  readonly root: string;
  /** Variables that the command line set. */
  readonly vars?: Readonly<Record<string, string>>;
  /** The environment of the command; "" is none. */
  readonly asked?: string;
  /** The loads and limits in a saved plan, whose tree is a part of the project. */
  readonly declaredLimits?: DeclaredLimits;
}

type Purpose = Pick<ProjectInput, "unsetEnv" | "isOffline">;

/** The purpose of commands that ask no service. */
export const offline: Purpose = { unsetEnv: "warning", isOffline: true };

/** Loads the project in a folder; problems with it are diagnostics of the result. */
export function loadFolder(flags: ProjectFlags, system: System, purpose: Purpose): Promise<LoadedProject> {
  return loadWorkspace(diskWorkspace(resolve(system.cwd, flags.dir)), flags, { system, ...purpose });
}

/** Loads the project in a folder that was opened before. */
export async function loadWorkspace(
  workspace: Workspace,
  flags: ProjectFlags,
  { system, ...purpose }: Purpose & { readonly system: System },
): Promise<LoadedProject> {
  const { root } = workspace;
  const ended = await endAccepting(workspace);
  const cache = projectCache(workspace, system);
  const asked = askedEnvironment(flags.environment, system.env);
  const environment = asked === undefined ? {} : { environment: asked };
  const given = { ...environment, vars: flags.vars };
  const project = await loadFrom(workspace, given, { system, ...purpose, cache });
  const diagnostics = await Promise.all(project.diagnostics.map((each) => orNoFolder(each, root)));
  return {
    ...project,
    diagnostics: [...ended, ...diagnostics],
    root,
    vars: flags.vars,
    ...(asked === undefined ? {} : { asked }),
  };
}

/** Loads a project from a workspace, as the command line parametrizes it. */
export function loadFrom(
  workspace: Workspace,
  { environment, vars }: Pick<ProjectFlags, "environment" | "vars">,
  { system, ...rest }: Purpose & Pick<ProjectInput, "cache"> & { readonly system: System },
): Promise<Project> {
  const chosen = environment === undefined ? {} : { environment };
  const { env, makeRoom } = system;
  return loadProject({ workspace, kinds, env, makeRoom, ...chosen, vars, hash: sha256, ...rest });
}

/** Opens the project that an import adds to; a folder without one has the service of $LOADFORM_URL. */
export async function openImportTarget(
  root: string,
  loading: ImportLoading,
): Promise<ImportTarget & { readonly project: LoadedProject }> {
  const ended = await endAccepting(diskWorkspace(root));
  const target = await openTarget(root, loading);
  const { environment: asked, vars } = loading;
  const given = { ...(asked !== undefined && { asked }), ...(vars && { vars }) };
  const diagnostics = [...ended, ...target.project.diagnostics];
  return { ...target, project: { ...target.project, root, ...given, diagnostics } };
}

/** Without a folder it makes no sense to say what is missing in it. */
async function orNoFolder(each: Diagnostic, root: string): Promise<Diagnostic> {
  if (each.code !== "LF1001" || (await isFolder(root))) return each;
  const detail = (await pathExists(root))
    ? `${root} is a file. Name the folder of the project: ${await projectAbove(dirname(root))}`
    : `There is no file or folder ${root}. Check the path, and name the folder of a project`;
  return { ...each, detail };
}

/** The nearest folder from this one up that has a project; this one where there is none. */
async function projectAbove(folder: string): Promise<string> {
  for (let above = folder; ; above = dirname(above)) {
    const names = [mainFile, programFile].map((name) => join(above, name));
    if ((await Promise.all(names.map(pathExists))).includes(true)) return above;
    if (above === dirname(above)) return folder;
  }
}

/** The result of the offline checks. */
export interface Validated {
  readonly diagnostics: readonly Diagnostic[];
  /** Limits that the project is above. */
  readonly blocked: readonly Diagnostic[];
  readonly objects: number;
  readonly project?: string;
  /** Absent where it could not be read at all. */
  readonly loaded?: LoadedProject;
}

/**
 * All offline checks, without service, state or credentials: what `loadform validate` runs. Answers the problems in reading order, how
 * many objects are declared, and the name of the project; nothing is thrown for what can be wrong about a project.
 */
export async function validateProject(flags: ProjectFlags, system: System): Promise<Validated> {
  return orExplained<Validated>(
    async () => {
      const project = await loadFolder(flags, system, offline);
      const checked = await checkOffline(project, system);
      return { ...checked, objects: project.tree.nodes.size, project: project.name, loaded: project };
    },
    (diagnostics) => ({ diagnostics, blocked: [], objects: 0 }),
  );
}

/** The offline checks of a project that was loaded: of its files, of their scripts, of its limits. */
export async function checkOffline(
  project: LoadedProject,
  system: System,
): Promise<Pick<Validated, "diagnostics" | "blocked">> {
  const { scriptProblems } = await import("../config/check-scripts.ts");
  const scripts = await scriptProblems(project, kinds);
  const { blocked, warnings } = hasErrors(project.diagnostics) ? noLimits : await limitFindings(project, system);
  return { diagnostics: readable([...project.diagnostics, ...scripts, ...warnings]), blocked };
}

/** Ends a `drift --accept` that was killed between two files, and reports it; every command that reads a project does it. */
export async function endAccepting(workspace: Workspace): Promise<readonly Diagnostic[]> {
  const ended = await endWriting(workspace);
  if (ended.is === "none") return [];
  const found = `An interrupted loadform drift --accept wrote ${ended.written.join(", ")}`;
  if (ended.is === "ended") {
    const detail = `${found}. Now ${ended.added.join(", ")} ${ended.added.length === 1 ? "is" : "are"} written, too, so that everything is as it was accepted. Version control shows the difference`;
    return [{ severity: "warning", code: "LF1009", summary: "an interrupted acceptance was completed", detail }];
  }
  const detail = `${found} and not ${ended.missing.join(", ")}, and one of its files was edited since, so it was neither completed nor undone. Edit the files as you want them, and delete ${writingFile}`;
  return [{ severity: "error", code: "LF1009", summary: "an interrupted acceptance was edited", detail }];
}
