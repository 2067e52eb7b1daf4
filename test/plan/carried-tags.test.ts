import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";

const nightly: Wish = { kind: "tag", key: "nightly", fields: { name: "nightly" }, below: [] };

function testCase(key: string, tags: JsonObject = { tags: ["nightly"] }): Wish {
  const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "S", script: "run()", ...tags }, below: [] };
  return { kind: "testCase", key, fields: { name: key }, below: [scenario] };
}

/** Somebody else's scenario with the tag. */
async function byHand({ outside }: Rig): Promise<void> {
  const { id = 0 } = await outside.call("POST /test-cases", { body: { name: "By hand", org: 1 } });
  const body = { name: "Search", main: "search()", scriptType: "Code", tags: ["nightly"] };
  await outside.call("POST /test-cases/:testCaseId/scripts", { params: { testCaseId: id }, body });
}

const tagsAt = async ({ outside }: Rig) =>
  (await outside.call("GET /orgs/:orgId/tags", { params: { orgId: 1 } })).length;

async function planned(rig: Rig, tree: readonly Wish[], asked: Parameters<Rig["plan"]>[1] = {}) {
  const { plan, diagnostics } = await rig.plan(toTree(tree), { allowDestroy: [], ...asked });
  const tag = plan?.changes.find(({ address }) => address === "tag.nightly");
  return { action: tag?.action, told: diagnostics.filter(({ code }) => code === "LF3014") };
}

describe("a tag that is no longer declared, or destroyed", () => {
  test("is deleted when nothing that remains carries it", async () => {
    const rig = makeRig();
    await rig.apply(toTree([nightly, testCase("a")]));
    expect(await planned(rig, [], { destroy: true })).toEqual({ action: "delete", told: [] });
    expect(await planned(rig, [testCase("a", { tags: [] })])).toEqual({ action: "delete", told: [] });
    expect(await planned(rig, [testCase("b", { tags: [] })])).toEqual({ action: "delete", told: [] });
  });

  test("is forgotten when a scenario carries it that the plan does not delete, which is named", async () => {
    const rig = makeRig();
    await rig.apply(toTree([nightly, testCase("a")]));
    await byHand(rig);
    const { action, told } = await planned(rig, [], { destroy: true });
    expect([action, told]).toEqual([
      "forget",
      [expect.objectContaining({ severity: "warning", address: "tag.nightly" })],
    ]);
    expect(told[0]?.detail).toBe(
      `testCase#2/scenario#2 "Search" carries it and would lose it, so it is forgotten: it remains at the service. To delete it anyway: --allow-destroy 'tag.nightly'`,
    );
    expect((await planned(rig, [testCase("a", { tags: [] })])).action).toBe("forget");
    const { status } = await rig.apply(toTree([]), { destroy: true, allowDestroy: [] });
    expect([status, await tagsAt(rig)]).toEqual(["applied", 1]);
    expect(Object.keys((await rig.stored())?.state.resources ?? {})).toEqual([]);
  });

  test("is deleted all the same where that is allowed", async () => {
    const rig = makeRig();
    await rig.apply(toTree([nightly, testCase("a")]));
    await byHand(rig);
    const allowed = { destroy: true, allowDestroy: ["tag.nightly"] };
    expect(await planned(rig, [], allowed)).toEqual({ action: "delete", told: [] });
    const { status } = await rig.apply(toTree([]), allowed);
    expect([status, await tagsAt(rig)]).toEqual(["applied", 0]);
  });

  test("is forgotten when a --target leaves out the scenario that carries it", async () => {
    const rig = makeRig();
    await rig.apply(toTree([nightly, testCase("a"), testCase("b")]));
    const { action, told } = await planned(rig, [], {
      destroy: true,
      targets: ["tag.nightly", "testCase.a/**", "testCase.a"],
    });
    expect([action, told[0]?.detail]).toEqual(["forget", expect.stringContaining("testCase.b/scenario.s carries it")]);
  });
});
