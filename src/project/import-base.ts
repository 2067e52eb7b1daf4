import { basename } from "node:path";
import type { LoadModule } from "../config/entry-document.ts";
import { mainFile, programFile } from "../config/entry-files.ts";
import type { Project } from "../config/load-project.ts";
import { loadProject } from "../config/load-project.ts";
import type { ParseCache } from "../config/parse-cache.ts";
import { projectCache } from "../config/parse-cache.ts";
import { readEntry } from "../config/read-entry.ts";
import { writeYaml } from "../config/write-yaml.ts";
import { kinds } from "../kinds/index.ts";
import { hasErrors } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { memoryWorkspace } from "../workspace/memory-workspace.ts";
import { overlayWorkspace } from "../workspace/overlay-workspace.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { endAccepting } from "./end-accepting.ts";
import { problem } from "./problem.ts";
import type { World } from "./world.ts";

/** What an import adds to. */
export interface ImportBase {
  /** Absolute path of the folder. */
  readonly root: string;
  /** `none`: the folder holds no project yet. */
  readonly entry: "yaml" | "typescript" | "none";
  readonly workspace: Workspace;
  readonly project: Project;
  /** The document of all files, as written. */
  readonly document: JsonObject;
  /** Settings of the project that is to be made, when there is none. */
  readonly head: JsonObject;
}

/** How the projects of an import are loaded. */
export interface ImportLoading {
  readonly env: World["env"];
  readonly loadModule?: LoadModule;
  /** What is parsed already. */
  readonly cache?: ParseCache;
}

/** The project in a folder; a folder without one gets a name and the service of $LOADFORM_URL. */
export async function openBase(root: string, loading: ImportLoading): Promise<ImportBase> {
  const disk = diskWorkspace(root);
  const ended = await endAccepting(disk);
  const entry = await findEntry(disk);
  const head = entry === "none" ? newHead(root, loading.env) : {};
  const started = memoryWorkspace({ [mainFile]: writeYaml([], { file: mainFile, kinds, head }) }, root);
  const workspace = entry === "none" ? overlayWorkspace(disk, started) : disk;
  const cache = entry === "none" ? {} : { cache: projectCache(disk, loading.env) };
  const { document, parsed } = await readEntry({ workspace, kinds, hash: sha256, ...loading, ...cache });
  const known = parsed ? { cache: { read: async () => parsed, write: async () => undefined } } : cache;
  const loaded = await loadImported(workspace, { ...loading, ...known });
  const project = { ...loaded, diagnostics: [...ended, ...loaded.diagnostics] };
  if (parsed && !hasErrors(project.diagnostics)) await cache.cache?.write(parsed);
  return { root, entry, workspace: disk, project, document, head };
}

async function findEntry(workspace: Workspace): Promise<ImportBase["entry"]> {
  if (await workspace.exists(programFile)) return "typescript";
  if (await workspace.exists(mainFile)) return "yaml";
  if (!(await workspace.exists("cdktf.json"))) return "none";
  const detail = `found cdktf.json in ${workspace.root}; expected a folder with ${mainFile}, ${programFile} or neither: import into another folder`;
  throw problem("LF1007", "cdktf projects cannot be added to", detail);
}

function newHead(root: string, env: World["env"]): JsonObject {
  const url = env["LOADFORM_URL"];
  if (url === undefined || url === "") {
    const detail = `found no ${mainFile} and no ${programFile} in ${root}, and no $LOADFORM_URL; expected one of them to say which service to import from`;
    throw problem("LF1001", "no project here, and no service named", detail);
  }
  const name = basename(root).trim();
  return { project: name === "" ? "loadform" : name, service: { url } };
}

/** Loads a project as an import does: values of the environment that are missing stop nothing. */
export function loadImported(workspace: Workspace, { env, loadModule, cache }: ImportLoading): Promise<Project> {
  const rest = { vars: {}, unsetEnv: "warning", hash: sha256 } as const;
  return loadProject({ workspace, kinds, env, ...rest, ...(loadModule && { loadModule }), ...(cache && { cache }) });
}

/** Whether a project declares any objects. */
export function declaresObjects({ document }: ImportBase): boolean {
  return kinds.some(({ parent, plural }) => {
    const objects = document[plural];
    return parent === undefined && isObject(objects) && Object.keys(objects).length > 0;
  });
}
