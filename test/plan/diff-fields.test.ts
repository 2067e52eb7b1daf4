import { describe, expect, test } from "vitest";
import { flag, integer, list, text } from "../../src/model/field.ts";
import type { Json } from "../../src/model/json.ts";
import { sameJson } from "../../src/model/json.ts";
import { defineKind } from "../../src/model/kind.ts";
import { diffFields } from "../../src/plan/diff-fields.ts";

const toy = defineKind({
  name: "toy",
  plural: "toys",
  description: "A kind for tests.",
  fields: {
    plain: text({ description: "No default." }),
    standard: integer({ description: "With a default.", default: 10 }),
    zero: integer({ description: "A falsy default.", default: 0 }),
    items: list(text({ description: "One." }), { description: "A list.", default: [] }),
    isOn: flag({ description: "A switch.", default: true }),
    fixed: text({ description: "Replaced.", change: "replace" }),
  },
  remote: {},
});

const pools: Readonly<Record<keyof typeof toy.fields, readonly Json[]>> = {
  plain: ["x", "y", "", "z"],
  standard: [10, 11, 0, 12],
  zero: [0, 1, 2, 3],
  items: [[], ["a"], ["a", "b"], ["c"]],
  isOn: [true, false],
  fixed: ["x", "y"],
};

interface Expected {
  readonly send?: Json;
  readonly applied?: Json;
  readonly released?: true;
  readonly cause?: string;
}

/** The table of engine.md 2.11, written a second time and independently, row by row. */
function expected(of: {
  d: Json | undefined;
  l: Json | undefined;
  v: Json | undefined;
  standard: Json | undefined;
  ignore: boolean;
}): Expected {
  const { d, l, standard, ignore } = of;
  const v = of.v ?? standard;
  const equal = (a: Json | undefined, b: Json | undefined) => sameJson(a, b);
  if (d !== undefined && d !== null) {
    if (equal(d, v)) return { applied: d };
    if (l !== undefined && equal(l, d)) return ignore ? { applied: d } : { send: d, applied: d, cause: "drift" };
    return { send: d, applied: d, cause: l !== undefined && !equal(l, v) ? "both" : "change" };
  }
  if (d === null)
    return v === undefined || equal(v, standard)
      ? { applied: null }
      : { send: null, applied: null, cause: l === null ? "drift" : "change" };
  if (l === undefined || l === null) return {};
  if (!equal(l, v)) return { released: true };
  if (standard === undefined) return { released: true };
  return equal(v, standard) ? {} : { send: null, cause: "change" };
}

describe("three-way diff of one field (P14)", () => {
  for (const [name, pool] of Object.entries(pools))
    test(`${name} follows the table for every combination of desired, applied and live`, () => {
      const standard = toy.fields[name as keyof typeof pools].default as Json | undefined;
      const wished: readonly (Json | undefined)[] = [undefined, null, ...pool];
      const live: readonly (Json | undefined)[] = [undefined, ...pool];
      let checked = 0;
      for (const d of wished)
        for (const l of wished)
          for (const v of live)
            for (const ignore of [false, true]) {
              const diff = diffFields({
                kind: toy,
                desired: d === undefined ? {} : { [name]: d },
                applied: l === undefined ? {} : { [name]: l },
                live: v === undefined ? {} : { [name]: v },
                ignore: ignore ? [name] : [],
                renewed: new Set(),
              });
              const actual: Expected = {
                ...(name in diff.send && { send: diff.send[name]! }),
                ...(name in diff.applied && { applied: diff.applied[name]! }),
                ...(diff.released.includes(name) && { released: true }),
                ...(diff.changes[0] && { cause: diff.changes[0].cause }),
              };
              expect(actual, JSON.stringify({ d, l, v, ignore })).toEqual(expected({ d, l, v, standard, ignore }));
              checked += 1;
            }
      expect(checked).toBe(wished.length * wished.length * live.length * 2);
    });

  test("a change that is sent is a change that is shown, and the other way round", () => {
    const diff = diffFields({
      kind: toy,
      desired: { plain: "new", standard: 11 },
      applied: { plain: "old", isOn: false },
      live: { plain: "old", standard: 11, isOn: false },
      ignore: [],
      renewed: new Set(),
    });
    expect(diff.changes.map(({ field }) => field).sort()).toEqual(Object.keys(diff.send).sort());
    expect(diff.send).toEqual({ plain: "new", isOn: null });
  });

  test("what refers to an object that gets a new id is sent again although nothing else changed", () => {
    const value = { ref: "toy.a" };
    const input = {
      kind: toy,
      desired: { plain: value },
      applied: { plain: value },
      live: { plain: value },
      ignore: [],
    };
    expect(diffFields({ ...input, renewed: new Set() }).send).toEqual({});
    expect(diffFields({ ...input, renewed: new Set(["toy.a"]) }).send).toEqual({ plain: value });
  });
});
