import { findCycles, roomOf } from "./check-layers.ts";
import type { SourceFile } from "./source-files.ts";

/** What the ceilings of test/ceilings.test.ts count; each list names its files, so that a failure says where. */
export interface HouseFigures {
  readonly files: number;
  /** Files lying in each folder of `src`, without what lies in folders below it. */
  readonly filesPerFolder: Readonly<Record<string, number>>;
  /** Files whose only importer stands in the same folder: `path <- importer`. */
  readonly singleImporters: readonly string[];
  /** Files with 20 or more imports of other files of `src`: `path: count`. */
  readonly wideImporters: readonly string[];
  /** Cycles among files, imports of types counted. */
  readonly cycles: readonly string[];
}

/** Measures the files of `src`. */
export function houseFigures(sources: readonly SourceFile[]): HouseFigures {
  const importers = importersOf(sources);
  const filesPerFolder: Record<string, number> = {};
  for (const { path } of sources) filesPerFolder[folderOf(path)] = (filesPerFolder[folderOf(path)] ?? 0) + 1;
  return {
    files: sources.length,
    filesPerFolder,
    singleImporters: [...importers].flatMap(([path, by]) => {
      const [only] = by;
      const isSingle = by.size === 1 && only !== undefined && folderOf(only) === folderOf(path);
      return isSingle && !dataFolders.has(folderOf(path)) ? [`${path} <- ${only}`] : [];
    }),
    wideImporters: sources.flatMap((source) => {
      const count = new Set(localTargets(source)).size;
      return count >= 20 && !/(?:^|\/)index\.ts$/.test(source.path) ? [`${source.path}: ${count}`] : [];
    }),
    cycles: findCycles(sources, { types: true }),
  };
}

/** Folders of tables: one file per kind, per section of the API or per command, listed by one door. */
const dataFolders: ReadonlySet<string> = new Set(["kinds", "api", "cli/commands"]);

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : roomOf(path);
}

function importersOf(sources: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const target of localTargets(source)) {
      const known = importers.get(target) ?? new Set();
      importers.set(target, known.add(source.path));
    }
  }
  return importers;
}

function localTargets({ imports }: SourceFile): readonly string[] {
  return imports.flatMap(({ target }) => (target === undefined || target.startsWith("..") ? [] : [target]));
}
