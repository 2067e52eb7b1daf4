import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { unshownParts } from "../../src/project/plan-digest.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const derive = (lineage: string, salt: string) => new TextEncoder().encode(`${lineage} ${salt}`);

function project(fields: JsonObject): readonly Wish[] {
  const gateway = { kind: "gateway", key: "g", fields: { name: "g", ...fields }, below: [] };
  return [{ kind: "testCase", key: "a", fields: { name: "a" }, below: [gateway] }];
}

describe("what a digest covers beside the document", () => {
  test("is which objects are touched, and below which they are", async () => {
    const rig = makeRig();
    await rig.apply(toTree(project({ url: "https://a.test" })));
    const outcome = await rig.plan(toTree(project({ url: "https://b.test" })));
    expect(outcome.plan?.changes.map(({ address, action }) => [address, action])).toEqual([
      ["testCase.a/gateway.g", "replace"],
    ]);
    const parts = unshownParts(outcome, derive);
    expect(parts).toEqual({ ids: [["testCase.a/gateway.g", 1, 1]] });
    const { plan, made } = outcome;
    const twin = { ...outcome, plan: { ...plan!, changes: plan!.changes.map((change) => ({ ...change, id: 99 })) } };
    expect(unshownParts(twin, derive)).toEqual({ ids: [["testCase.a/gateway.g", 99, 1]] });
    const resources = { ...made!.state.resources, "testCase.a": { ...made!.state.resources["testCase.a"]!, id: 98 } };
    const elsewhere = { ...outcome, made: { ...made!, state: { ...made!.state, resources } } };
    expect(unshownParts(elsewhere, derive)).toEqual({ ids: [["testCase.a/gateway.g", 1, 98]] });
  });

  test("is nothing where nothing changes, so that no key is derived", async () => {
    const rig = makeRig();
    await rig.apply(toTree(project({ url: "https://me:secret@a.test" })));
    const outcome = await rig.plan(toTree(project({ url: "https://me:secret@a.test" })));
    const fail = () => {
      throw new Error("a key was derived");
    };
    expect(unshownParts(outcome, fail)).toEqual({});
  });

  test("is one fingerprint of all hidden values, by the place while there is no state and by its key afterwards", async () => {
    const hidden = (password: string) => toTree(project({ url: `https://me:${password}@a.test` }));
    const rig = makeRig();
    const valuesOf = async (password: string) => unshownParts(await rig.plan(hidden(password)), derive)["values"];
    const first = await valuesOf("one");
    expect(await valuesOf("one")).toBe(first);
    expect(await valuesOf("two")).not.toBe(first);
    expect(unshownParts(await makeRig().plan(hidden("one")), derive)["values"]).toBe(first);
    await rig.apply(hidden("zero"));
    const second = await valuesOf("one");
    expect(second).toMatch(/^[0-9a-f]{32}$/);
    expect([await valuesOf("one"), (await valuesOf("two")) === second]).toEqual([second, false]);
  });
});
