import { basename } from "node:path";
import { writeYaml } from "../authoring/write-yaml.ts";
import type { LoadModule } from "../config/entry-document.ts";
import { loadProject, type Project } from "../config/load-project.ts";
import { chosenEnvironment, withEnvironment } from "../config/merge-documents.ts";
import { type ParseCache, projectCache } from "../config/parse-cache.ts";
import { readEntry } from "../config/read-entry.ts";
import { hasErrors, problem } from "../model/diagnostic.ts";
import { type JsonObject, objectOf } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { sha256 } from "../workspace/hash.ts";
import { memoryWorkspace, overlayWorkspace } from "../workspace/memory-workspace.ts";
import { withTemporaryFolder } from "../workspace/temporary-folder.ts";
import { cdktfFile, mainFile, programFile, terraformPrograms, type Workspace } from "../workspace/workspace.ts";
import { writeFolder } from "../workspace/write-files.ts";

/** The project that an import adds to. */
export interface ImportTarget {
  /** Absolute path of the folder. */
  readonly root: string;
  /** `none`: the folder has no project yet. */
  readonly entry: "yaml" | "typescript" | "none";
  readonly workspace: Workspace;
  readonly project: Project;
  /** The document of all files, as written. */
  readonly document: JsonObject;
  /** The project's defaults for objects by kind, in the chosen environment. */
  readonly defaults: JsonObject;
  /** Settings of the project that is to be made, when there is none. */
  readonly head: JsonObject;
}

export interface ImportLoading {
  readonly kinds: readonly AnyKind[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environment of the command; "" is none. */
  readonly environment?: string;
  /** Variables of the command line. */
  readonly vars?: Readonly<Record<string, string>>;
  readonly loadModule?: LoadModule;
  /** As the System says. */
  readonly program?: string | undefined;
  /** Files that are parsed already. */
  readonly cache?: ParseCache | undefined;
  /** The import writes Terraform, so files of Terraform that are there hinder nothing. */
  readonly isForTerraform?: boolean;
}

/** The project in a folder; a folder without one gets a name and the service of $LOADFORM_URL. */
export async function openTarget(root: string, loading: ImportLoading): Promise<ImportTarget> {
  const { kinds } = loading;
  const disk = diskWorkspace(root);
  const entry = await findEntry(disk, loading.isForTerraform === true ? [cdktfFile] : terraformPrograms);
  const head = entry === "none" ? newHead(root, loading) : {};
  const started = memoryWorkspace({ [mainFile]: writeYaml([], { file: mainFile, kinds, head }) }, root);
  const workspace = entry === "none" ? overlayWorkspace(disk, started) : disk;
  const cache = entry === "none" ? undefined : projectCache(disk, loading);
  const { document, parsed } = await readEntry({ workspace, hash: sha256, ...loading, cache });
  const known = parsed ? { read: async () => parsed, write: async () => undefined } : cache;
  const project = await loadImported(workspace, { ...loading, cache: known });
  if (parsed && !hasErrors(project.diagnostics)) await cache?.write(parsed);
  const effective = withEnvironment(document, chosenEnvironment(loading.environment, document));
  return { root, entry, workspace: disk, project, document, defaults: objectOf(effective.defaults), head };
}

/** A project's file beside one of these programs would be read in its place. */
async function findEntry(workspace: Workspace, programs: readonly string[]): Promise<ImportTarget["entry"]> {
  if (await workspace.exists(programFile)) return "typescript";
  if (await workspace.exists(mainFile)) return "yaml";
  const [program] = await workspace.glob(programs).catch(() => []);
  if (program === undefined) return "none";
  const detail = `${workspace.root} has ${program}. Import into another folder: one with ${mainFile}, ${programFile} or neither`;
  throw problem("LF1007", "programs for Terraform cannot be added to", detail);
}

function newHead(root: string, { env, environment = "" }: ImportLoading): JsonObject {
  const url = env["LOADFORM_URL"];
  if (url === undefined || url === "") {
    const detail = `${root} has no ${mainFile} and no ${programFile}, and $LOADFORM_URL is not set. One of them must name the service to import from`;
    throw problem("LF1001", "no project here, and no service named", detail);
  }
  const name = basename(root).trim();
  const environments = environment === "" ? {} : { environments: { [environment]: {} } };
  return { project: name === "" ? "loadform" : name, service: { url }, ...environments };
}

/** Loads a project as an import does: values of the environment that are missing stop nothing. */
export function loadImported(
  workspace: Workspace,
  { kinds, env, environment, vars = {}, loadModule, cache }: ImportLoading,
): Promise<Project> {
  const asked = environment === undefined ? {} : { environment };
  const rest = { vars, unsetEnv: "warning", hash: sha256, ...asked } as const;
  return loadProject({ workspace, kinds, env, ...rest, ...(loadModule && { loadModule }), ...(cache && { cache }) });
}

/** Loads the project as it would be with other files in it; a program runs from a folder of its own. */
export function loadWith(
  { workspace, root }: ImportTarget,
  files: ReadonlyMap<string, string | Uint8Array>,
  loading: ImportLoading,
): Promise<Project> {
  if (!files.has(programFile))
    return loadImported(overlayWorkspace(workspace, memoryWorkspace(Object.fromEntries(files), root)), loading);
  return withTemporaryFolder(async (folder) => {
    await writeFolder(folder, files);
    return loadImported({ ...overlayWorkspace(workspace, diskWorkspace(folder)), root: folder }, loading);
  }, root);
}
