import { describe, expect, test } from "vitest";
import { deviatingService, each } from "../conformance/deviating-service.ts";
import { makeConfiguration } from "../support/live-objects.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const shop = (url: string): readonly Wish[] => [
  {
    kind: "testCase",
    key: "shop",
    fields: { name: "Shop" },
    below: [{ kind: "gateway", key: "front", fields: { name: "Front", url }, below: [] }],
  },
];

describe("a replacement", () => {
  test("is no drift: what stands there now was there all along", async () => {
    const rig = makeRig();
    await rig.apply(toTree(shop("https://a.example.com")));
    const { plan } = await rig.plan(toTree(shop("https://b.example.com")));
    expect(plan?.changes.map(({ address, action }) => [address, action])).toEqual([
      ["testCase.shop/gateway.front", "replace"],
    ]);
    expect(plan?.drift).toEqual([]);
  });

  test.each([
    ["nothing", () => null],
    ["a word that the documents do not have", () => "Elastic"],
  ])("is refused where the value that demands it was answered with %s", async (_, answered) => {
    const grid: readonly Wish[] = [
      { kind: "provider", key: "grid", fields: { name: "Grid", providerType: "Shared" }, below: [] },
    ];
    const rig = makeRig();
    await rig.apply(toTree(grid));
    const held = rig.service.snapshot();
    const answers = each(["provider"], (object) => {
      object["providerType"] = answered();
    });
    const { service } = deviatingService(rig.service, { name: "providerType", answers });
    const there = makeRig({ service });
    const tree = toTree(grid);
    const outcome = await there.apply(tree, { adopt: "name" });
    expect(outcome.diagnostics).toMatchObject([{ code: "LF2005", address: "provider.grid" }]);
    expect(rig.service.snapshot()).toEqual(held);
  });

  test.each([
    ["old", "testCase.shop"],
    ["new", "testCase.store"],
  ])("is named by the %s address of an object that moves", async (_, replace) => {
    const rig = makeRig();
    await rig.apply(toTree(shop("https://a.example.com")));
    const moved = toTree(shop("https://a.example.com").map((each) => ({ ...each, key: "store" })));
    const moves = [{ from: "testCase.shop", to: "testCase.store" }];
    const { plan } = await rig.plan(moved, { replace: [replace], moved: moves });
    expect(plan?.changes.map(({ address, action }) => [address, action])).toEqual([
      ["testCase.store", "replace"],
      ["testCase.store/gateway.front", "replace"],
    ]);
  });

  test("says of an object below another one whether that one is replaced", async () => {
    const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "s", script: "x" }, below: [] };
    const cases = (a: readonly Wish[], b: readonly Wish[]) =>
      toTree([
        { kind: "testCase", key: "a", fields: { name: "A" }, below: a },
        { kind: "testCase", key: "b", fields: { name: "B" }, below: b },
      ]);
    const rig = makeRig();
    await rig.apply(cases([scenario], []));
    const moved = [{ from: "testCase.a/scenario.s", to: "testCase.b/scenario.s" }];
    const reasonsOf = async (...asked: Parameters<typeof rig.plan>) =>
      (await rig.plan(...asked)).plan?.changes.map(({ address, reason }) => [address, reason]);
    expect(await reasonsOf(cases([], [scenario]), { moved })).toEqual([
      ["testCase.b/scenario.s", "its parent is another one"],
    ]);
    expect(await reasonsOf(cases([scenario], []), { replace: ["testCase.a"] })).toEqual([
      ["testCase.a", "replace requested"],
      ["testCase.a/scenario.s", "its parent is replaced"],
    ]);
  });

  test("leaves a tag alone, which nobody can make by itself", async () => {
    const tagged: readonly Wish[] = [
      { kind: "tag", key: "nightly", fields: { name: "nightly" }, below: [] },
      {
        kind: "testCase",
        key: "t",
        fields: { name: "t" },
        below: [{ kind: "scenario", key: "s", fields: { name: "s", script: "x", tags: ["nightly"] }, below: [] }],
      },
    ];
    const rig = makeRig();
    await rig.apply(toTree(tagged));
    expect((await rig.plan(toTree(tagged), { replace: ["tag.nightly"] })).plan?.changes).toEqual([]);
  });

  test("shows as drift only what somebody changed", async () => {
    const rig = makeRig();
    await rig.apply(toTree(shop("https://a.example.com")));
    await rig.service.handle({ method: "PATCH", path: "/gateways/1?key=local", body: { name: "Back" } });
    const { plan } = await rig.plan(toTree(shop("https://b.example.com")));
    expect(plan?.drift).toMatchObject([
      { address: "testCase.shop/gateway.front", action: "update", before: { name: "Front" }, after: { name: "Back" } },
    ]);
  });

  test("asked for again while the service still keeps the object of the one before loses none of them", async () => {
    const address = "testCase.t/scenario.s";
    const load = {
      scenario: { ref: address },
      providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
      durationSecs: 10,
    };
    const configuration: Wish = {
      kind: "configuration",
      key: "c",
      fields: { name: "c", concurrentClients: 1, ...load },
      below: [],
    };
    const projectOf = (name: string) => {
      const scenario: Wish = { kind: "scenario", key: "s", fields: { name, script: "x" }, below: [] };
      return toTree([{ kind: "testCase", key: "t", fields: { name: "t" }, below: [scenario, configuration] }]);
    };
    const rig = makeRig();
    const bound = async () =>
      Object.entries((await rig.stored())!.state.resources).flatMap(([each, { id }]) =>
        each.startsWith(address) ? [[each.slice(address.length), id]] : [],
      );
    await rig.apply(projectOf("one"));
    await makeConfiguration(rig, 1, { name: "theirs", scriptId: 1 });
    await rig.apply(projectOf("one"), { replace: [address] });
    await rig.apply(projectOf("two"), { replace: [address] });
    expect(await bound()).toEqual([
      ["", 3],
      [".being-replaced", 1],
    ]);
    await rig.service.handle({ method: "DELETE", path: "/test-confs/2?key=local" });
    expect((await rig.apply(projectOf("two"))).status).toBe("applied");
    expect(await bound()).toEqual([["", 3]]);
  });
});
