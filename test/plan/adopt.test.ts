import { describe, expect, test } from "vitest";
import { makeCase, makeGateway, makeScript } from "../support/live-objects.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const store = (key: string, name: string): Wish => ({
  kind: "dataStore",
  key,
  fields: { name, contents: "x" },
  below: [],
});
const scenario = (below: readonly Wish[] = []): Wish => ({
  kind: "scenario",
  key: "s",
  fields: { name: "s", script: "x" },
  below,
});
const testCase = (key: string, name: string, below: readonly Wish[] = []): Wish => ({
  kind: "testCase",
  key,
  fields: { name },
  below,
});

type Rig = ReturnType<typeof makeRig>;

/** Applies, and expects to be refused with one code before the first write. */
async function expectRefused(rig: Rig, wishes: readonly Wish[], asked: Parameters<Rig["apply"]>[1], code: string) {
  rig.takeWrites();
  const { status, diagnostics } = await rig.apply(toTree(wishes), asked);
  expect(diagnostics.filter(({ severity }) => severity === "error").map((each) => each.code)).toContain(code);
  expect([status, rig.takeWrites()]).toEqual(["failed", 0]);
}

describe("a collision is refused before the first write", () => {
  test("of two wishes of one name", async () => {
    await expectRefused(makeRig(), [testCase("a", "same"), testCase("b", "same")], {}, "LF1005");
  });

  test("of a rename onto a name that is taken by somebody else", async () => {
    const rig = makeRig();
    await rig.apply(toTree([testCase("a", "ours")]));
    await makeCase(rig, "theirs");
    await expectRefused(rig, [testCase("a", "theirs")], {}, "LF3001");
  });

  test("of a create with an unbound object of the same name", async () => {
    const rig = makeRig();
    const { id } = await makeCase(rig, "a");
    await makeScript(rig, id, { name: "s" });
    await expectRefused(rig, [testCase("a", "a", [scenario()])], {}, "LF3001");
  });

  test.each([
    [
      {},
      [scenario()],
      ["loadform apply --adopt name --target 'testCase.a/**'", "loadform import --test-case 2"],
      "an import would bind it, too",
    ],
    [
      { environment: "staging" },
      [],
      ["loadform apply --env staging --adopt name --target 'testCase.a'"],
      "take it over and apply what",
    ],
  ])("with commands for %j that name the environment and all below", async (asked, below, commands, words) => {
    const rig = makeRig();
    await makeCase(rig, "another");
    await makeCase(rig, "a");
    const { diagnostics } = await rig.plan(toTree([testCase("a", "a", below)]), asked);
    const detail = diagnostics.find(({ code }) => code === "LF3001")?.detail ?? "";
    expect(detail.split("\n").filter((line) => line.startsWith("  "))).toEqual(commands.map((each) => `  ${each}`));
    expect(detail).toContain(words);
  });

  test("with the import of the test case that holds it, once what is declared is taken out", async () => {
    const rig = makeRig();
    await makeCase(rig, "another");
    await rig.apply(toTree([testCase("a", "a")]));
    await makeScript(rig, 2, { name: "s", main: "other" });
    const { diagnostics } = await rig.plan(toTree([testCase("a", "a", [scenario()])]));
    const detail = diagnostics.find(({ code }) => code === "LF3001")?.detail;
    expect(detail).toMatch(/remove its declaration from the project and run:\n {2}loadform import --test-case 2$/);
  });

  test("of a wish with several unbound objects of the same name", async () => {
    const rig = makeRig();
    await rig.apply(toTree([testCase("a", "a")]));
    await makeScript(rig, 1, { name: "s" });
    await makeScript(rig, 1, { name: "s" });
    await expectRefused(rig, [testCase("a", "a", [scenario()])], { adopt: "name" }, "LF3002");
  });

  test("is not taken over only to be deleted, unless that is allowed", async () => {
    const rig = makeRig();
    await rig.apply(toTree([testCase("a", "a")]));
    await makeGateway(rig, 1, "front");
    const fields = { name: "front", url: "https://other.test" };
    const tree = toTree([testCase("a", "a", [{ kind: "gateway", key: "g", fields, below: [] }])]);
    rig.takeWrites();
    const { status, diagnostics } = await rig.apply(tree, { adopt: "name", allowDestroy: [] });
    expect([status, diagnostics.map(({ code }) => code), rig.takeWrites()]).toEqual(["blocked", ["LF4002"], 0]);
    expect((await rig.apply(tree, { adopt: "name", allowDestroy: ["testCase.a/gateway.g"] })).status).toBe("applied");
  });

  test("is taken over in the place of one that is gone, and changed", async () => {
    const rig = makeRig();
    const described = { ...testCase("a", "a"), fields: { name: "a", description: "ours" } };
    await rig.apply(toTree([described]));
    await rig.outside.call("DELETE /test-cases/:testCaseId", { params: { testCaseId: 1 } });
    await makeCase(rig, "a", "theirs");
    const { status, diagnostics } = await rig.apply(toTree([described]), { adopt: "name" });
    expect([status, diagnostics]).toEqual(["applied", []]);
    expect((await rig.stored())?.state.resources["testCase.a"]?.id).toBe(2);
    expect((await rig.plan(toTree([described]))).plan?.changes).toEqual([]);
  });

  test("where --adopt exact takes only what is as declared", async () => {
    const rig = makeRig();
    await rig.apply(toTree([testCase("a", "a")]));
    await makeScript(rig, 1, { name: "s", main: "other" });
    await expectRefused(rig, [testCase("a", "a", [scenario()])], { adopt: "exact" }, "LF3001");
    await rig.service.handle({ method: "PUT", path: "/scripts/1?key=local", body: { main: "x" } });
    expect((await rig.apply(toTree([testCase("a", "a", [scenario()])]), { adopt: "exact" })).status).toBe("applied");
    expect((await rig.stored())?.state.resources["testCase.a/scenario.s"]?.id).toBe(1);
  });

  test("of an address with an object that has the id of the one that was bound", async () => {
    const rig = makeRig({ settings: { ids: "reuse" } });
    const wishes = [testCase("a", "a", [scenario([store("d", "d")])])];
    await rig.apply(toTree(wishes));
    await rig.system.sleep(1_000);
    await rig.service.handle({ method: "DELETE", path: "/test-cases/1?key=local" });
    await makeCase(rig, "another");
    await expectRefused(rig, [testCase("a", "a2", [scenario([store("d", "d")])])], {}, "LF3003");
  });
});
