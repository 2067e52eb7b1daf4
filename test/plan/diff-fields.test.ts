import { describe, expect, test } from "vitest";
import { flag, integer, list, text } from "../../src/model/field.ts";
import { type Json, type JsonObject, sameJson } from "../../src/model/json.ts";
import { defineKind } from "../../src/model/kind.ts";
import { diffFields } from "../../src/plan/diff-fields.ts";

import { configuration, scenario, shop } from "../support/one-test-case.ts";
import { makeRig } from "../support/rig.ts";

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

interface Case {
  readonly d: Json | undefined;
  readonly l: Json | undefined;
  readonly v: Json | undefined;
  readonly ignore: boolean;
}

/** The table of docs/engine.md, Diff, written a second time and independently, row by row. */
function expected(of: Case, standard: Json | undefined): Expected {
  const live = of.v ?? standard;
  if (of.d === null) return whenCleared(of, live, standard);
  return of.d === undefined ? whenUnset(of, live, standard) : whenSet({ ...of, d: of.d }, live);
}

function whenSet({ d, l, ignore }: Case & { readonly d: Json }, live: Json | undefined): Expected {
  if (sameJson(d, live)) return { applied: d };
  if (l !== undefined && sameJson(l, d)) return ignore ? { applied: d } : { send: d, applied: d, cause: "drift" };
  return { send: d, applied: d, cause: l !== undefined && !sameJson(l, live) ? "both" : "change" };
}

function whenCleared({ l }: Case, live: Json | undefined, standard: Json | undefined): Expected {
  if (live === undefined || sameJson(live, standard)) return { applied: null };
  return { send: null, applied: null, cause: l === null ? "drift" : "change" };
}

function whenUnset({ l }: Case, live: Json | undefined, standard: Json | undefined): Expected {
  if (l === undefined || l === null) return {};
  if (!sameJson(l, live) || standard === undefined) return { released: true };
  return sameJson(live, standard) ? {} : { send: null, cause: "change" };
}

/** Every combination of the three sides, with and without `ignore`. */
function allCases(pool: readonly Json[]): readonly Case[] {
  const wished: readonly (Json | undefined)[] = [undefined, null, ...pool];
  const live: readonly (Json | undefined)[] = [undefined, ...pool];
  return wished.flatMap((d) =>
    wished.flatMap((l) => live.flatMap((v) => [false, true].map((ignore) => ({ d, l, v, ignore })))),
  );
}

function actual(name: string, { d, l, v, ignore }: Case): Expected {
  const side = (value: Json | undefined): JsonObject => (value === undefined ? {} : { [name]: value });
  const sides = { desired: side(d), applied: side(l), live: side(v) };
  const diff = diffFields({ kind: toy, ...sides, ignore: ignore ? [name] : [], renewed: new Set() });
  return {
    ...(name in diff.send && { send: diff.send[name]! }),
    ...(name in diff.applied && { applied: diff.applied[name]! }),
    ...(diff.released.includes(name) && { released: true }),
    ...(diff.changes[0] && { cause: diff.changes[0].cause }),
  };
}

describe("three-way diff of one field (P14)", () => {
  test.each(Object.entries(pools))(
    "%s follows the table for every combination of desired, applied and live",
    (name, pool) => {
      const standard = toy.fields[name as keyof typeof pools].default as Json | undefined;
      for (const each of allCases(pool))
        expect(actual(name, each), JSON.stringify(each)).toEqual(expected(each, standard));
      expect(allCases(pool).length).toBeGreaterThan(60);
    },
  );

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
    const renewed = diffFields({ ...input, renewed: new Set(["toy.a"]) });
    expect(renewed.send).toEqual({ plain: value });
    expect(renewed.changes.map(({ cause }) => cause)).toEqual(["change"]);
  });
});

describe("a choice that nobody declared", () => {
  const declared = (fields: JsonObject, ignore: readonly string[] = []) => {
    const { durationSecs: _none, ...rest } = configuration("s").fields;
    return shop([scenario("s"), { ...configuration("s"), fields: { ...rest, ...fields }, lifecycle: { ignore } }]);
  };
  const inConsole = async (tree: ReturnType<typeof declared>) => {
    const rig = makeRig();
    await rig.apply(tree);
    const body = { profileType: "Step", startConcurrentClients: 1, step: 1, durationSecs: 600 } as const;
    await rig.outside.call("PUT /test-confs/:confId", { params: { confId: 1 }, body });
    return rig;
  };

  test.each([{ rampupSecs: 5, durationSecs: 600 }, { iterations: 5 }])(
    "is sent back to its default where %j need it, as drift, and remains undeclared",
    async (fields) => {
      const rig = await inConsole(declared(fields));
      const change = { field: "profileType", before: "Step", after: "Flat", cause: "drift" };
      expect((await rig.plan(declared(fields))).plan?.changes).toMatchObject([
        { fields: expect.arrayContaining([expect.objectContaining(change)]) },
      ]);
      expect((await rig.apply(declared(fields))).status).toBe("applied");
      expect((await rig.plan(declared(fields))).plan?.changes).toEqual([]);
      const applied = (await rig.stored())?.state.resources["testCase.t/configuration.c"]?.applied;
      expect(applied).not.toHaveProperty("profileType");
    },
  );

  test("is left alone where no field needs it", async () => {
    const rig = await inConsole(declared({ durationSecs: 600 }));
    expect((await rig.plan(declared({ durationSecs: 600 }))).plan?.changes).toEqual([]);
    const rest = await inConsole(declared({ rampupSecs: 5, durationSecs: 600 }, ["rampupSecs"]));
    expect((await rest.plan(declared({ rampupSecs: 5, durationSecs: 600 }, ["rampupSecs"]))).plan?.changes).toEqual([]);
    const chosen = declared({ rampupSecs: 5, durationSecs: 600 }, ["profileType"]);
    expect((await (await inConsole(chosen)).plan(chosen)).plan?.changes).toEqual([]);
    const ignored = declared({ profileType: "Flat", iterations: 5 }, ["profileType"]);
    expect((await (await inConsole(ignored)).plan(ignored)).plan?.changes).toEqual([]);
    const gone = await inConsole(declared({ rampupSecs: 5, durationSecs: 600 }));
    expect((await gone.plan(declared({ durationSecs: 600 }))).plan?.changes).toEqual([]);
  });

  test("is left alone under `ignore` where it is the presence of a field, also after an apply", async () => {
    for (const ignore of [["durationSecs"], ["iterations", "durationSecs"]]) {
      const ignored = declared({ durationSecs: 60 }, ignore);
      const rig = makeRig();
      await rig.apply(ignored);
      await rig.outside.call("PUT /test-confs/:confId", { params: { confId: 1 }, body: { iterations: 5 } });
      for (let times = 0; times < 2; times++) expect((await rig.apply(ignored)).status).toBe("nothing");
      expect((await rig.plan(ignored)).plan?.changes).toEqual([]);
      expect((await rig.stored())?.state.resources["testCase.t/configuration.c"]?.applied).toMatchObject({
        durationSecs: 60,
      });
    }
  });
});
