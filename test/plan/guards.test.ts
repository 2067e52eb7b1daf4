import { describe, expect, test } from "vitest";
import { blockedBy, full, guarded, testCase } from "../support/blocked-by.ts";
import { withLifecycle, withUnmanagedDeleted } from "../support/lifecycle.ts";
import { makeConfiguration, makeGateway, makeScript, makeStore } from "../support/live-objects.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";
import { completeRun, startRun } from "../support/start-run.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => testCase(`t${index}`));

const run = (rig: Rig) => completeRun(rig);
const conf = async (rig: Rig) => {
  const { id } = await makeConfiguration(rig, 1, { name: "theirs", scriptId: 1 });
  await completeRun(rig, id);
};
const gatewayWithRecording = async (rig: Rig) => {
  const { id } = await makeGateway(rig, 1, "theirs");
  const made = await rig.outside.call("POST /gateways/:gatewayId/recordings", {
    params: { gatewayId: id },
    body: { name: "r" },
  });
  await rig.outside.call("PATCH /recordings/:id/stop", { params: { id: made.id } });
};
const storeWithRows = async (rig: Rig) => {
  const { id } = await makeScript(rig, 1, { name: "theirs" });
  return makeStore(rig, id, "theirs.csv");
};
describe("guards block the whole run before the first write", () => {
  test("protect: what the state says is protected does not go, whether its block is gone or not", async () => {
    const before = withLifecycle(toTree(full), "testCase.b", { protect: true });
    expect((await blockedBy({ before, after: toTree(full.slice(0, 1)) })).guards).toEqual(["protect"]);
    expect((await blockedBy({ before, after: before, asked: { destroy: true } })).guards).toEqual(["protect"]);
    expect((await blockedBy({ before, after: before, asked: { replace: ["testCase.b"] } })).guards).toEqual([
      "protect",
    ]);
  });

  test("protect: false, once applied, lets it go", async () => {
    const rig = makeRig();
    await rig.apply(withLifecycle(toTree(full), "testCase.b", { protect: true }));
    await rig.apply(toTree(full));
    expect((await rig.apply(toTree(full.slice(0, 1)), guarded)).status).toBe("applied");
  });

  test("protect: a block counts before it was applied", async () => {
    const after = withLifecycle(toTree(full), "testCase.b", { protect: true });
    expect((await blockedBy({ before: toTree(full), after, asked: { replace: ["testCase.b"] } })).guards).toEqual([
      "protect",
    ]);
    expect((await blockedBy({ before: toTree(full), after, asked: { destroy: true } })).guards).toEqual(["protect"]);
  });

  test("protect: what is forgotten does not go with its parent either", async () => {
    const before = withLifecycle(toTree(full), "testCase.a/gateway.g", { protect: true });
    const removed = [{ address: "testCase.a/gateway.g", destroy: false }];
    const asked = { allowDestroy: ["**"], removed };
    const { guards, outcome } = await blockedBy({ before, after: toTree(full.slice(1)), asked });
    expect(guards).toEqual(["protect"]);
    expect(outcome.diagnostics.find(({ code }) => code === "LF4001")?.address).toBe("testCase.a/gateway.g");
  });

  test("history: what is forgotten does not go with its parent, unless it may", async () => {
    const asked = { removed: [{ address: "testCase.a/gateway.g", destroy: false }] };
    const parts = { before: toTree(full), after: toTree(full.slice(1)) };
    expect((await blockedBy({ ...parts, asked })).guards).toEqual(["history"]);
    expect((await blockedBy({ ...parts, asked: { ...asked, allowDestroy: ["**"] } })).outcome.status).toBe("applied");
  });

  test("history: --allow-destroy of another address allows nothing here", async () => {
    const parts = { before: toTree(full), after: toTree(full.slice(1)), happens: run };
    expect((await blockedBy({ ...parts, asked: { allowDestroy: ["testCase.b/**"] } })).guards).toContain("history");
  });

  test("history: a replacement would lose it too", async () => {
    const before = toTree(full);
    const asked = { replace: ["testCase.a/configuration.c"] };
    expect((await blockedBy({ before, after: before, happens: run, asked })).guards).toEqual(["history"]);
  });

  test("history: what is far below counts", async () => {
    const theirs = async (rig: Rig) => {
      const daily = { scheduleType: "Recurring", recurringInterval: "Day" };
      const { id } = await makeConfiguration(rig, 2, { name: "theirs", scriptId: 1, schedules: [daily] });
      await completeRun(rig, id);
    };
    const { outcome } = await blockedBy({ before: toTree(full), after: toTree(full.slice(0, 1)), happens: theirs });
    const found = outcome.diagnostics.find(({ code }) => code === "LF4002");
    expect(found?.detail).toContain("1 execution, 2 unmanaged objects");
  });

  test("history: a region of somebody else does not go with its grid", async () => {
    const grid: Wish = { kind: "provider", key: "p", fields: { name: "p", providerType: "Shared" }, below: [] };
    const happens = (rig: Rig) =>
      rig.outside.call("POST /orgs/:orgId/regions", {
        params: { orgId: 1 },
        body: { name: "theirs", providerId: 1 } as never,
      });
    const parts = { before: toTree([grid, ...full]), after: toTree(full), happens };
    expect((await blockedBy(parts)).guards).toEqual(["history"]);
    expect((await blockedBy({ ...parts, asked: { allowDestroy: ["provider.p"] } })).outcome.status).toBe("applied");
  });

  test("running: nothing that runs goes, whatever flags are given", async () => {
    const asked = { allowDestroy: ["**"], forceThreshold: true };
    const parts = { before: toTree(full), after: toTree(full.slice(1)), happens: startRun };
    expect((await blockedBy({ ...parts, asked })).guards).toEqual(["running"]);
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

  test("threshold: replacements count as deletes", async () => {
    const before = toTree(many(10));
    const replace = ["testCase.t0", "testCase.t1", "testCase.t2", "testCase.t3"];
    expect((await blockedBy({ before, after: before, asked: { replace } })).guards).toEqual(["threshold"]);
  });

  test("threshold: not for destroy, for updates too, and --force-threshold goes on", async () => {
    const before = toTree(many(10));
    const renamed = toTree(
      many(10).map((each, index) => (index < 4 ? { ...each, fields: { name: `${each.key} new` } } : each)),
    );
    expect((await blockedBy({ before, after: before, asked: { destroy: true } })).guards).toEqual([]);
    expect((await blockedBy({ before, after: renamed })).guards).toEqual(["threshold"]);
    expect((await blockedBy({ before, after: renamed, asked: { forceThreshold: true } })).outcome.status).toBe(
      "applied",
    );
  });

  test("empty: a project that declares nothing does not delete everything", async () => {
    const after = toTree([]);
    const parts = { before: toTree(full), after };
    expect((await blockedBy({ ...parts, asked: { destroy: false } })).guards).toContain("empty");
    const asked = { destroy: false, forceThreshold: true, allowDestroy: ["**"] };
    expect((await blockedBy({ ...parts, asked })).guards).toEqual(["empty"]);
  });

  test.each([
    ["executions of a configuration", conf, ["history"], "testCase.a/configuration#2", ["1 execution"]],
    ["recordings of a gateway", gatewayWithRecording, ["history"], "testCase.a/gateway#2", ["1 recording"]],
    [
      "rows of a data store, which are shown but do not block",
      storeWithRows,
      [],
      "testCase.a/scenario#2/dataStore#1",
      ["1 data row"],
    ],
  ])("unmanaged: delete stops before %s", async (_, happens, expected, address, risks) => {
    const parts = { before: toTree(full), after: withUnmanagedDeleted(toTree(full)), happens };
    const { guards, outcome, rig } = await blockedBy(parts);
    expect([...guards].sort()).toEqual(expected);
    expect(outcome.plan?.plan?.changes.find((change) => change.address === address)).toMatchObject({
      action: "delete",
      reason: "unmanaged",
      risks,
    });
    const allowed = await rig.apply(parts.after, { ...guarded, allowDestroy: [address] });
    expect(allowed.status).toBe(expected.length > 0 ? "applied" : "nothing");
  });

  test("running: unmanaged: delete waits too, whatever flags are given", async () => {
    const happens = async (rig: Rig) => {
      const { id } = await makeConfiguration(rig, 1, { name: "theirs", scriptId: 1 });
      await startRun(rig, id);
    };
    const parts = { before: toTree(full), after: withUnmanagedDeleted(toTree(full)), happens };
    expect((await blockedBy({ ...parts, asked: { allowDestroy: ["**"], forceThreshold: true } })).guards).toEqual([
      "running",
    ]);
  });

  test.each([
    ["3 beside 10 bound objects", 10, 3, []],
    ["4 beside 10 bound objects", 10, 4, ["threshold"]],
    ["4 beside 9 bound objects", 9, 4, []],
    ["21 beside 80 bound objects", 80, 21, ["threshold"]],
  ])("threshold: undeclared objects count, %s", async (_, bound, unmanaged, expected) => {
    const happens = async (rig: Rig) => {
      for (let made = 0; made < unmanaged; made++) await makeGateway(rig, 1, `theirs ${made}`);
    };
    const after = withUnmanagedDeleted(toTree(many(bound)));
    expect((await blockedBy({ before: toTree(many(bound)), after, happens })).guards).toEqual(expected);
  });

  test("empty: without a declared test case nobody says unmanaged: delete, so nothing goes", async () => {
    const before = withUnmanagedDeleted(toTree(full));
    const { guards, outcome } = await blockedBy({
      before,
      after: toTree([]),
      happens: (rig) => makeGateway(rig, 1, "theirs"),
      asked: { destroy: false },
    });
    expect(guards).toContain("empty");
    expect(outcome.plan?.plan?.changes.map(({ reason }) => reason)).not.toContain("unmanaged");
  });

  test("target: a state of another organization is never used either", async () => {
    const rig = makeRig();
    await rig.apply(toTree(full));
    const session = await rig.store.lock({ operation: "test", timeoutMs: 0 });
    const { state, intents } = session.stored!;
    await session.save({ ...state, target: { url: "memory:", organization: 2 } }, intents);
    await session.release();
    const { plan } = await rig.plan(toTree(full));
    expect(plan?.guards.map(({ guard }) => guard)).toContain("target");
  });

  test("target: a state of another environment is never used either", async () => {
    const rig = makeRig();
    await rig.apply(toTree(full));
    const { plan } = await rig.plan(toTree(full), { environment: "staging" });
    expect(plan?.guards.map(({ guard }) => guard)).toEqual(["target"]);
  });

  test("target: a project that declares nothing of the state of another one deletes nothing of it", async () => {
    const rig = makeRig();
    const theirs: Wish = { kind: "testCase", key: "c", fields: { name: "c", description: "theirs" }, below: [] };
    await rig.apply(toTree([testCase("a"), testCase("b")]));
    const session = await rig.store.lock({ operation: "test", timeoutMs: 0 });
    await session.save({ ...session.stored!.state, project: "another" }, []);
    await session.release();
    rig.takeWrites();
    const foreign = await rig.apply(toTree([theirs]));
    expect([foreign.status, foreign.diagnostics.map(({ code }) => code), rig.takeWrites()]).toEqual([
      "blocked",
      ["LF4006"],
      0,
    ]);
    expect((await rig.apply(toTree([testCase("a"), theirs]))).status).toBe("applied");
    expect((await rig.stored())?.state.project).toBe("random");
  });

  test("target: a state of another service is never used, whatever the flags", async () => {
    const rig = makeRig();
    await rig.apply(toTree(full));
    const outcome = await rig.apply(toTree(full), { target: { url: "memory:other", organization: 1 } });
    expect(outcome.status).toBe("blocked");
    expect(outcome.plan?.plan?.guards.map(({ guard }) => guard)).toContain("target");
  });
});
