import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { canonicalJson, sameJson } from "../../src/model/json.ts";

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
