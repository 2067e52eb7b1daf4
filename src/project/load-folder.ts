import { dirname, resolve } from "node:path";
import type { Project } from "../config/load-project.ts";
import { loadProject } from "../config/load-project.ts";
import { projectCache } from "../config/parse-cache.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { isFolder, pathExists } from "../workspace/path-exists.ts";
import { endAccepting } from "./end-accepting.ts";
import { orExplained } from "./problem.ts";
import type { ProjectFlags, World } from "./world.ts";

/** A project as loaded, and where it stands. */
export interface OpenProject extends Project {
  /** Absolute path of its folder. */
  readonly root: string;
  /** Variables that the command line set. */
  readonly vars?: Readonly<Record<string, string>>;
}

/** Loads the project in a folder; problems with it are diagnostics of the result. */
export async function loadFolder(
  flags: ProjectFlags,
  world: World,
  unsetEnv: "error" | "warning",
): Promise<OpenProject> {
  const root = resolve(world.cwd, flags.dir);
  const workspace = diskWorkspace(root);
  const ended = await endAccepting(workspace);
  const project = await loadProject({
    workspace,
    cache: projectCache(workspace, world.env),
    kinds,
    env: world.env,
    ...(flags.environment === undefined ? {} : { environment: flags.environment }),
    vars: flags.vars,
    unsetEnv,
    hash: sha256,
  });
  const diagnostics = await Promise.all(project.diagnostics.map((each) => orNoFolder(each, root)));
  return { ...project, diagnostics: [...ended, ...diagnostics], root, vars: flags.vars };
}

/** Where there is no folder at all it makes no sense to tell what is not in it. */
async function orNoFolder(each: Diagnostic, root: string): Promise<Diagnostic> {
  if (each.code !== "LF1001" || (await isFolder(root))) return each;
  const detail = (await pathExists(root))
    ? `found the file ${root}; expected the folder of a project: ${dirname(root)}`
    : `found no file or folder ${root}; expected the folder of a project. Check the path`;
  return { ...each, detail };
}

/** What the offline checks came to. */
interface Validated {
  readonly diagnostics: readonly Diagnostic[];
  readonly objects: number;
  readonly project?: string;
}

/** All offline checks, without credentials. */
export async function validateProject(flags: ProjectFlags, world: World): Promise<Validated> {
  return orExplained<Validated>(
    async () => {
      const project = await loadFolder(flags, world, "warning");
      return { diagnostics: project.diagnostics, objects: project.tree.nodes.size, project: project.name };
    },
    (diagnostics) => ({ diagnostics, objects: 0 }),
  );
}
