import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, type Json, jsonProblemPlace, sameJson } from "../../src/model/json.ts";

const keys = fc.constantFrom("a", "b", "toString", "__proto__");
/** Few values, so that two of them are often equal or nearly so. */
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<Json>(null, 0, 1, "", "1", true, false) },
    { weight: 1, arbitrary: fc.array(tie("value"), { maxLength: 2 }) },
    { weight: 2, arbitrary: fc.dictionary(keys, tie("value"), { maxKeys: 2, noNullPrototype: true }) },
  ),
})).value;

describe("two JSON values", () => {
  test("are the same when their canonical texts are", () => {
    fc.assert(
      fc.property(values, values, (left, right) => {
        expect(sameJson(left, right)).toBe(canonicalJson(left) === canonicalJson(right));
        expect(sameJson(left, JSON.parse(JSON.stringify(left)) as Json)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1, b: 1 }, { a: 1 }],
    [{}, []],
    [[], {}],
    [null, {}],
    [{}, null],
    [
      [1, 2],
      [2, 1],
    ],
  ])("%j and %j differ", (left, right) => {
    expect(sameJson(left, right)).toBe(false);
  });

  test("are the same in whatever order their members are", () => {
    expect(sameJson({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
  });
});

describe("the place where a text stops being JSON", () => {
  test.each([
    ['{\n  "a": x\n}', 2, 8],
    ['{ "a": tru,\n}', 1, 11],
    ['{ "a": 1 }\n  b', 2, 3],
    ['{ "a": [1, 2', 1, 13],
    ["", 1, 1],
    ["project: shop", 1, 1],
  ])("of %j is line %d, column %d", (text, line, column) => {
    expect(jsonProblemPlace(text)).toEqual({ line, column });
  });

  test("is the end of a text that was cut off anywhere", () => {
    const text = '{"a":[1,-2.5e+3,true,null,"x\\u00e9\\n"],"b":{"c":false}}';
    for (let length = 0; length < text.length; length++)
      expect(jsonProblemPlace(text.slice(0, length))).toEqual({ line: 1, column: length + 1 });
  });
});
