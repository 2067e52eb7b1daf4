import { describe, expect, test } from "vitest";
import type { Api } from "../../src/api/routes.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { rehearsePlan } from "../../src/rehearse/rehearse-plan.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { planInputOf } from "../support/plan-input-of.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const load = {
  scenario: { ref: "testCase.t/scenario.s" },
  concurrentClients: 1,
  durationSecs: 60,
  providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
};
const scenario = wish("scenario", "s", { name: "s", script: "go()" });
const configuration = wish("configuration", "c", { name: "c", ...load });

function wish(kind: string, key: string, fields: JsonObject, below: readonly Wish[] = []): Wish {
  return { kind, key, fields, below };
}

function project(below: readonly Wish[], fields: JsonObject = { name: "t" }) {
  return toTree([wish("testCase", "t", fields, below)]);
}

/** A service that answers a new test case as it was sent and stores another description. */
function storesAnother(api: Api): Api {
  return {
    async call(route, input, options) {
      const answer = await api.call(route, input, options);
      if (route === "POST /test-cases")
        await api.call("POST /test-cases", { body: { name: "t", org: 1, description: "theirs" } });
      return answer;
    },
  };
}

/** A service with this project, and with somebody else's configuration that runs its scenario. */
async function usedOutside(rig: ReturnType<typeof makeRig>) {
  await rig.apply(project([scenario]));
  const theirs = await rig.outside.call("POST /test-cases", { body: { name: "Theirs", org: 1 } });
  const body = { name: "x", scriptId: 1, durationSecs: 60, concurrentClients: 1 };
  const providers = [{ providerId: 0, params: { regions: "cloud-us-east-1" } }];
  const params = { testCaseId: theirs.id };
  await rig.outside.call("POST /test-cases/:testCaseId/confs", { params, body: { ...body, providers } });
}

describe("a rehearsal", () => {
  test("tells at the object what the service would refuse, before anything is written", async () => {
    const rig = makeRig();
    await usedOutside(rig);
    rig.takeWrites();
    const planned = await rig.plan(project([]), { rehearsal: true });
    expect(planned.rehearsed).toBe(true);
    const found = planned.diagnostics.filter(({ code }) => code === "LF3019");
    expect(found).toMatchObject([{ severity: "error", address: "testCase.t/scenario.s" }]);
    expect(found[0]?.detail).toContain("is used by configurations");
    expect(rig.takeWrites()).toBe(0);
    const { diagnostics } = await rig.apply(project([]));
    expect(diagnostics.filter(({ code }) => code === "LF6001").map(({ address }) => address)).toEqual([
      "testCase.t/scenario.s",
    ]);
  });

  test("refuses an apply that has not been approved before its first write", async () => {
    const rig = makeRig();
    await usedOutside(rig);
    rig.takeWrites();
    expect((await rig.apply(project([]), { rehearsal: true })).status).toBe("failed");
    expect(rig.takeWrites()).toBe(0);
  });

  test("refuses for a live service too, where the API's documents state the rule", async () => {
    const rig = makeRig({ outlives: true });
    rig.takeWrites();
    const stepless = wish("configuration", "c", { name: "c", ...load, profileType: "Step" });
    const tree = project([scenario, stepless]);
    const planned = await rig.plan(tree, { rehearsal: true });
    const found = planned.diagnostics.filter(({ code }) => code === "LF3019");
    expect(found).toMatchObject([{ severity: "error", address: "testCase.t/configuration.c" }]);
    expect(found[0]?.detail).toContain("by a rule that the API's documents state: startConcurrentClients");
    expect((await rig.apply(tree, { rehearsal: true })).status).toBe("failed");
    expect(rig.takeWrites()).toBe(0);
  });

  test("tells each refusal by its own rule", async () => {
    const rig = makeRig({ outlives: true });
    await usedOutside(rig);
    const other = wish("testCase", "o", { name: "o" }, [
      wish("scenario", "s", { name: "s", script: "go()" }),
      wish("configuration", "c", {
        ...{ name: "c", ...load, scenario: { ref: "testCase.o/scenario.s" } },
        ...{ profileType: "BreakingPoint", triggers: [] },
      }),
    ]);
    const planned = await rig.plan(toTree([wish("testCase", "t", { name: "t" }), other]), { rehearsal: true });
    const found = planned.diagnostics.filter(({ code }) => code === "LF3019");
    expect(Object.fromEntries(found.map(({ address, severity }) => [address, severity]))).toEqual({
      "testCase.o/configuration.c": "error",
      "testCase.t/scenario.s": "warning",
    });
  });

  test("warns only, where a live service may have other rules", async () => {
    const rig = makeRig({ outlives: true });
    await usedOutside(rig);
    const planned = await rig.plan(project([]), { rehearsal: true });
    const found = planned.diagnostics.filter(({ code }) => code === "LF3019");
    expect(found.map(({ severity }) => severity)).toEqual(["warning"]);
  });

  test("changes neither the plan nor the service, and finds nothing in a sound one", async () => {
    const rig = makeRig();
    await rig.apply(project([scenario]));
    const before = rig.service.snapshot();
    const tree = project([scenario, configuration], { name: "t", description: "d" });
    const [plain, rehearsed] = [await rig.plan(tree), await rig.plan(tree, { rehearsal: true })];
    expect(rehearsed.rehearsed).toBe(true);
    expect(plain.rehearsed).toBeUndefined();
    expect(rehearsed.plan).toEqual(plain.plan);
    expect(rehearsed.diagnostics).toEqual(plain.diagnostics);
    expect(rehearsed.requests).toBe(plain.requests);
    expect(rig.service.snapshot()).toEqual(before);
  });

  test.each([false, true])(
    "tells an object that a plan after it would still change, live or not: %s",
    async (isLive) => {
      const rig = makeRig();
      const planned = await rig.plan(project([scenario], { name: "t", description: "ours" }));
      const { plan, made, contents } = planned;
      if (plan === undefined || made === undefined) return expect.fail("there is no plan");
      const found = await rehearsePlan(plan, {
        ...{ input: planInputOf(planned), contents, isLive, hash: sha256 },
        fork: async () => ({ api: storesAnother(makeRig().outside), takeRefusal: () => undefined }),
      });
      expect(found).toMatchObject([{ code: "LF3020", severity: isLive ? "warning" : "error", address: "testCase.t" }]);
      expect(found[0]?.detail).toContain("would still change testCase.t.");
    },
  );

  test("is left out of a plan without changes", async () => {
    const rig = makeRig();
    await rig.apply(project([scenario]));
    expect((await rig.plan(project([scenario]), { rehearsal: true })).rehearsed).toBeUndefined();
  });
});
