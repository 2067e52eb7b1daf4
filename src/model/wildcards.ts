/** A wildcard: which characters it matches, and whether any number of them. */
export interface Wild {
  readonly accepts: (character: string) => boolean;
  readonly repeats: boolean;
}

/**
 * A test for whole texts, in time that grows with pattern and text only: all places in the pattern where the text so far
 * may have led are followed at once, nothing is tried again. Patterns may be written by an attacker.
 */
export function wildMatcher(pattern: readonly (string | Wild)[]): (text: string) => boolean {
  // Two equal stars in a row say no more than one.
  const parts = pattern.filter((part, index) => !isRepeating(part) || part !== pattern[index - 1]);
  const fixed = parts.filter((part) => !isRepeating(part)).length;
  const isWild = (part: string | Wild) => typeof part !== "string";
  const [first, last] = [parts.findIndex(isWild), parts.findLastIndex(isWild)];
  const [start, end] = [parts.slice(0, first < 0 ? parts.length : first).join(""), parts.slice(last + 1).join("")];
  if (first < 0) return (text) => text === start;
  const rest = parts.slice(first, last + 1);
  const least = fixed - parts.length + rest.length;
  return (text) => {
    if (!text.startsWith(start) || !text.endsWith(end) || text.length < start.length + end.length) return false;
    const characters = [...text.slice(start.length, text.length - end.length)];
    return least <= characters.length && isAccepted(rest, characters);
  };
}

function isRepeating(part: string | Wild | undefined): boolean {
  return typeof part === "object" && part.repeats;
}

function isAccepted(parts: readonly (string | Wild)[], characters: readonly string[]): boolean {
  let places = skipping(parts, [0]);
  for (const character of characters) {
    const accepting = places.filter((place) => accepts(parts[place], character));
    if (accepting.length === 0) return false;
    places = skipping(
      parts,
      accepting.map((place) => (isRepeating(parts[place]) ? place : place + 1)),
    );
  }
  return places.includes(parts.length);
}

function accepts(part: string | Wild | undefined, character: string): boolean {
  return typeof part === "object" ? part.accepts(character) : part === character;
}

/** The same places, and those behind wildcards that may match nothing; each once, in order. */
function skipping(parts: readonly (string | Wild)[], places: readonly number[]): readonly number[] {
  const found: number[] = [];
  for (const place of places) {
    if (place <= (found.at(-1) ?? -1)) continue;
    found.push(place);
    for (let at = place; isRepeating(parts[at]); at++) found.push(at + 1);
  }
  return found;
}
