import { allIncludes, loadDocuments } from "../config/load-documents.ts";
import { mergeDocuments, type SourceDocument } from "../config/merge-documents.ts";
import { moduleSources } from "../config/modules/module-files.ts";
import type { ParseCache } from "../config/parse-cache.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Field } from "../model/field.ts";
import type { Hash } from "../model/fingerprint.ts";
import type { AnyKind } from "../model/kind.ts";
import { moduleShape } from "../schema/module-shape.ts";
import { projectShape } from "../schema/project-shape.ts";
import { fileMatcher } from "../workspace/match-files.ts";
import { memoryWorkspace, overlayWorkspace } from "../workspace/memory-workspace.ts";
import { workTreeFiles } from "../workspace/work-tree.ts";
import { cdktfFile, mainFile, programFile, type Workspace } from "../workspace/workspace.ts";
import { indexModules } from "./module-index.ts";
import { indexProject, type ProjectIndex } from "./project-index.ts";

/** The tools that the server is given: the kinds, and the check of a project. */
export interface EditorTools {
  readonly kinds: readonly AnyKind[];
  readonly hash: Hash;
  /** The folder on disk. */
  readonly open: (root: string) => Workspace;
  /** All offline checks, of the files in a workspace. */
  readonly check: (workspace: Workspace, cache: ParseCache) => Promise<readonly Diagnostic[]>;
  /** The canonical form of a file; undefined where it has none. */
  readonly format: (text: string, isModule: boolean) => string | undefined;
  /** The version of loadform. */
  readonly version: string;
}

/** A project as an editor has it: its folder, and the texts of open files over it. */
export interface EditorFolder {
  readonly root: string;
  /** True where a program declares the project: it is not run for an editor. */
  isProgram(): Promise<boolean>;
  /** The files as they are now, seen from one of them; a file that cannot be read remains as it was when it last could. */
  index(file: string): Promise<ProjectIndex>;
  /** Files that cannot be read as YAML now: what they name is not known. */
  unread(): Promise<readonly string[]>;
  /** True for a file that the project reads. */
  reads(file: string): Promise<boolean>;
  check(): Promise<readonly Diagnostic[]>;
  text(file: string): Promise<string>;
  /** Paths of files, relative to the folder of one of them: YAML that the project does not include, or everything else. */
  filesFrom(file: string, what: "modules" | "contents"): Promise<readonly string[]>;
  /** Something changed: what was read is read again. */
  invalidate(): void;
}

/** Opens a project folder for an editor; `texts` are the open files by path in it. */
export function openEditorFolder(
  root: string,
  texts: () => Readonly<Record<string, string>>,
  tools: EditorTools,
): EditorFolder {
  const disk = tools.open(root);
  // No program is seen through it, so none can be run.
  const workspace = () => overlayWorkspace(disk, memoryWorkspace(texts(), root), new Set([programFile, cdktfFile]));
  const cache = memoryCache();
  const read = indexReader(workspace, cache, tools);
  let current: ReturnType<typeof read> | undefined;
  const reading = () => {
    current ??= read();
    return current;
  };
  return {
    root,
    index: async (file) => (await reading()).of(file),
    unread: async () => (await reading()).unread,
    isProgram: async () => (await disk.exists(programFile)) || (await disk.exists(cdktfFile)),
    async reads(file) {
      const { sources, modules } = (await reading()).of("");
      if (modules.sources.has(file)) return true;
      if (file === mainFile || sources.some((source) => source.file === file)) return true;
      const main = sources.find((source) => source.file === mainFile)?.value ?? {};
      const patterns = allIncludes(main).flatMap((list) => list.patterns);
      return patterns.some((each) => typeof each === "string" && fileMatcher(each).matches(file));
    },
    check: () => tools.check(workspace(), cache),
    text: (file) => workTreeFiles(workspace()).readText(file),
    async filesFrom(file, what) {
      const { sources } = (await reading()).of("");
      const isOwn = new Set([mainFile, file, ...sources.map((source) => source.file)]);
      const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/") + 1) : "";
      const all = await workspace().glob([`${folder}**/*`]);
      return all
        .filter((each) => /\.ya?ml$/.test(each) === (what === "modules") && !isOwn.has(each))
        .map((each) => each.slice(folder.length))
        .slice(0, mostFiles);
    },
    invalidate: () => {
      current = undefined;
    },
  };
}

/** Reads the files of a folder; what cannot be read at the time is as it was when it last could. */
function indexReader(workspace: () => Workspace, cache: ParseCache, { kinds, hash }: EditorTools) {
  let lastGood: ReadonlyMap<string, SourceDocument> = new Map();
  let lastModules: ReadonlyMap<string, SourceDocument> = new Map();
  return async () => {
    const { sources, parsed, diagnostics } = await loadDocuments(
      mainFile,
      { workspace: workspace(), hash, cache },
      allIncludes,
    );
    if (parsed) await cache.write(parsed);
    const known = new Map(sources.map((source) => [source.file, source]));
    const isMainBroken = !known.has(mainFile) && (await workspace().exists(mainFile));
    const broken = new Set(diagnostics.map(({ file }) => file));
    const missing = [...lastGood.values()].filter(({ file }) => !known.has(file) && (isMainBroken || broken.has(file)));
    const all = [...known.values(), ...missing];
    const main = all.filter(({ file }) => file === mainFile);
    lastGood = new Map(all.map((source) => [source.file, source]));
    const own = [...main, ...all.filter((source) => !main.includes(source))];
    // Modules may be anywhere in the work tree.
    const files = workTreeFiles(workspace());
    const read = await moduleSources(own, { workspace: files, hash });
    const modules = new Map(read.map((source) => [source.file, source]));
    const unread = new Set([...broken].filter((file): file is string => file !== undefined && !known.has(file)));
    for (const [file, source] of lastModules)
      if (!modules.has(file) && (await files.exists(file))) {
        modules.set(file, source);
        unread.add(file);
      }
    lastModules = modules;
    return { of: indexesOf(own, modules, kinds), unread: [...unread] };
  };
}

/** The index of the project, and by its file that of each module. */
function indexesOf(
  own: readonly SourceDocument[],
  found: ReadonlyMap<string, SourceDocument>,
  kinds: readonly AnyKind[],
): (file: string) => ProjectIndex {
  const { document } = projectShape(kinds);
  const { testCases } = document.fields ?? {};
  const moduleDocument: Field = { ...moduleShape, fields: { ...moduleShape.fields, ...(testCases && { testCases }) } };
  const merged = (sources: readonly SourceDocument[]) => mergeDocuments(sources, kinds).document;
  const modules = indexModules(own, [...found.values()], { kinds, merged });
  const made = new Map<string, ProjectIndex>();
  const of = (file = ""): ProjectIndex => {
    const module = found.get(file);
    const key = module?.file ?? "";
    const shape = module === undefined ? document : moduleDocument;
    const index =
      made.get(key) ?? indexProject(own, { kinds, document: shape, modules, of, ...(module && { module }) });
    made.set(key, index);
    return index;
  };
  return of;
}

/** Files that are proposed; a folder may have any number. */
const mostFiles = 500;

/** A parse cache that lives as long as the server, and holds what the last reading used. */
function memoryCache(): ParseCache {
  let held: ReadonlyMap<string, string> = new Map();
  return {
    read: async () => held,
    write: async (made) => {
      held = made;
    },
  };
}
