import type { Workspace } from "./workspace.ts";

/** A project folder as it would be with the files of another one in it; those win. Writes go to the other one. */
export function overlayWorkspace(base: Workspace, over: Workspace): Workspace {
  const holder = async (path: string) => ((await over.exists(path)) ? over : base);
  return {
    root: base.root,
    readText: async (path) => (await holder(path)).readText(path),
    readBytes: async (path) => (await holder(path)).readBytes(path),
    async glob(patterns) {
      const found = await Promise.all([base.glob(patterns), over.glob(patterns)]);
      return [...new Set(found.flat())].sort();
    },
    writeAtomic: (path, data) => over.writeAtomic(path, data),
    exists: async (path) => (await over.exists(path)) || base.exists(path),
  };
}
