import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, type Json } from "../../src/model/json.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { check } from "../support/deep.ts";
import { randomProject, toTree, type Wish } from "../support/random-project.ts";
import { type Applied, makeRig } from "../support/rig.ts";

/** Applies and fails with the whole story when anything went wrong. */
function expectApplied(outcome: Applied): void {
  const errors = outcome.diagnostics.filter(({ severity }) => severity === "error");
  expect(errors).toEqual([]);
  expect(["applied", "nothing"]).toContain(outcome.status);
}

function changesOf(plan: Plan | undefined): readonly Json[] {
  return (plan?.changes ?? []).map(
    ({ address, action, fields, reason }) => ({ address, action, fields, reason: reason ?? null }) as unknown as Json,
  );
}

/** The same wishes in another order, at every level. */
function shuffled(wishes: readonly Wish[], random: () => number): readonly Wish[] {
  return wishes
    .map((wish) => ({ wish: { ...wish, below: shuffled(wish.below, random) }, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ wish }) => wish);
}

describe("the engine, on random projects", () => {
  test("after an apply the plan is empty, and a second apply writes nothing (P1, P7)", async () => {
    await check(
      "P1",
      fc.asyncProperty(randomProject, randomProject, async (first, second) => {
        const rig = makeRig();
        for (const wishes of [first, second]) {
          const tree = toTree(wishes);
          const planned = await rig.plan(tree);
          rig.takeWrites();
          expectApplied(await rig.apply(tree));
          expect(rig.takeWrites()).toBeLessThanOrEqual(allowedWrites(planned.plan));
          const again = await rig.plan(tree);
          expect(changesOf(again.plan)).toEqual([]);
          expect(again.plan?.operations).toEqual([]);
          expect(again.requests).toBeLessThanOrEqual(6);
          expect((await rig.stored())?.intents ?? []).toEqual([]);
          expect((await rig.apply(tree)).status).toBe("nothing");
          expect(rig.takeWrites()).toBe(0);
        }
      }),
      { few: 30, deep: 10_000 },
    );
  });

  test("the plan is the same whatever the order of files and keys (P5)", async () => {
    await check(
      "P5",
      fc.asyncProperty(randomProject, randomProject, fc.integer({ min: 1 }), async (first, second, salt) => {
        let state = salt;
        const random = () => {
          state = (state * 48_271) % 2_147_483_647;
          return state / 2_147_483_647;
        };
        const rig = makeRig();
        expectApplied(await rig.apply(toTree(first)));
        const texts = await Promise.all(
          [second, shuffled(second, random)].map(async (wishes) => digestable((await rig.plan(toTree(wishes))).plan)),
        );
        expect(texts[1]).toBe(texts[0]);
      }),
      { few: 20, deep: 10_000 },
    );
  });

  test("destroy leaves nothing of ours and everything that is not ours", async () => {
    await check(
      "destroy",
      fc.asyncProperty(randomProject, async (wishes) => {
        const rig = makeRig();
        const theirs = await rig.outside.call("POST /test-cases", { body: { name: "Theirs", org: 1 } });
        const tree = toTree(wishes);
        expectApplied(await rig.apply(tree));
        expectApplied(await rig.apply(tree, { destroy: true }));
        const left = await rig.outside.call("GET /test-cases", { query: { down: true } });
        expect(left.map(({ id }) => id)).toEqual([theirs.id]);
        expect(Object.keys((await rig.stored())?.state.resources ?? {})).toEqual([]);
      }),
      { few: 12, deep: 2_000 },
    );
  });
});

/** One write per unit; a test case has two requests, a delete one, a pause its own (docs/engine.md, Write routes). */
function allowedWrites(plan: Plan | undefined): number {
  const { operations = [], pauses = [] } = plan ?? {};
  const units = operations.reduce((sum, { op, kind }) => sum + (op === "update" && kind === "testCase" ? 2 : 1), 0);
  return units + 2 * pauses.length;
}

function digestable(plan: Plan | undefined): string {
  const { changes, operations, pauses, drift, guards, summary } = plan!;
  const text = canonicalJson({ changes, operations, pauses, drift, guards, summary } as unknown as Json);
  // A project without a state has a lineage of its own in every plan; fingerprints stand outside the digest.
  return text.replace(/"[0-9a-f]{32}"/g, '"fingerprint"');
}
