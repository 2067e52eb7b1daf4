import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareService } from "../../src/project/conformance/compare-service.ts";
import { check } from "../support/deep.ts";
import { randomProject, toTree } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

describe("a service that follows the documents as the bundled one does", () => {
  test("has no difference, whatever it holds", async () => {
    await check(
      "conformance of the bundled service",
      fc.asyncProperty(randomProject, async (wishes) => {
        const rig = makeRig();
        await rig.apply(toTree(wishes));
        const before = rig.service.snapshot();
        const target = { url: "memory:", organization: 1 };
        const { findings } = await compareService({ api: rig.outside, target }, rig.system);
        expect(findings).toEqual([]);
        expect(rig.service.snapshot()).toEqual(before);
      }),
      { few: 10, deep: 500 },
    );
  });
});
