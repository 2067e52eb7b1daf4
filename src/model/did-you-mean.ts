import type { Diagnostic, Suggestion } from "./diagnostic.ts";

/** Longer words are no slips of a finger, and would take long to compare. */
const longest = 200;

/** The candidate that a person most likely meant, or undefined when none is near. */
export function nearest(found: string, candidates: Iterable<string>): string | undefined {
  if (found.length > longest) return undefined;
  const limit = Math.max(1, Math.floor(found.length / 3));
  const lower = found.toLowerCase();
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - found.length) > limit) continue;
    const distance = editDistance(lower, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** The hint as a sentence to append, empty when nothing is near. */
export function didYouMean(found: string, candidates: Iterable<string>): string {
  const near = nearest(found, candidates);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}

/** A detail with the hint at its end, and the hint as data for editors; with other advice where nothing is near. */
export function hinted(
  detail: string,
  word: { readonly found: string; readonly among: Iterable<string>; readonly otherwise?: string },
): Hinted {
  const { found, among, otherwise = "" } = word;
  const instead = nearest(found, among);
  return instead === undefined ? { detail: withHint(detail, otherwise) } : meaning(detail, { found, instead });
}

/** The parts of a diagnostic that say what was meant. */
export type Hinted = Pick<Diagnostic, "detail" | "suggestion">;

/** A detail with a hint at its end that is known already. */
export function meaning(detail: string, suggestion: Suggestion): Hinted {
  return { detail: withHint(detail, ` Did you mean ${suggestion.instead}?`), suggestion };
}

function withHint(text: string, hint: string): string {
  return hint === "" ? text : `${text}.${hint}`;
}

/** Edits (insert, delete, replace, swap neighbours) between two words; stops counting at `limit`. */
function editDistance(left: string, right: string, limit: number): number {
  const at = (distances: readonly number[], index: number) => distances[index] ?? limit;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = at(previous, column - 1) + Number(left[row - 1] !== right[column - 1]);
      const edited = Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1);
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const beforeSwap = isSwapped ? at(before, column - 2) : edited;
      current.push(Math.min(edited, beforeSwap + 1));
    }
    if (Math.min(...current) >= limit) return limit;
    [before, previous] = [previous, current];
  }
  return previous[right.length] ?? limit;
}

const mostNames = 20;

/** Names that are taken and that nobody offers; a number is an id, which every object has. */
export function notOffered(taken: readonly string[], offered: readonly string[]): readonly string[] {
  return taken.filter((name) => !offered.includes(name) && !/^\d+$/.test(name));
}

/** The words for a name that nobody offers: the names that are offered, and the most likely one. */
export function notOfferedWords(
  name: string,
  { kind, giver, offered }: { readonly kind: string; readonly giver: string; readonly offered: readonly string[] },
): string {
  const all = [...new Set(offered)].sort();
  return `${giver} has no ${kind} ${JSON.stringify(name)}. It has ${listedWords(all)}.${meant(name, all)}`;
}

/** The words for a name that is offered and deactivated. */
export function deactivatedWords(kind: string, giver: string): string {
  return `The ${kind} of ${giver} is deactivated: no agent runs there. Declare it, which activates it again, or name another one`;
}

/** The objects that the service has, for a reference that leads to nothing. */
export function foundInstead(objects: readonly { readonly name: string; readonly id: string }[]): string {
  return `The service has ${listedWords(objects.map(({ name, id }) => `${JSON.stringify(name)} (id ${id})`))}.`;
}

function listedWords(words: readonly string[]): string {
  if (words.length === 0) return "none";
  const more = words.length - mostNames;
  return `${words.slice(0, mostNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A part of the right name is meant as well: `us-east-1`. */
function meant(name: string, all: readonly string[]): string {
  const longer = all.filter((each) => each.includes(name));
  return longer.length === 1 ? ` Did you mean ${longer[0]}?` : didYouMean(name, all);
}
