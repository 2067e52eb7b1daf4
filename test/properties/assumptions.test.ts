import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../support/deep.ts";
import { randomProject, toTree } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";

/** The other answer to each assumption of engine.md 2.15 that a setting of the bundled service stands for. */
const settings = {
  "A1 nested": { nested: "summary" },
  "A2 touch": { touch: "parent" },
  "A3 put": { put: "replace" },
  "A4 scheduleIds": { scheduleIds: "new" },
  "A5 inUse": { inUse: "allow" },
  "A6 ids": { ids: "reuse" },
  "A11 errors": { errors: "plain" },
  "A12 contents": { contents: "duplicate" },
  "A14 nameCase": { nameCase: "fold" },
  "A16 upsert": { upsert: "clear" },
} as const;

describe("the engine lives with the other answer to an assumption", () => {
  test.each(Object.entries(settings))("%s", async (name, setting) => {
    await check(
      name,
      fc.asyncProperty(randomProject, randomProject, async (first, second) => {
        const rig = makeRig({ settings: setting });
        for (const wishes of [first, second]) {
          const tree = toTree(wishes);
          const outcome = await rig.apply(tree);
          expect(outcome.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
          expect((await rig.plan(tree)).plan?.changes).toEqual([]);
          const wished = [...tree.nodes.values()].filter(({ kind }) => kind !== "tag").map(({ kind }) => kind);
          expect(await serviceBodies(rig)).toEqual(wished.sort());
        }
      }),
      { few: 10, deep: 1_000 },
    );
  });
});
