import { getOrMake } from "../model/group-by.ts";
import { type FileMatcher, fileMatcher } from "./match-files.ts";
import { missingError, pathInProject, sourceText, type Workspace } from "./workspace.ts";

/** A workspace that lives in memory, of files by path: for plans of generated projects and for tests. */
export function memoryWorkspace(
  files: Readonly<Record<string, string | Uint8Array>>,
  root = "/project",
): Workspace & { files(): Readonly<Record<string, Uint8Array>> } {
  const contents = new Map<string, Uint8Array>();
  const copied = (data: string | Uint8Array) =>
    typeof data === "string" ? new TextEncoder().encode(data) : data.slice();
  const put = (path: string, data: string | Uint8Array) => contents.set(pathInProject(root, path), copied(data));
  for (const [path, data] of Object.entries(files)) put(path, data);
  const readBytes = async (path: string) => {
    const bytes = contents.get(pathInProject(root, path));
    if (bytes === undefined) throw missingError(path);
    return bytes.slice();
  };
  return {
    root,
    readBytes,
    readText: async (path) => sourceText(path, await readBytes(path)),
    glob: async (patterns) => {
      const matchers = patterns.map((pattern) => fileMatcher(pathInProject(root, pattern)));
      return [...contents.keys()].filter((path) => matchers.some((matcher) => isFound(matcher, path))).sort();
    },
    writeAtomic: async (path, data) => void put(path, data),
    exists: async (path) => contents.has(pathInProject(root, path)),
    files: () => Object.fromEntries(contents),
  };
}

function isFound(matcher: FileMatcher, path: string): boolean {
  if (matcher.isPlain) return matcher.base === path;
  const names = path.split("/").slice(0, -1);
  const folders = names.map((_, index) => names.slice(0, index + 1).join("/"));
  return matcher.matches(path) && folders.every((folder) => matcher.enters(folder));
}

/**
 * A project folder overlaid with the files of another one, and without some of its own; those of the other one win.
 * Writes are made to the other one.
 */
export function overlayWorkspace(base: Workspace, over: Workspace, without?: ReadonlySet<string>): Workspace {
  const holder = async (path: string) => {
    if (await over.exists(path)) return over;
    if (without?.has(pathInProject(base.root, path))) throw missingError(path);
    return base;
  };
  return {
    root: base.root,
    readText: async (path) => (await holder(path)).readText(path),
    readBytes: async (path) => (await holder(path)).readBytes(path),
    async glob(patterns) {
      const found = await Promise.all([base.glob(patterns), over.glob(patterns)]);
      return [...new Set(found.flat())].filter((path) => !without?.has(path)).sort();
    },
    writeAtomic: (path, data) => over.writeAtomic(path, data),
    exists: async (path) =>
      (await over.exists(path)) || (!without?.has(pathInProject(base.root, path)) && (await base.exists(path))),
  };
}

/** A workspace each of whose files is read once, however often it is asked for. */
export function readOnce(workspace: Workspace): Workspace {
  const { root } = workspace;
  const read = new Map<string, Promise<Uint8Array>>();
  const readBytes = (path: string) => getOrMake(read, pathInProject(root, path), () => workspace.readBytes(path));
  return {
    ...workspace,
    readBytes,
    readText: async (path) => sourceText(path, await readBytes(path)),
    async writeAtomic(path, data) {
      await workspace.writeAtomic(path, data);
      read.delete(pathInProject(root, path));
    },
  };
}
