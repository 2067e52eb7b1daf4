import fc from "fast-check";
import { expect, test } from "vitest";
import { type Wild, wildMatcher } from "../../src/model/wildcards.ts";

const many: Wild = { accepts: () => true, repeats: true };
const one: Wild = { accepts: () => true, repeats: false };
const digits: Wild = { accepts: (character) => /\d/.test(character), repeats: true };
const wilds: Readonly<Record<string, Wild>> = { "*": many, "?": one, "#": digits };
const partsOf = (pattern: string) => [...pattern].map((character) => wilds[character] ?? character);

test.each([
  ["abc", "abc", true],
  ["abc", "abcd", false],
  ["", "", true],
  ["*.yaml", ".yaml", true],
  ["*.yaml", "a.yaml", true],
  ["*.yaml", "a.yaml.bak", false],
  ["ab*ba", "aba", false],
  ["ab*ba", "abba", true],
  ["a#z", "a12z", true],
  ["a#z", "a1bz", false],
  ["😀?😀", "😀ä😀", true],
])("%s matches %s: %s", (pattern, text, isMatch) => {
  expect(wildMatcher(partsOf(pattern))(text)).toBe(isMatch);
});

/** The same by trying every length of every wildcard. */
function matches([part, ...rest]: readonly (string | Wild)[], text: string): boolean {
  if (part === undefined) return text === "";
  const [first] = text;
  const accepts = (character: string) => (typeof part === "string" ? part === character : part.accepts(character));
  if (typeof part !== "string" && part.repeats && matches(rest, text)) return true;
  if (first === undefined || !accepts(first)) return false;
  const after = text.slice(first.length);
  return typeof part !== "string" && part.repeats ? matches([part, ...rest], after) : matches(rest, after);
}

test("any pattern matches what trying every length finds", () => {
  const word = (characters: string) => fc.array(fc.constantFrom(...characters), { maxLength: 7 });
  const property = fc.property(word("ab1*?#"), word("ab1"), (pattern, text) => {
    const parts = partsOf(pattern.join(""));
    expect(wildMatcher(parts)(text.join(""))).toBe(matches(parts, text.join("")));
  });
  fc.assert(property, { numRuns: 500, seed: 20_261_127 });
});
