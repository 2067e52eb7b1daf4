import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Crash, crashDisk, Gone } from "../support/crash-files.ts";
import { check } from "../support/deep.ts";
import { randomProject, toTree } from "../support/random-project.ts";
import { movesIn } from "../support/reshaped.ts";
import { type Applied, makeRig, type Rig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";

/** Every route that makes something. */
const createRoute = fc.constantFrom(
  "/test-cases",
  "/test-cases/:testCaseId/scripts",
  "/test-cases/:testCaseId/confs",
  "/test-cases/:testCaseId/gateways",
  "/scripts/:id/data-stores/contents",
  "/orgs/:orgId/vcs-roots",
  "/orgs/:orgId/regions",
  "/providers",
);

/**
 * After any mishap: apply until nothing is left to do; then every wish exists once, and nothing else does. What a crash
 * left can look like a rename (two without content gone, one new): then the lines to paste are pasted, as a user would.
 */
async function expectConverges(rig: Rig, tree: ReturnType<typeof toTree>): Promise<void> {
  let outcome: Applied | undefined;
  for (let tries = 0; tries < 4 && outcome?.status !== "nothing"; tries++) {
    const question = outcome?.diagnostics.find(({ code }) => code === "LF3011");
    outcome = await rig.apply(tree, question === undefined ? {} : { moved: movesIn(question.detail) });
  }
  expect(outcome?.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(outcome?.status).toBe("nothing");
  expect((await rig.plan(tree)).plan?.changes).toEqual([]);
  const wished = [...tree.nodes.values()]
    .filter(({ kind }) => kind !== "tag")
    .map(({ kind }) => kind)
    .sort();
  expect(await serviceBodies(rig)).toEqual(wished);
}

describe("mishaps, on random projects", () => {
  test("a refused operation fails alone: what depends on it is not attempted, the rest is done, the next apply ends it (P20)", async () => {
    await check(
      "P20",
      fc.asyncProperty(randomProject, createRoute, fc.nat({ max: 3 }), async (wishes, path, after) => {
        const rig = makeRig();
        const tree = toTree(wishes);
        const planned = (await rig.plan(tree)).plan!;
        await rig.setFaults([{ method: "POST", path, times: 1, after, status: 400 }]);
        const outcome = await rig.apply(tree);
        const hits = await rig.setFaults([]);
        expect(outcome.events.some(({ type }) => type === "apply_errored")).toBe(hits > 0);
        if (planned.changes.length > 0) expect(outcome.status).toBe(hits > 0 ? "partial" : "applied");
        const { counts } = outcome;
        const total = counts!.create + counts!.update + counts!.delete + counts!.failed + counts!.not_attempted;
        expect(total).toBe(planned.changes.length);
        await expectConverges(rig, tree);
      }),
      { few: 25, deep: 4_000 },
    );
  });

  test("a lost answer never makes a duplicate, however late the request takes effect (P4)", async () => {
    await check(
      "P4",
      fc.asyncProperty(
        randomProject,
        createRoute,
        fc.nat({ max: 3 }),
        fc.constantFrom(0, 10_000, 40_000),
        async (wishes, path, after, effectDelayMs) => {
          const rig = makeRig();
          const tree = toTree(wishes);
          const late = effectDelayMs === 0 ? {} : { effectDelayMs };
          await rig.setFaults([{ method: "POST", path, times: 1, after, drop: "after", ...late }]);
          const outcome = await rig.apply(tree);
          expect(outcome.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
          await rig.setFaults([]);
          await expectConverges(rig, tree);
        },
      ),
      { few: 25, deep: 5_000 },
    );
  });

  test("a crash at any step loses nothing and duplicates nothing (P2)", async () => {
    await check(
      "P2",
      fc.asyncProperty(
        randomProject,
        randomProject,
        fc.nat({ max: 120 }),
        fc.boolean(),
        async (before, after, point, losesRenames) => {
          let steps = -1;
          const isDead = () => steps > point;
          const disk = crashDisk(() => {
            if (isDead()) throw new Gone("the process is gone");
            if (steps >= 0 && steps++ === point) throw new Crash("power lost");
          });
          const rig = makeRig({ files: disk.files, isDead });
          await rig.apply(toTree(before));
          steps = 0;
          await rig.apply(toTree(after)).catch((problem: unknown) => {
            if (!(problem instanceof Crash)) throw problem;
          });
          const crashed = isDead();
          steps = -1;
          const revived = crashed ? rig.restart(disk.restart(losesRenames).files) : rig;
          await expectConverges(revived, toTree(after));
        },
      ),
      { few: 40, deep: 19_000 },
    );
  });
});
