import { atFirstUse } from "../model/group-by.ts";
import { type Wild, wildMatcher } from "../model/wildcards.ts";

/** A search for the files of a glob: where to look, and which to take. */
export interface FileMatcher {
  /** The folder below which all matches are, "" for the whole project. */
  readonly base: string;
  /** True for a pattern that is a plain path. */
  readonly isPlain: boolean;
  matches(path: string): boolean;
  /** False where nothing below this folder can match. */
  enters(folder: string): boolean;
}

/** No path is longer on any system that we know, so nothing longer matches one. */
const longest = 4096;

/**
 * The matcher of a glob, relative to the project folder: `*` and `?` stay within one name, `**` crosses folders, `[a-z]` and `{a,b}` are
 * alternatives, a backslash takes the next character as it is. What begins with a dot is only matched by a dot.
 */
export function fileMatcher(pattern: string): FileMatcher {
  if (pattern.length > longest) return { base: pattern, isPlain: true, matches: () => false, enters: () => false };
  const alternatives = withoutBraces(pattern).map((each) => each.split("/"));
  const matchers = atFirstUse(() => alternatives.map(pathMatcher));
  const isPlain = !/[*?[]/.test(pattern) && alternatives.length === 1;
  const deepest = /\*\*|\{/.test(pattern) ? Number.POSITIVE_INFINITY : depthOf(pattern);
  return {
    base: isPlain ? pattern.replaceAll(/\\(.)/g, "$1") : plainFolder(pattern),
    isPlain,
    matches: (path) => matchers().some((matches) => matches(path.split("/"))),
    enters: (folder) => pattern.startsWith(`${folder}/`) || (depthOf(folder) < deepest && !isSkipped(folder)),
  };
}

const depthOf = (path: string): number => path.split("/").length;

/** Folders that hold no sources: those of tools and of npm. */
function isSkipped(folder: string): boolean {
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  return name.startsWith(".") || name === "node_modules";
}

/** The names in front of the first that is not plain. */
function plainFolder(pattern: string): string {
  const names = pattern.split("/");
  const first = names.findIndex((name) => /[*?[{\\]/.test(name));
  return names.slice(0, first < 0 ? -1 : first).join("/");
}

/** More alternatives than anybody writes. */
const mostAlternatives = 1000;

/** The patterns that `{a,b}` means, from the innermost braces on; those without a comma are a part of a name. */
function withoutBraces(pattern: string): readonly string[] {
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0 && open.length + done.length <= mostAlternatives) {
    const next: string[] = [];
    for (const each of open) {
      const braces = /(?<!\\)\{([^{},]*,[^{}]*)\}/.exec(each);
      if (braces === null) done.push(each);
      else
        for (const choice of (braces[1] ?? "").split(","))
          next.push(each.slice(0, braces.index) + choice + each.slice(braces.index + braces[0].length));
    }
    open = next;
  }
  return [...done, ...open];
}

type NameMatcher = "**" | ((name: string) => boolean);

function pathMatcher(pattern: readonly string[]): (names: readonly string[]) => boolean {
  const parts = pattern
    .filter((part, index) => part !== "**" || pattern[index - 1] !== "**")
    .map((part): NameMatcher => (part === "**" ? part : nameMatcher(part)));
  return (names) => {
    let places = new Set(afterFolders(parts, [0]));
    for (const name of names) {
      const next = [...places].flatMap((place) => {
        const part = parts[place];
        if (part === "**") return name.startsWith(".") ? [] : [place];
        return part?.(name) ? [place + 1] : [];
      });
      places = new Set(afterFolders(parts, next));
    }
    return places.has(parts.length);
  };
}

/** The same places, and those behind folders that may be missing. */
function afterFolders(parts: readonly NameMatcher[], places: readonly number[]): readonly number[] {
  return places.flatMap((place) => (parts[place] === "**" ? [place, place + 1] : [place]));
}

const anything = { accepts: () => true };
const many: Wild = { ...anything, repeats: true };
const one: Wild = { ...anything, repeats: false };

function nameMatcher(pattern: string): (name: string) => boolean {
  const parts = (pattern.match(/\\.|\[!?\]?[^\]]*\]|./gsu) ?? []).map(partOf);
  const matches = wildMatcher(parts);
  return (name) => (parts[0] === "." || !name.startsWith(".")) && matches(name);
}

function partOf(text: string): string | Wild {
  if (text === "*") return many;
  if (text === "?") return one;
  if (text.startsWith("\\") && text.length > 1) return text.slice(1);
  return text.startsWith("[") && text.length > 1 ? oneOf(text.slice(1, -1)) : text;
}

/** `[abc]`, `[a-z]`, `[!abc]`. */
function oneOf(set: string): Wild {
  const isNot = /^[!^]/.test(set);
  const ranges = (isNot ? set.slice(1) : set).match(/.-.|./gsu) ?? [];
  const isIn = (character: string) =>
    ranges.some((range) => {
      const [from = "", , to = from] = range;
      return character >= from && character <= to;
    });
  return { accepts: (character) => isIn(character) !== isNot, repeats: false };
}
