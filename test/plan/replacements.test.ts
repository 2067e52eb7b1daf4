import { describe, expect, test } from "vitest";
import type { Wish } from "../support/random-project.ts";
import { toTree } from "../support/random-project.ts";
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
});
