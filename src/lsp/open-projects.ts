import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { pathExists } from "../workspace/path-exists.ts";
import { cdktfFile, mainFile, programFile } from "../workspace/workspace.ts";
import { type EditorFolder, type EditorTools, openEditorFolder } from "./editor-folder.ts";

/** A file of a project that an editor asks about. */
export interface ProjectFile {
  readonly folder: EditorFolder;
  /** Its path in the project. */
  readonly file: string;
}

/** The projects of all files that an editor has open. */
export interface OpenProjects {
  /** The project whose folder a file is in; undefined outside of all projects. */
  find(uri: string): Promise<ProjectFile | undefined>;
  folders(): readonly EditorFolder[];
  uriOf(folder: EditorFolder, file: string): string;
  /** Files were made or deleted outside of the editor. */
  invalidate(): void;
  /** A project without open files is dropped. */
  release(): void;
}

/** Finds projects for the files that are open. */
export function openProjects(documents: () => readonly TextDocument[], tools: EditorTools): OpenProjects {
  const folders = new Map<string, EditorFolder>();
  const roots = new Map<string, Promise<string | undefined>>();
  const rootOf = (folder: string): Promise<string | undefined> => {
    const known = roots.get(folder) ?? projectRoot(folder, openPaths(documents()));
    roots.set(folder, known);
    return known;
  };
  const folderAt = (root: string): EditorFolder => {
    const known = folders.get(root) ?? openEditorFolder(root, () => textsBelow(root, documents()), tools);
    folders.set(root, known);
    return known;
  };
  return {
    async find(uri) {
      const path = filePathOf(uri);
      const root = path === undefined ? undefined : await rootOf(dirname(path));
      if (path === undefined || root === undefined) return undefined;
      return { folder: folderAt(root), file: relative(root, path).split(sep).join("/") };
    },
    folders: () => [...folders.values()],
    uriOf: ({ root }, file) => uriOfOpen(join(root, file), documents()),
    invalidate() {
      roots.clear();
      for (const folder of folders.values()) folder.invalidate();
    },
    release() {
      roots.clear();
      const used = openPaths(documents());
      for (const root of folders.keys())
        if (![...used].some((path) => path.startsWith(`${root}${sep}`))) folders.delete(root);
    },
  };
}

/** The editor's own spelling of the address of a file that it has open. */
function uriOfOpen(path: string, documents: readonly TextDocument[]): string {
  return documents.find(({ uri }) => filePathOf(uri) === path)?.uri ?? pathToFileURL(path).href;
}

function filePathOf(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? resolve(fileURLToPath(uri)) : undefined;
  } catch {
    return undefined;
  }
}

function openPaths(documents: readonly TextDocument[]): ReadonlySet<string> {
  return new Set(documents.flatMap(({ uri }) => filePathOf(uri) ?? []));
}

function textsBelow(root: string, documents: readonly TextDocument[]): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const document of documents) {
    const path = filePathOf(document.uri);
    if (path?.startsWith(`${root}${sep}`)) texts[relative(root, path).split(sep).join("/")] = document.getText();
  }
  return texts;
}

/** The nearest folder from this one up that has a project. */
async function projectRoot(folder: string, open: ReadonlySet<string>): Promise<string | undefined> {
  for (let above = folder; ; above = dirname(above)) {
    for (const name of [mainFile, programFile, cdktfFile]) {
      const path = join(above, name);
      if (open.has(path) || (await pathExists(path))) return above;
    }
    if (above === dirname(above)) return undefined;
  }
}
