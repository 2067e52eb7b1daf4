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

/** Edits (insert, delete, replace, swap neighbours) between two words; stops counting at `limit`. */
function editDistance(left: string, right: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++)
      current.push(cell({ left, right, row, column, before, previous, current }));
    if (Math.min(...current) >= limit) return limit;
    [before, previous] = [previous, current];
  }
  return previous[right.length] ?? limit;
}

interface Cell {
  readonly left: string;
  readonly right: string;
  readonly row: number;
  readonly column: number;
  readonly before: readonly number[];
  readonly previous: readonly number[];
  readonly current: readonly number[];
}

function cell({ left, right, row, column, before, previous, current }: Cell): number {
  const same = left[row - 1] === right[column - 1];
  const replaced = (previous[column - 1] ?? 0) + (same ? 0 : 1);
  const edited = Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
  const swaps = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
  return swaps ? Math.min(edited, (before[column - 2] ?? 0) + 1) : edited;
}

/** The most names that a message lists. */
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
  return `${giver} has no ${kind} ${JSON.stringify(name)}. It has ${listed(all)}.${meant(name, all)}`;
}

/** The objects that the service has, for a reference that leads to nothing. */
export function foundInstead(objects: readonly { readonly name: string; readonly id: string }[]): string {
  return `The service has ${listed(objects.map(({ name, id }) => `${JSON.stringify(name)} (id ${id})`))}.`;
}

function listed(words: readonly string[]): string {
  if (words.length === 0) return "none";
  const more = words.length - mostNames;
  return `${words.slice(0, mostNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A part of the right name is meant as well: `us-east-1`. */
function meant(name: string, all: readonly string[]): string {
  const longer = all.filter((each) => each.includes(name));
  return longer.length === 1 ? ` Did you mean ${longer[0]}?` : didYouMean(name, all);
}
