import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitWords, unreadableNames } from "../../src/kinds/field-parts.ts";

const isReadable = (name: string) => unreadableNames([[["name"], name]]).length === 0;

describe("a name", () => {
  test("can be read unless it has hidden characters, or none that is seen", () => {
    const characters = fc.constantFrom(..."aZ0 ~!/é日\n\t\u0007\u007f\u00a0\u00ad\u2028\u200b\ud800");
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 4 }), (each) => {
        const name = each.join("").trim();
        const isHidden = /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name);
        const isSeen = /[^\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(name);
        expect(isReadable(name)).toBe(!isHidden && (name === "" || isSeen));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["", true],
    ["Buy & pay (2)", true],
    ["a\tb", false],
    ["\u200b", false],
  ])("%j can be read: %j", (name, is) => {
    expect(isReadable(name)).toBe(is);
  });
});

describe("words with commas between them", () => {
  test.each([
    ["a, b ,c", ["a", "b", "c"]],
    [",a,, b,", ["a", "b"]],
    ["", []],
    [" ", []],
    [7, ["7"]],
    [null, []],
  ])("%j are %j", (value, words) => {
    expect(splitWords(value)).toEqual(words);
  });
});
