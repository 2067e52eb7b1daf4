import { dirname, join, relative, resolve, sep } from "node:path";
import { diskWorkspace } from "./disk-workspace.ts";
import { pathExists } from "./path-exists.ts";
import { type Workspace, WorkspaceError } from "./workspace.ts";

/** The part of a workspace that is about single files. */
type WorkTreeFiles = Pick<Workspace, "root" | "readText" | "readBytes" | "exists" | "writeAtomic">;

/** The files of a project, and by paths that lead out of its folder those of the git work tree around it. */
export function workTreeFiles(workspace: Workspace): WorkTreeFiles {
  let around: Promise<Workspace | undefined> | undefined;
  const outside = async (path: string): Promise<readonly [WorkTreeFiles, string]> => {
    around ??= workTreeAround(workspace.root);
    const tree = await around;
    const found = tree && relative(tree.root, resolve(workspace.root, path));
    if (tree === undefined || found === undefined || found === ".." || found.startsWith(`..${sep}`))
      throw outsideTree(path, tree?.root);
    return [tree, found];
  };
  const place = <T>(path: string, use: (files: WorkTreeFiles, within: string) => Promise<T>): Promise<T> =>
    leadsOut(path) ? outside(path).then(([files, within]) => use(files, within)) : use(workspace, path);
  return {
    root: workspace.root,
    readText: (path) => place(path, (files, within) => files.readText(within)),
    readBytes: (path) => place(path, (files, within) => files.readBytes(within)),
    exists: (path) => place(path, (files, within) => files.exists(within)),
    writeAtomic: (path, data) => place(path, (files, within) => files.writeAtomic(within, data)),
  };
}

/** True for a path that leads out of the folder that it is relative to. */
export function leadsOut(path: string): boolean {
  return path === ".." || path.startsWith("../");
}

function outsideTree(path: string, tree: string | undefined): WorkspaceError {
  const lack = tree === undefined ? "which is in no git work tree" : `and outside its git work tree, ${tree}`;
  return new WorkspaceError(path, `${path} is outside the project folder, ${lack}: move the file into it`);
}

async function workTreeAround(root: string): Promise<Workspace | undefined> {
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    if (await pathExists(join(folder, ".git"))) return diskWorkspace(folder);
    if (folder === dirname(folder)) return undefined;
  }
}
