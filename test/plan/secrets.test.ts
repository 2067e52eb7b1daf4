import { describe, expect, test } from "vitest";
import { loadFiles } from "../support/load-files.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

/** A project with one text in a scenario and one in a data store. */
function tree(text: string, isSecret: boolean) {
  const sensitive = (field: string) => (isSecret ? { sensitive: [field] } : {});
  const store: Wish = {
    kind: "dataStore",
    key: "d",
    fields: { name: "d", contents: text },
    ...sensitive("contents"),
    below: [],
  };
  const scenario: Wish = {
    kind: "scenario",
    key: "s",
    fields: { name: "s", script: text },
    ...sensitive("script"),
    below: [store],
  };
  return toTree([{ kind: "testCase", key: "a", fields: { name: "a" }, below: [scenario] }]);
}

describe("a text that nobody touched at the service", () => {
  test.each([
    ["becomes a secret", false, true],
    ["is a secret no more", true, false],
    ["stays a secret", true, true],
    ["stays as it is", false, false],
  ])("is no drift when it %s", async (_, before, after) => {
    const rig = makeRig();
    await rig.apply(tree("one()", before));
    const same = (await rig.plan(tree("one()", after))).plan;
    expect([same?.drift, same?.changes]).toEqual([[], []]);
    const other = (await rig.plan(tree("two()", after))).plan;
    expect(other?.drift).toEqual([]);
    expect(other?.changes.flatMap(({ fields }) => fields.map(({ cause }) => cause))).toEqual(["change", "change"]);
    expect((await rig.apply(tree("two()", after))).status).toBe("applied");
    expect((await rig.plan(tree("two()", after))).plan?.changes).toEqual([]);
  });
});

test("a secret beside objects that are named, or referred to, is written with their ids", async () => {
  const declared = async (Q: string) => {
    const runners = [
      '{ provider: { name: "Public Shared Grid" }, regions: [cloud-us-east-1], params: { q: "${env:Q}" } }',
      "{ provider: g }",
    ];
    const text = `providers: { g: { name: g, providerType: Shared } }
testCases: { t: { scenarios: { s: { script: x } }, configurations: { c: { scenario: s, durationSecs: 60, concurrentClients: 1, providers: [${runners}] } } } }`;
    return (await loadFiles(text, { env: { Q } })).tree;
  };
  const rig = makeRig();
  for (const secret of ["first-1111", "second-2222"]) {
    const tree = await declared(secret);
    expect((await rig.apply(tree)).diagnostics).toEqual([]);
    expect((await rig.plan(tree)).plan?.operations).toEqual([]);
  }
});

test("parameters of which one has a secret name and another is encrypted come to rest", async () => {
  const declared = async (env: Readonly<Record<string, string>>) => {
    const parameters = '[{ name: "${env:A}" }, { name: b, defaultValue: "${env:B}", encrypted: true }]';
    const text = `testCases: { t: { scenarios: { s: { script: x, paramsConfig: ${parameters} } } } }`;
    return (await loadFiles(text, { env })).tree;
  };
  const rig = makeRig();
  for (const env of [
    { A: "first-1111", B: "first-2222" },
    { A: "first-1111", B: "second-2222" },
    { A: "second-1111", B: "second-2222" },
  ]) {
    const tree = await declared(env);
    expect((await rig.plan(tree)).plan?.operations.length).toBeGreaterThan(0);
    expect((await rig.apply(tree)).diagnostics).toEqual([]);
    expect((await rig.plan(tree)).plan?.operations).toEqual([]);
  }
  const paramsConfig = [{ name: "other" }];
  await rig.outside.call("PUT /scripts/:id", { params: { id: 1 }, body: { paramsConfig } });
  const tree = await declared({ A: "second-1111", B: "second-2222" });
  expect((await rig.plan(tree)).plan?.operations).toMatchObject([{ op: "update" }]);
});

test("script parameters that are secret as a whole, of which one is encrypted, come to rest", async () => {
  const declared = async (env: Readonly<Record<string, string>>) => {
    const load = "durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 } }]";
    const text = `testCases: { t: { scenarios: { s: { script: x, paramsConfig: [{ name: p, encrypted: true }] } }, configurations: { c: { scenario: s, ${load}, scriptParams: { a.b: "\${env:A}", p: "\${env:B}" } } } } }`;
    return (await loadFiles(text, { env })).tree;
  };
  const rig = makeRig();
  for (const env of [
    { A: "first-1111", B: "first-2222" },
    { A: "first-1111", B: "second-2222" },
  ]) {
    const tree = await declared(env);
    expect((await rig.plan(tree)).plan?.operations.length).toBeGreaterThan(0);
    expect((await rig.apply(tree)).diagnostics).toEqual([]);
    expect((await rig.plan(tree)).plan?.operations).toEqual([]);
  }
});

test.each([[["p"]], [["a.p"]], [["p", "a.p"]], [["a.p", "p"]]])(
  "values of parameters %s that somebody encrypted come to rest, and are sent where one becomes another",
  async (names) => {
    const declared = async (value: string) => {
      const params = names.map((name) => `${name}: ${value}`).join(", ");
      const runners = '[{ provider: { name: "Public Shared Grid" }, regions: [cloud-us-east-1] }]';
      const text = `testCases: { t: { scenarios: { s: { script: x } }, configurations: { c: { scenario: s, durationSecs: 60, concurrentClients: 1, scriptParams: { ${params}, open: o }, providers: ${runners} } } } }`;
      return (await loadFiles(text, { env: {} })).tree;
    };
    const rig = makeRig();
    expect((await rig.apply(await declared("q"))).status).toBe("applied");
    const body = { paramsConfig: names.map((name) => ({ name, encrypted: true })) };
    await rig.outside.call("PUT /scripts/:id", { params: { id: 1 }, body });
    expect((await rig.plan(await declared("q"))).plan).toMatchObject({ operations: [], drift: [] });
    const other = (await rig.plan(await declared("r"))).plan?.changes.flatMap(({ fields }) => fields);
    expect(other).toMatchObject([{ field: "scriptParams", cause: "change", sensitive: true }]);
    expect(await rig.apply(await declared("r"))).toMatchObject({ status: "applied", diagnostics: [] });
    expect((await rig.plan(await declared("r"))).plan).toMatchObject({ operations: [], drift: [] });
  },
);
