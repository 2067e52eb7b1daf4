import { describe, expect, test } from "vitest";
import { plainOptions } from "../../src/plan/plan-input.ts";
import { narrowTargets, unmatchedChoices } from "../../src/plan/select-targets.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const scenario = (key: string): Wish => ({ kind: "scenario", key, fields: { name: key, script: key }, below: [] });
const configuration: Wish = {
  kind: "configuration",
  key: "c",
  fields: {
    name: "c",
    scenario: { ref: "testCase.a/scenario.run" },
    providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    durationSecs: 10,
    concurrentClients: 1,
  },
  below: [],
};
const testCase = (key: string, below: readonly Wish[]): Wish => ({
  kind: "testCase",
  key,
  fields: { name: key },
  below,
});
const whole = [testCase("a", [scenario("run"), scenario("idle"), configuration]), testCase("b", [scenario("far")])];

/** Addresses that a targeted plan changes, of a project that was never applied or after a first one. */
async function planned(target: string, wishes: readonly Wish[] = whole, before?: readonly Wish[]) {
  const rig = makeRig();
  if (before) await rig.apply(toTree(before));
  const { plan, diagnostics } = await rig.plan(toTree(wishes), { targets: [target] });
  return { changes: plan?.changes.map(({ address, action }) => `${action} ${address}`), diagnostics };
}

describe("a target", () => {
  const addresses = new Set(["testCase.a", "testCase.a/scenario.run", "testCase.a/scenario.idle", "testCase.b"]);
  test.each<[readonly string[], readonly string[]]>([
    [
      ["testCase.a"],
      ["testCase.a, and not the 2 objects below that would change, too. To include them: --target 'testCase.a/**'"],
    ],
    [["testCase.*"], ["testCase.a and 1 more, and not the 2 objects below"]],
    [
      ["testCase.a", "testCase.a/scenario.run"],
      ["testCase.a, and not the object below that would change, too. To include it"],
    ],
    [["testCase.a", "testCase.a/**"], []],
    [["testCase.b"], []],
    [["testCase.a/**"], []],
  ])("says when it leaves out objects below it: %j", (targets, expected) => {
    const told = narrowTargets({ ...plainOptions, targets }, addresses, () => addresses);
    expect(told.map(({ severity, detail }) => [severity, detail])).toEqual(
      expected.map((words) => ["warning", expect.stringContaining(words)]),
    );
  });

  test("says nothing of what lies below and would not change", () => {
    const options = { ...plainOptions, targets: ["testCase.a"] };
    expect(narrowTargets(options, addresses, () => new Set(["testCase.b"]))).toEqual([]);
    const [told] = narrowTargets(options, addresses, () => new Set(["testCase.a/scenario.idle"]));
    expect(told?.detail).toContain("not the object below that would change, too");
  });

  test("brings the parents that it stands in", async () => {
    expect((await planned("testCase.a/scenario.idle")).changes).toEqual([
      "create testCase.a",
      "create testCase.a/scenario.idle",
    ]);
  });

  test("brings what it refers to", async () => {
    expect((await planned("testCase.a/configuration.c")).changes).toContain("create testCase.a/scenario.run");
  });

  test("brings what it names", async () => {
    const tagged: Wish = { ...scenario("tagged"), dependsOn: ["testCase.b"] };
    expect(
      (await planned("testCase.a/scenario.tagged", [testCase("a", [tagged]), testCase("b", [])])).changes,
    ).toContain("create testCase.b");
  });

  test("leaves the rest alone", async () => {
    const { changes } = await planned("testCase.a/configuration.c");
    expect(changes?.filter((each) => /idle|far|testCase\.b/.test(each))).toEqual([]);
  });

  test("that goes takes along what is below it", async () => {
    const { changes } = await planned("testCase.b", whole.slice(0, 1), whole);
    expect(changes).toEqual(["delete testCase.b", "delete testCase.b/scenario.far"]);
  });

  test("that matches nothing is refused", async () => {
    expect((await planned("testCase.aa")).diagnostics).toMatchObject([{ severity: "error", code: "LF3007" }]);
  });

  test.each([
    ["run", " Did you mean testCase.a/scenario.run?"],
    ["testCase.c", " Did you mean testCase.a?"],
    ["nothing", ""],
  ])("that is no address says which one was meant: %s", (target, meant) => {
    const [told] = unmatchedChoices({ ...plainOptions, targets: [target] }, addresses);
    expect(told?.detail).toBe(
      `None of the ${addresses.size} objects that are declared or bound has this address.${meant}`,
    );
  });
});
