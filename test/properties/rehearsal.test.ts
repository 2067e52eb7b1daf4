import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../support/deep.ts";
import { randomProject, toTree } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

describe("a rehearsal, on random plans over random live trees", () => {
  test("refuses exactly what the service refuses, and what it lets through leaves nothing to plan", async () => {
    let rehearsed = 0;
    let refused = 0;
    await check(
      "rehearsal",
      fc.asyncProperty(randomProject, randomProject, fc.nat(), async (first, second, salt) => {
        const rig = makeRig();
        await rig.apply(toTree(first));
        await useOutside(rig, salt);
        const planned = await rig.plan(toTree(second), { rehearsal: true });
        const found = planned.diagnostics.filter(({ code }) => /^LF30(19|20|21)$/.test(code));
        const isRehearsable =
          (planned.plan?.operations.length ?? 0) > 0 &&
          planned.blocked.length === 0 &&
          planned.diagnostics.every(({ severity, code }) => severity !== "error" || code === "LF3019");
        expect(planned.rehearsed ?? false).toBe(isRehearsable);
        expect(found.filter(({ code }) => code !== "LF3019")).toEqual([]);
        if (!isRehearsable) return;
        rehearsed += 1;
        const { diagnostics } = await rig.apply(toTree(second));
        const wrong = diagnostics.filter(({ severity }) => severity === "error");
        if (wrong.length > 0) refused += 1;
        expect(found.map(({ address }) => address).sort()).toEqual(wrong.map(({ address }) => address).sort());
      }),
      { few: 60, deep: 5_000 },
    );
    expect(rehearsed).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(0);
  });
});

/** Somebody runs one of the scenarios, of whichever test case, with a configuration of their own. */
async function useOutside(rig: ReturnType<typeof makeRig>, salt: number): Promise<void> {
  const cases = await rig.outside.call("GET /test-cases", { query: { down: true } });
  const scenarios = cases.flatMap(({ scenarios: list = [] }) => list);
  const scenario = scenarios[salt % Math.max(1, scenarios.length)];
  if (!scenario || salt % 2 === 0) return;
  const theirs = await rig.outside.call("POST /test-cases", { body: { name: "Theirs", org: 1 } });
  await rig.outside.call("POST /test-cases/:testCaseId/confs", {
    params: { testCaseId: theirs.id },
    body: {
      name: "Theirs",
      scriptId: scenario.id,
      concurrentClients: 1,
      durationSecs: 60,
      providers: [{ providerId: 0, params: { regions: "cloud-us-east-1" } }],
    },
  });
}
