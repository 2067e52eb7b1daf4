import { describe, expect, test } from "vitest";
import { didYouMean, nearest } from "../../src/model/did-you-mean.ts";

const fields = ["name", "description", "durationSecs", "iterations", "concurrentClients", "step"];

describe("did you mean", () => {
  test.each([
    ["a letter too few", "nme", "name"],
    ["a letter too many", "naame", "name"],
    ["another letter", "nane", "name"],
    ["neighbours swapped", "nmae", "name"],
    ["another case", "durationsecs", "durationSecs"],
    ["two mistakes in a long word", "concurentClient", "concurrentClients"],
    ["nothing near", "zzz", undefined],
    ["a short word with too many mistakes", "stop me", undefined],
    ["nothing to choose from", "", undefined],
  ])("%s: %s is %s", (_, found, expected) => {
    expect(nearest(found, fields)).toBe(expected);
  });

  test("takes the nearest, and the first of equals", () => {
    expect(nearest("staging", ["stagings", "staging1", "staging"])).toBe("staging");
    expect(nearest("ab", ["ax", "ay"])).toBe("ax");
  });

  test("is a sentence to append, or nothing", () => {
    expect(didYouMean("nmae", fields)).toBe(" Did you mean name?");
    expect(didYouMean("zzz", fields)).toBe("");
  });
});
