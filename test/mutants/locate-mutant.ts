import { readSources, type SourceFile } from "../support/source-files.ts";
import type { Mutant } from "./mutant.ts";

/** Where a mutant changes the sources. */
export interface MutantPlace {
  /** Path below src. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

type Located = Pick<Mutant, "within" | "from">;

const declaration = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/gm;

/** Finds the text of a mutant within its declaration; a sentence says why it cannot be found. */
export function mutantLocator(
  sources: readonly SourceFile[] = readSources(),
): (mutant: Located) => MutantPlace | string {
  const declared = new Map<string, MutantPlace[]>();
  for (const { path, text } of sources) {
    const starts = [...text.matchAll(declaration)];
    for (const [index, { 1: name = "", index: start }] of starts.entries()) {
      const place = { file: path, start, end: starts[index + 1]?.index ?? text.length };
      // Named alone, by its room, or by a folder of its room.
      const addresses = [
        name,
        ...path
          .split("/")
          .slice(0, -1)
          .map((folder) => `${folder}/${name}`),
      ];
      for (const address of new Set(addresses)) declared.set(address, [...(declared.get(address) ?? []), place]);
    }
  }
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  return ({ within, from }) => {
    const [place, other] = declared.get(within) ?? [];
    if (place === undefined) return `no declaration ${within}`;
    if (other !== undefined)
      return `${within} is declared in ${place.file} and in ${other.file}: name its room, or rename one`;
    const text = (texts.get(place.file) ?? "").slice(place.start, place.end);
    const found = [...text.matchAll(pattern(from))];
    const [match] = found;
    if (match === undefined || found.length > 1) return `${found.length} times "${from}" in ${within} (${place.file})`;
    const start = place.start + match.index;
    return { file: place.file, start, end: start + match[0].length };
  };
}

/** The text whatever its line breaks, and whether or not the last of several lines ends in a comma. */
function pattern(from: string): RegExp {
  const tokens = from.match(/\w+|[^\w\s]/g) ?? [];
  const parts = tokens.map((token) => {
    const escaped = token.replace(/[^\w]/g, "\\$&");
    return /[)\]}]/.test(token) ? `(?:,\\s*)?${escaped}` : escaped;
  });
  return new RegExp(parts.join("\\s*"), "g");
}
