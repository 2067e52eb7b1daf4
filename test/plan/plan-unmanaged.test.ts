import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { savedPart } from "../../src/project/saved/save-plan.ts";
import { savedDocument } from "../../src/project/saved/saved-plan.ts";
import { changeJson } from "../../src/report/plan-json.ts";
import { withLifecycle, withUnmanagedDeleted } from "../support/lifecycle.ts";
import { makeCase, makeConfiguration, makeGateway, makeScript, makeStore } from "../support/live-objects.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";
import { unshown } from "../support/unshown.ts";

const scenario = (key: string): Wish => ({ kind: "scenario", key, fields: { name: key, script: "x" }, below: [] });
const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 2 };
const configuration = (scenarioOf: Json, below: readonly Wish[] = []): Wish => ({
  kind: "configuration",
  key: "c",
  fields: {
    name: "c",
    scenario: scenarioOf,
    providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    durationSecs: 10,
    concurrentClients: 1,
  },
  below,
});
const testCase = (key: string, below: readonly Wish[]): Wish => ({
  kind: "testCase",
  key,
  fields: { name: key },
  below,
});
const ours = (more: readonly Wish[] = []) => [
  testCase("a", [scenario("s"), configuration({ ref: "testCase.a/scenario.s" }), ...more]),
];
const deleting = (wishes: readonly Wish[]) => withUnmanagedDeleted(toTree(wishes));

/** Somebody else's objects below test case 1: one of every kind, their configuration on their scenario. */
async function settleTheirs(rig: Rig) {
  const script = await makeScript(rig, 1, { name: "theirs" });
  const store = await makeStore(rig, script.id, "theirs.csv");
  const conf = await makeConfiguration(rig, 1, { name: "theirs", scriptId: script.id, schedules: [daily] });
  const gateway = await makeGateway(rig, 1, "theirs");
  await rig.outside.call("PUT /test-confs/:confId", { params: { confId: 1 }, body: { schedules: [daily] } as never });
  return { script, store, conf, gateway };
}

const deletesOf = (outcome: Awaited<ReturnType<Rig["plan"]>>) =>
  (outcome.plan?.changes ?? []).filter(({ action }) => action === "delete").map(({ address }) => address);

async function settled(wishes: readonly Wish[] = ours()) {
  const rig = makeRig();
  await rig.apply(toTree(wishes));
  return { rig, ...(await settleTheirs(rig)) };
}

async function save(rig: Rig, tree: ReturnType<typeof toTree>) {
  const part = savedPart(await rig.plan(tree));
  return JSON.stringify(savedDocument({ project: "random" }, part!, unshown));
}

describe("unmanaged: delete", () => {
  test("plans what nobody declared below the test case as deletes under live addresses, and the apply leaves only ours", async () => {
    const { rig } = await settled();
    const before = (await rig.stored())!.state.resources;
    const planned = await rig.plan(deleting(ours()));
    expect(planned.diagnostics).toEqual([]);
    expect(deletesOf(planned)).toEqual([
      "testCase.a/configuration#2",
      "testCase.a/configuration#2/schedule#1",
      "testCase.a/configuration.c/schedule#2",
      "testCase.a/gateway#1",
      "testCase.a/scenario#2",
      "testCase.a/scenario#2/dataStore#1",
    ]);
    expect(planned.plan?.summary).toMatchObject({ delete: 6, update: 0, create: 0, noop: 3 });
    const outcome = await rig.apply(deleting(ours()));
    expect([outcome.status, outcome.counts?.delete, outcome.counts?.failed]).toEqual(["applied", 6, 0]);
    expect(await serviceBodies(rig)).toEqual(["configuration", "scenario", "testCase"]);
    expect((await rig.stored())!.state.resources).toEqual(before);
    expect((await rig.apply(deleting(ours()))).status).toBe("nothing");
  });

  test("says so in the plan's document, with the name of the live object", async () => {
    const { rig } = await settled();
    const { plan } = await rig.plan(deleting(ours()));
    expect(changeJson(plan!.changes.find(({ address }) => address.endsWith("scenario#2"))!)).toMatchObject({
      address: "testCase.a/scenario#2",
      type: "loadform_scenario",
      name: "theirs",
      change: { actions: ["delete"], before: { name: "theirs" }, after: null },
      action_reason: "delete_because_unmanaged",
    });
  });

  test("keep, the default, leaves them alone, and so does a test case beside one that says delete", async () => {
    const wishes = [...ours(), testCase("b", [])];
    const { rig } = await settled(wishes);
    expect((await rig.plan(toTree(wishes))).plan?.changes).toEqual([]);
    const beside = withLifecycle(toTree(wishes), "testCase.b", { unmanaged: "delete" });
    expect((await rig.plan(beside, { showUnmanaged: true })).plan).toMatchObject({ changes: [], operations: [] });
    const { plan } = await rig.plan(deleting(wishes), { showUnmanaged: true });
    expect(plan?.unmanaged).toEqual([]);
    await makeCase(rig, "Theirs");
    const listed = (await rig.plan(deleting(wishes), { showUnmanaged: true })).plan?.unmanaged;
    expect(listed).toMatchObject([{ kind: "testCase", name: "Theirs" }]);
  });

  test("goes for what a target names, and no further", async () => {
    const { rig } = await settled();
    const targeted = async (glob: string) => deletesOf(await rig.plan(deleting(ours()), { targets: [glob] }));
    expect(await targeted("testCase.a/gateway#1")).toEqual(["testCase.a/gateway#1"]);
    expect(await targeted("testCase.a/scenario.s")).toEqual([]);
    expect(await targeted("testCase.a/configuration#2")).toEqual([
      "testCase.a/configuration#2",
      "testCase.a/configuration#2/schedule#1",
    ]);
    expect(await targeted("testCase.a/**")).toHaveLength(6);
    await rig.apply(deleting(ours()), { targets: ["testCase.a/configuration.c/schedule#2"] });
    expect(deletesOf(await rig.plan(deleting(ours())))).toHaveLength(5);
  });

  test.each([
    ["by id", { id: 2 }],
    ["by name", { name: "theirs" }],
  ])("leaves a scenario that something managed runs %s, with all below it, and says why", async (_, reference) => {
    const { rig } = await settled();
    const wishes = [testCase("a", [scenario("s"), configuration(reference)])];
    const planned = await rig.plan(deleting(wishes));
    expect(deletesOf(planned)).not.toContain("testCase.a/scenario#2");
    expect(deletesOf(planned)).not.toContain("testCase.a/scenario#2/dataStore#1");
    expect(planned.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "LF3014",
        severity: "warning",
        address: "testCase.a/scenario#2",
        detail: expect.stringContaining("testCase.a/configuration.c needs it"),
      }),
    );
    expect((await rig.apply(deleting(wishes))).status).toBe("applied");
    expect((await rig.plan(deleting(wishes))).plan?.changes).toEqual([]);
    expect(await serviceBodies(rig)).toEqual(["configuration", "dataStore", "scenario", "scenario", "testCase"]);
  });

  test("deletes a scenario only after the configuration that ran it has been pointed back to ours", async () => {
    const { rig, script } = await settled();
    await rig.outside.call("PUT /test-confs/:confId", {
      params: { confId: 1 },
      body: { scriptId: script.id } as never,
    });
    const { plan } = await rig.plan(deleting(ours()));
    expect(plan?.operations.find(({ id }) => id === "delete testCase.a/scenario#2")?.after).toContain(
      "update testCase.a/configuration.c",
    );
    expect((await rig.apply(deleting(ours()))).status).toBe("applied");
    expect(await serviceBodies(rig)).toEqual(["configuration", "scenario", "testCase"]);
  });

  test("leaves a scenario that somebody's configuration elsewhere runs", async () => {
    const { rig, script } = await settled();
    const { id } = await makeCase(rig, "Theirs");
    await makeConfiguration(rig, id, { name: "far", scriptId: script.id });
    expect((await rig.apply(deleting(ours()))).status).toBe("applied");
    expect(await serviceBodies(rig)).toContain("dataStore");
  });

  test("gives way to a match: an object with the name of a wish is taken over, not deleted", async () => {
    const { rig } = await settled();
    const wishes = ours([
      { kind: "gateway", key: "g", fields: { name: "theirs", url: "https://theirs.test" }, below: [] },
    ]);
    const refused = await rig.plan(deleting(wishes));
    expect(refused.diagnostics).toContainEqual(expect.objectContaining({ code: "LF3001" }));
    expect(deletesOf(refused)).not.toContain("testCase.a/gateway#1");
    const outcome = await rig.apply(deleting(wishes), { adopt: "exact" });
    expect(outcome.status).toBe("applied");
    expect((await rig.stored())!.state.resources["testCase.a/gateway.g"]?.id).toBe(1);
    expect((await rig.plan(deleting(wishes))).plan?.changes).toEqual([]);
  });

  test("gives way to a move: an object whose key changed stays what it is", async () => {
    const { rig } = await settled();
    const wishes = [testCase("a", [scenario("t"), configuration({ ref: "testCase.a/scenario.t" })])];
    const renamed = toTree(wishes);
    const outcome = await rig.apply(withUnmanagedDeleted(renamed));
    expect(outcome.plan?.plan?.summary).toMatchObject({ move: 1, delete: 6 });
    expect((await rig.stored())!.state.resources["testCase.a/scenario.t"]?.id).toBe(1);
  });

  test("frees a name for a rename in the same apply", async () => {
    const store = (name: string): Wish => ({ kind: "dataStore", key: "d", fields: { name, contents: "x" }, below: [] });
    const wishes = (name: string) => [testCase("a", [{ ...scenario("s"), below: [store(name)] }])];
    const rig = makeRig();
    await rig.apply(toTree(wishes("one.csv")));
    await makeStore(rig, 1, "two.csv");
    expect((await rig.apply(deleting(wishes("two.csv")))).status).toBe("applied");
    expect(await serviceBodies(rig)).toEqual(["dataStore", "scenario", "testCase"]);
  });

  test("contradicts a removed: entry that would leave an object below undeclared", async () => {
    const { rig } = await settled();
    const removed = [{ address: "testCase.a/configuration.c", destroy: false }];
    const { diagnostics } = await rig.plan(deleting([testCase("a", [scenario("s")])]), { removed });
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: "LF1306", severity: "error" }));
  });
});

describe("a planned delete of what nobody declared", () => {
  test("is looked at again before it is sent: what somebody has just renamed stays", async () => {
    const { rig, gateway } = await settled();
    await rig.setFaults([{ method: "PATCH", path: "/gateways/:id", staleReads: 1 }]);
    const { id } = gateway;
    await rig.outside.call("PATCH /gateways/:id", { params: { id }, body: { name: "kept" } as never });
    await rig.setFaults([]);
    const outcome = await rig.apply(deleting(ours()));
    expect(outcome.status).toBe("partial");
    expect(outcome.diagnostics).toContainEqual(
      expect.objectContaining({ code: "LF6002", address: "testCase.a/gateway#1" }),
    );
    expect(await serviceBodies(rig)).toContain("gateway");
  });

  test("in a saved plan is refused as stale once it was renamed or somebody uses it", async () => {
    const renamed = await settled();
    const text = await save(renamed.rig, deleting(ours()));
    const { id } = renamed.gateway;
    await renamed.rig.outside.call("PATCH /gateways/:id", { params: { id }, body: { name: "kept" } as never });
    renamed.rig.takeWrites();
    expect((await renamed.rig.applySaved(text)).status).toBe("stale");
    expect(renamed.rig.takeWrites()).toBe(0);
    const used = await settled();
    const other = await save(used.rig, deleting(ours()));
    await used.rig.outside.call("PUT /test-confs/:confId", {
      params: { confId: 1 },
      body: { scriptId: used.script.id } as never,
    });
    used.rig.takeWrites();
    expect((await used.rig.applySaved(other)).status).toBe("stale");
    expect(used.rig.takeWrites()).toBe(0);
  });

  test("in a saved plan is carried out as it was planned, and refused when something would go along", async () => {
    const { rig, script } = await settled();
    const text = await save(rig, deleting(ours()));
    await makeStore(rig, script.id, "later.csv");
    rig.takeWrites();
    expect((await rig.applySaved(text)).status).toBe("stale");
    expect(rig.takeWrites()).toBe(0);
    const again = await save(rig, deleting(ours()));
    await makeGateway(rig, 1, "later");
    expect((await rig.applySaved(again)).status).toBe("applied");
    expect(await serviceBodies(rig)).toEqual(["configuration", "gateway", "scenario", "testCase"]);
  });

  test("that fails leaves the rest to the next apply", async () => {
    const { rig } = await settled();
    await rig.setFaults([{ method: "DELETE", path: "/test-confs/:confId", times: 1, status: 400 }]);
    const outcome = await rig.apply(deleting(ours()));
    expect([outcome.status, outcome.counts?.failed]).toEqual(["partial", 2]);
    await rig.setFaults([]);
    expect((await rig.apply(deleting(ours()))).status).toBe("applied");
    expect(await serviceBodies(rig)).toEqual(["configuration", "scenario", "testCase"]);
  });
});
