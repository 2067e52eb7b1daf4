import { describe, expect, test } from "vitest";
import type { TreeNode } from "../../src/model/tree.ts";
import type { Wish } from "../support/random-project.ts";
import { toTree } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const testCase = (key: string, below: readonly Wish[] = []): Wish => ({
  kind: "testCase",
  key,
  fields: { name: key },
  below,
});
const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "s", script: "x" }, below: [] };
const gateway: Wish = { kind: "gateway", key: "g", fields: { name: "g", url: "https://g.test" }, below: [] };
const configuration = (of: string): Wish => ({
  kind: "configuration",
  key: "c",
  fields: {
    name: "c",
    scenario: { ref: `testCase.${of}/scenario.s` },
    providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    durationSecs: 10,
    concurrentClients: 1,
  },
  below: [],
});
const guarded = { forceThreshold: false, allowDestroy: [] };
const many = (count: number) => Array.from({ length: count }, (_, index) => testCase(`t${index}`));

/** The same tree with something said about one object besides its fields. */
function withLifecycle(wishes: readonly Wish[], address: string, lifecycle: NonNullable<TreeNode["lifecycle"]>) {
  const tree = toTree(wishes);
  const node = tree.nodes.get(address)!;
  return { ...tree, nodes: new Map(tree.nodes).set(address, { ...node, lifecycle }) };
}

/** Applies one project, lets something happen, and plans and applies the next one under all guards. */
async function blockedBy(of: {
  readonly before: ReturnType<typeof toTree>;
  readonly after: ReturnType<typeof toTree>;
  readonly happens?: (rig: ReturnType<typeof makeRig>) => Promise<unknown>;
  readonly asked?: Parameters<ReturnType<typeof makeRig>["apply"]>[1];
}) {
  const rig = makeRig();
  await rig.apply(of.before);
  await of.happens?.(rig);
  rig.takeWrites();
  const outcome = await rig.apply(of.after, { ...guarded, ...of.asked });
  const guards = (outcome.plan?.plan?.guards ?? []).map(({ guard }) => guard);
  if (guards.length > 0) expect([outcome.status, rig.takeWrites()]).toEqual(["blocked", 0]);
  return { guards, outcome, rig };
}

const run = (rig: ReturnType<typeof makeRig>) =>
  rig.outside.call("POST /test-confs/:confId/executions", { params: { confId: 1 }, body: {} as never });
const full = [testCase("a", [scenario, gateway, configuration("a")]), testCase("b")];

describe("guards block the whole run before the first write", () => {
  test("protect: what the state says is protected does not go, whether its block is gone or not", async () => {
    const before = withLifecycle(full, "testCase.b", { protect: true });
    expect((await blockedBy({ before, after: toTree(full.slice(0, 1)) })).guards).toEqual(["protect"]);
    expect((await blockedBy({ before, after: before, asked: { destroy: true } })).guards).toEqual(["protect"]);
    expect((await blockedBy({ before, after: before, asked: { replace: ["testCase.b"] } })).guards).toEqual([
      "protect",
    ]);
  });

  test("protect: false, once applied, lets it go", async () => {
    const rig = makeRig();
    await rig.apply(withLifecycle(full, "testCase.b", { protect: true }));
    await rig.apply(toTree(full));
    expect((await rig.apply(toTree(full.slice(0, 1)), guarded)).status).toBe("applied");
  });

  test("history: executions block a delete, and --allow-destroy names what may go", async () => {
    const parts = { before: toTree(full), after: toTree(full.slice(1)), happens: run };
    const { guards, outcome } = await blockedBy(parts);
    expect(guards).toContain("history");
    expect(outcome.plan?.plan?.changes.find(({ address }) => address.endsWith("configuration.c"))?.risks).toEqual([
      "1 execution",
    ]);
    expect((await blockedBy({ ...parts, asked: { allowDestroy: ["testCase.a/**"] } })).outcome.status).toBe("applied");
  });

  test("history: recordings and objects of somebody else block a delete too", async () => {
    const record = (rig: ReturnType<typeof makeRig>) =>
      rig.outside.call("POST /gateways/:gatewayId/recordings", { params: { gatewayId: 1 }, body: { name: "r" } });
    const foreign = (rig: ReturnType<typeof makeRig>) =>
      rig.outside.call("POST /test-cases/:testCaseId/gateways", {
        params: { testCaseId: 2 },
        body: { name: "theirs", url: "https://x.test" },
      });
    expect((await blockedBy({ before: toTree(full), after: toTree(full.slice(1)), happens: record })).guards).toContain(
      "history",
    );
    expect(
      (await blockedBy({ before: toTree(full), after: toTree(full.slice(0, 1)), happens: foreign })).guards,
    ).toEqual(["history"]);
  });

  test.each([
    ["3 of 10 deleted", 10, 7, []],
    ["4 of 10 deleted", 10, 6, ["threshold"]],
    ["8 of 9 deleted", 9, 1, []],
    ["21 of 80 deleted", 80, 59, ["threshold"]],
    ["20 of 80 deleted", 80, 60, []],
  ])("threshold: %s", async (_, all, left, expected) => {
    expect((await blockedBy({ before: toTree(many(all)), after: toTree(many(left)) })).guards).toEqual(expected);
  });

  test("threshold: for destroy too, for updates too, and --force-threshold goes on", async () => {
    const before = toTree(many(10));
    const renamed = toTree(
      many(10).map((each, index) => (index < 4 ? { ...each, fields: { name: `${each.key} new` } } : each)),
    );
    expect((await blockedBy({ before, after: before, asked: { destroy: true } })).guards).toEqual(["threshold"]);
    expect((await blockedBy({ before, after: renamed })).guards).toEqual(["threshold"]);
    expect((await blockedBy({ before, after: renamed, asked: { forceThreshold: true } })).outcome.status).toBe(
      "applied",
    );
  });

  test("empty: a project that declares nothing does not delete everything", async () => {
    const after = toTree([]);
    expect((await blockedBy({ before: toTree(full), after, asked: { destroy: false } })).guards).toContain("empty");
  });

  test("target: a state of another service is never used, whatever the flags", async () => {
    const rig = makeRig();
    await rig.apply(toTree(full));
    const outcome = await rig.apply(toTree(full), { target: { url: "memory:other", organization: 1 } });
    expect(outcome.status).toBe("blocked");
    expect(outcome.plan?.plan?.guards.map(({ guard }) => guard)).toContain("target");
  });
});
