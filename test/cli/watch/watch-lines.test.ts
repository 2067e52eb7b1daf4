import { describe, expect, it, test } from "vitest";
import { checkLine, checkText, exitOfStates } from "../../../src/cli/watch/watch-lines.ts";
import { newMemory } from "../../../src/watch/decide.ts";
import type { PastCheck, ProjectState } from "../../../src/watch/project-memory.ts";

const past: PastCheck = {
  at: "2026-11-24T12:00:00.000Z",
  ms: 420,
  state: "in-sync",
  commit: null,
  healed: ["testCase.a"],
};
const ended = (check: Partial<PastCheck> = {}) => ({ ...newMemory(), history: [{ ...past, ...check }] });

describe("a check as a line", () => {
  it.each([
    [{}, "healed 1 object, 0.4 s"],
    [{ moreHealed: 30 }, "healed 31 objects, 0.4 s"],
    [{ healed: [], commit: "0123456789abcdef" }, "commit 0123456789, 0.4 s"],
    [{ healed: [], reason: "prune" }, "prune, 0.4 s"],
  ])("of %o says %s", (check, words) => {
    expect(checkText("shop", ended(check))).toBe(`2026-11-24T12:00:00.000Z shop: in-sync (${words})`);
  });

  it("of JSON counts those that it does not name", () => {
    expect(checkLine("shop", ended())).toMatchObject({ project: "shop", healed: ["testCase.a"], commit: null });
    expect(checkLine("shop", ended())).not.toHaveProperty("moreHealed");
    expect(checkLine("shop", ended({ moreHealed: 30 }))).toMatchObject({ healed: ["testCase.a"], moreHealed: 30 });
  });

  it("is none before the first check", () => {
    expect([checkText("shop", newMemory()), checkLine("shop", newMemory())]).toEqual([undefined, undefined]);
  });
});

test.each<[readonly (ProjectState | undefined)[], number]>([
  [["in-sync", "suspended"], 0],
  [["drifted", "in-sync"], 2],
  [["locked", "out-of-sync"], 4],
  [["locked", "blocked"], 3],
  [["blocked", "failed"], 1],
  [["in-sync", undefined], 1],
])("projects that are %j end the command with %i", (states, code) => {
  expect(exitOfStates(states)).toBe(code);
});
