import picomatch from "picomatch";

/** How to find the files of a glob: where to look, and which to take. */
export interface FileMatcher {
  /** The folder below which all matches lie, "" for the whole project. */
  readonly base: string;
  /** Whether the pattern is a plain path. */
  readonly isPlain: boolean;
  matches(path: string): boolean;
  /** Whether matches may lie below this folder. */
  enters(folder: string): boolean;
}

/** The matcher of a glob; `pattern` is relative to the project folder. */
export function fileMatcher(pattern: string): FileMatcher {
  const { base, isGlob } = picomatch.scan(pattern);
  const matches = picomatch(pattern);
  const deepest = /\*\*|[({]/.test(pattern) ? Number.POSITIVE_INFINITY : depthOf(pattern);
  return {
    base: isGlob ? base : pattern,
    isPlain: !isGlob,
    matches: (path) => matches(path),
    enters: (folder) => pattern.startsWith(`${folder}/`) || (depthOf(folder) < deepest && !isSkipped(folder)),
  };
}

const depthOf = (path: string): number => path.split("/").length;

/** Folders that hold no sources: those of tools and of npm. */
function isSkipped(folder: string): boolean {
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  return name.startsWith(".") || name === "node_modules";
}
