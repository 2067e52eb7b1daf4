import { describe, expect, it } from "vitest";
import { groupBy, grouped } from "../../src/model/group-by.ts";

describe("groups", () => {
  it("hold items by what they have in common, both in the order in which they come", () => {
    const groups = groupBy(["beta", "alpha", "bravo"], ([letter]) => letter);
    expect([...groups]).toEqual([
      ["b", ["beta", "bravo"]],
      ["a", ["alpha"]],
    ]);
  });

  it("hold values by key", () => {
    const groups = grouped([
      ["x", 2],
      ["y", 1],
      ["x", 1],
    ] as const);
    expect([...groups]).toEqual([
      ["x", [2, 1]],
      ["y", [1]],
    ]);
  });
});
