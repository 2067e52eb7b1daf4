import { describe, expect, test } from "vitest";
import { blockedBy, testCase } from "../support/blocked-by.ts";
import { toTree } from "../support/random-project.ts";
import type { makeRig } from "../support/rig.ts";

type Rig = ReturnType<typeof makeRig>;

const many = (count: number) => Array.from({ length: count }, (_, index) => testCase(`t${index}`));

describe("everything is gone", () => {
  test.each([
    ["10 bound objects", 10, {}, ["gone"]],
    ["9 bound objects", 9, {}, []],
    ["10 bound objects with --force-threshold", 10, { forceThreshold: true }, []],
    ["10 bound objects, for a destroy", 10, { destroy: true }, []],
  ])("the service shows none of %s", async (_, count, asked, expected) => {
    const before = toTree(many(count));
    const happens = async (rig: Rig) => {
      for (let id = 1; id <= count; id++)
        await rig.outside.call("DELETE /test-cases/:testCaseId", { params: { testCaseId: id } });
    };
    const { guards, outcome } = await blockedBy({ before, after: before, asked, happens });
    expect(guards).toEqual(expected);
    expect(outcome.status).toBe(expected.length > 0 ? "blocked" : "applied");
  });

  test("one object that is there is enough for no hit", async () => {
    const before = toTree(many(10));
    const happens = async (rig: Rig) => {
      for (let id = 2; id <= 10; id++)
        await rig.outside.call("DELETE /test-cases/:testCaseId", { params: { testCaseId: id } });
    };
    expect((await blockedBy({ before, after: before, happens })).guards).toEqual([]);
  });

  test("objects of the same ids that were made at another time count as not there, in one message", async () => {
    const before = toTree(many(10));
    const happens = async (rig: Rig) => {
      const made = JSON.stringify(rig.service.snapshot());
      await rig.service.restore(made.replaceAll(/"createdAt":(?:"[^"]*"|\d+)/g, (each) => earlier(each)));
    };
    const { guards, outcome } = await blockedBy({ before, after: before, happens });
    expect([guards, outcome.diagnostics.map(({ code }) => code)]).toEqual([["gone"], ["LF4008"]]);
  });
});

/** A moment of a snapshot one day earlier. */
function earlier(member: string): string {
  return member.replace(/\d{4}-\d\d-\d\dT[^"]*|\d+$/, (at) => {
    const day = 86_400_000;
    return /^\d+$/.test(at) ? String(Number(at) - day) : new Date(Date.parse(at) - day).toISOString();
  });
}
