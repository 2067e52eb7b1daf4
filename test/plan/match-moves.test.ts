import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { movesIn } from "../support/reshaped.ts";
import { makeRig } from "../support/rig.ts";

const testCase = (key: string, name: string, below: readonly Wish[] = []): Wish => ({
  kind: "testCase",
  key,
  fields: { name },
  below,
});
const scenario = (key: string, name: string, below: readonly Wish[] = []): Wish => ({
  kind: "scenario",
  key,
  fields: { name, script: `// ${key}` },
  below,
});
const store = (key: string, name: string): Wish => ({
  kind: "dataStore",
  key,
  fields: { name, contents: `${key}\n` },
  below: [],
});

/** Applies both, and answers what each address is bound to before and after. */
async function idsAround(before: readonly Wish[], after: readonly Wish[]) {
  const rig = makeRig();
  await rig.apply(toTree(before));
  const ids = async () =>
    Object.fromEntries(Object.entries((await rig.stored())!.state.resources).map(([address, { id }]) => [address, id]));
  const first = await ids();
  rig.takeWrites();
  const outcome = await rig.apply(toTree(after));
  const deletes = rig.service.requests.filter(({ method }) => method === "DELETE").length;
  const again = await rig.plan(toTree(after));
  return { first, second: await ids(), outcome, deletes, rest: again.plan?.changes, writes: rig.takeWrites() };
}

describe("names", () => {
  test.each([
    ["two names are swapped", ["one", "two"], ["two", "one"]],
    ["three names go round", ["one", "two", "three"], ["two", "three", "one"]],
    ["one takes the name that another gives up", ["one", "two"], ["two", "three"]],
    ["two circles at once", ["one", "two", "three", "four"], ["two", "one", "four", "three"]],
  ])("are unique, and still %s without a delete, ids kept", async (_, before, after) => {
    const wishes = (names: readonly string[]) => names.map((name, index) => testCase(`k${index}`, name));
    const { first, second, outcome, deletes, rest } = await idsAround(wishes(before), wishes(after));
    expect(outcome.diagnostics).toEqual([]);
    expect(second).toEqual(first);
    expect([deletes, rest]).toEqual([0, []]);
  });

  test("of data stores are swapped within their scenario", async () => {
    const wishes = (a: string, b: string) => [testCase("t", "T", [scenario("s", "S", [store("a", a), store("b", b)])])];
    const { first, second, deletes, rest } = await idsAround(wishes("a.csv", "b.csv"), wishes("b.csv", "a.csv"));
    expect(second).toEqual(first);
    expect([deletes, rest]).toEqual([0, []]);
  });

  test("of an object that goes can be taken by a new one in the same apply", async () => {
    const { outcome, rest } = await idsAround(
      [testCase("old", "Name", [scenario("s", "S")])],
      [testCase("new", "Name")],
    );
    expect(outcome.status).toBe("applied");
    expect(rest).toEqual([]);
  });
});

describe("keys", () => {
  test("that change while the content stays are moves: no write but the rename, ids kept", async () => {
    const below = [scenario("s", "S", [store("a", "a.csv")])];
    const { first, second, writes, deletes } = await idsAround(
      [testCase("old", "Name", below)],
      [testCase("new", "Other", below)],
    );
    expect(Object.values(second)).toEqual(Object.values(first));
    expect(Object.keys(second)).toEqual([
      "testCase.new",
      "testCase.new/scenario.s",
      "testCase.new/scenario.s/dataStore.a",
    ]);
    expect([writes, deletes]).toEqual([1, 0]);
  });

  test("that could be more than one old key stop with the lines to paste", async () => {
    const rig = makeRig();
    await rig.apply(toTree([testCase("a", "A"), testCase("b", "B")]));
    const { diagnostics } = await rig.plan(toTree([testCase("c", "C"), testCase("d", "D")]));
    expect(diagnostics).toMatchObject([
      { code: "LF3011", severity: "error", detail: expect.stringContaining("moved:") },
    ]);
  });

  test("that are not clear are asked about once, however many rounds of others there are", async () => {
    const rig = makeRig();
    const below = (key: string, inner: string) => [scenario(key, "S", [store(inner, "a.csv")])];
    await rig.apply(toTree([testCase("a", "A"), testCase("b", "B"), testCase("u", "U", below("s", "i"))]));
    const after = toTree([testCase("c", "C"), testCase("d", "D"), testCase("v", "U", below("s", "i"))]);
    const { diagnostics, plan } = await rig.plan(after);
    expect(plan?.summary).toMatchObject({ move: 3 });
    expect(diagnostics.map(({ code }) => code)).toEqual(["LF3011"]);
  });

  test("that stop so go on with the lines pasted: names tell which is which, and nothing is deleted", async () => {
    const rig = makeRig();
    const below = [scenario("s", "S")];
    await rig.apply(toTree([testCase("a", "A", below), testCase("b", "B", below), testCase("e", "E", below)]));
    const after = toTree([testCase("c", "B", below), testCase("d", "A", below)]);
    const { diagnostics } = await rig.plan(after);
    const moved = movesIn(diagnostics.find(({ code }) => code === "LF3011")!.detail);
    expect(moved).toEqual([
      { from: "testCase.a", to: "testCase.d" },
      { from: "testCase.b", to: "testCase.c" },
    ]);
    const outcome = await rig.apply(after, { moved });
    expect(outcome.plan?.plan?.summary).toMatchObject({ move: 4, update: 0, create: 0, delete: 2 });
    expect((await rig.stored())!.state.resources["testCase.c"]?.id).toBe(2);
  });

  test("of objects that refer to each other may all change at once", async () => {
    const configuration = (key: string, of: string): Wish => ({
      kind: "configuration",
      key,
      fields: {
        name: "C",
        scenario: { ref: `testCase.t/scenario.${of}` },
        providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
        durationSecs: 10,
        concurrentClients: 1,
      },
      below: [],
    });
    const plainly = (key: string): Wish => ({ kind: "scenario", key, fields: { name: "S", script: "x" }, below: [] });
    const { first, second, deletes, writes } = await idsAround(
      [testCase("t", "T", [plainly("s"), configuration("c", "s")])],
      [testCase("t", "T", [plainly("s2"), configuration("c2", "s2")])],
    );
    expect(Object.values(second)).toEqual(Object.values(first));
    expect([deletes, writes]).toEqual([0, 0]);
  });

  test.each([
    ["as key", { ref: "provider.grid" }],
    ["by name", { name: "Grid" }],
    ["by id", { id: 1 }],
  ])(
    "change with all below them, whose references are written %s: moves alone, and nothing changed outside",
    async (_, provider) => {
      const grid: Wish = { kind: "provider", key: "grid", fields: { name: "Grid", providerType: "Shared" }, below: [] };
      const region: Wish = {
        kind: "region",
        key: "dc",
        fields: { name: "dc", provider: { ref: "provider.grid" } },
        below: [],
      };
      const below = (of: string, reference: Json): readonly Wish[] => [
        scenario("s", "S"),
        {
          kind: "configuration",
          key: "c",
          fields: {
            name: "C",
            scenario: { ref: `testCase.${of}/scenario.s` },
            providers: [{ provider: reference, regions: ["dc"] }],
            durationSecs: 10,
            concurrentClients: 1,
          },
          below: [],
        },
      ];
      const rig = makeRig();
      const applied = await rig.apply(
        toTree([grid, region, testCase("old", "T", below("old", { ref: "provider.grid" }))]),
      );
      expect(applied.status).toBe("applied");
      const { plan } = await rig.plan(toTree([grid, region, testCase("new", "T", below("new", provider))]));
      expect(plan?.summary).toMatchObject({ move: 3, create: 0, update: 0, delete: 0 });
      expect(plan?.drift).toEqual([]);
    },
  );

  test("of a tag that nothing carries any more bind it at once, and it is not deleted", async () => {
    const tag = (key: string): Wish => ({ kind: "tag", key, fields: { name: "nightly" }, below: [] });
    const shop = (tags: readonly string[]): Wish =>
      testCase("shop", "shop", [
        { kind: "scenario", key: "s", fields: { name: "s", script: "1", tags: [...tags] }, below: [] },
      ]);
    const rig = makeRig();
    await rig.apply(toTree([shop(["nightly"]), tag("old")]));
    const outcome = await rig.apply(toTree([shop([]), tag("new")]));
    expect([outcome.status, outcome.counts?.delete]).toEqual(["applied", 0]);
    const bound = Object.entries((await rig.stored())?.state.resources ?? {}).filter(([, { kind }]) => kind === "tag");
    expect(bound.map(([address, { id }]) => [address, id])).toEqual([["tag.new", 1]]);
  });

  test("move on along a chain that is said, and stay where they are once it is done", async () => {
    const rig = makeRig();
    const moved = [
      { from: "testCase.a", to: "testCase.b" },
      { from: "testCase.b", to: "testCase.c" },
    ];
    await rig.apply(toTree([testCase("a", "A", [scenario("s", "S")]), testCase("b", "B")]));
    const after = toTree([testCase("b", "A", [scenario("s", "S")]), testCase("c", "B")]);
    const outcome = await rig.apply(after, { moved });
    expect(outcome.plan?.plan?.summary).toMatchObject({ move: 3, update: 0, create: 0, delete: 0 });
    expect((await rig.plan(after, { moved })).plan?.changes).toEqual([]);
    const more = toTree([testCase("a", "New"), testCase("b", "A", [scenario("s", "S")]), testCase("c", "B")]);
    expect((await rig.apply(more, { moved })).counts).toMatchObject({ create: 1, update: 0, delete: 0 });
    expect((await rig.plan(more, { moved })).plan?.changes).toEqual([]);
  });

  test("onto a key whose object still stands are refused, for one of the two would go", async () => {
    const rig = makeRig();
    await rig.apply(toTree([testCase("a", "A"), testCase("b", "B")]));
    const moved = [{ from: "testCase.b", to: "testCase.a" }];
    rig.takeWrites();
    const { status, diagnostics } = await rig.apply(toTree([testCase("a", "B")]), { moved });
    expect([status, diagnostics.map(({ code }) => code), rig.takeWrites()]).toEqual(["failed", ["LF3011"], 0]);
    const removed = [{ address: "testCase.b", destroy: false }];
    expect((await rig.apply(toTree([testCase("a", "A")]), { moved, removed })).counts).toMatchObject({ delete: 0 });
  });

  test.each(["testCase.b", "testCase.b/scenario.s", "testCase.a", "testCase.a/scenario.s"])(
    "onto a key whose object still stands are refused with --target %s too",
    async (target) => {
      const rig = makeRig();
      const below = [scenario("s", "S")];
      await rig.apply(toTree([testCase("a", "A", below), testCase("b", "B", below)]));
      const moved = [{ from: "testCase.b", to: "testCase.a" }];
      rig.takeWrites();
      const asked = { moved, targets: [target] };
      const { status, diagnostics } = await rig.apply(toTree([testCase("a", "A", [scenario("t", "T")])]), asked);
      expect([status, diagnostics.map(({ code }) => code), rig.takeWrites()]).toEqual(["failed", ["LF3011"], 0]);
    },
  );

  test("with other content too are taken for new ones, with the line that says otherwise; pasted, nothing is deleted", async () => {
    const rig = makeRig();
    await rig.apply(toTree([testCase("a", "A", [scenario("s", "S")]), testCase("b", "B")]));
    const after = toTree([testCase("z", "A", [{ ...scenario("s", "S"), fields: { name: "S", script: "2" } }])]);
    const { plan, diagnostics } = await rig.plan(after);
    expect([plan?.summary.delete, plan?.summary.create]).toEqual([3, 2]);
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([["warning", "LF3018"]]);
    const moved = movesIn(diagnostics[0]?.detail ?? "");
    expect(moved).toEqual([{ from: "testCase.a", to: "testCase.z" }]);
    const said = await rig.plan(after, { moved });
    expect(said.diagnostics).toEqual([]);
    expect(said.plan?.summary).toMatchObject({ delete: 1, create: 0, update: 1, move: 2 });
  });

  test("said under moved: carry all below along", async () => {
    const rig = makeRig();
    const below = [scenario("s", "S")];
    await rig.apply(toTree([testCase("a", "A", below), testCase("b", "B", below)]));
    const moved = [
      { from: "testCase.a", to: "testCase.c" },
      { from: "testCase.b", to: "testCase.d" },
    ];
    const outcome = await rig.apply(toTree([testCase("c", "A", below), testCase("d", "B", below)]), { moved });
    expect(outcome.plan?.plan?.summary).toMatchObject({ move: 4, create: 0, delete: 0, update: 0 });
    expect(Object.keys((await rig.stored())!.state.resources)).toContain("testCase.d/scenario.s");
  });
});
