import { describe, expect, it } from "vitest";
import { matchOutput } from "./match-output.ts";

const lines = (...all: readonly string[]) => all.join("\n");

describe("an output is as the page says when", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["it is the same", lines("a", "b"), lines("a", "b", "")],
    ["lines are left out at the start", lines("…", "c"), lines("a", "b", "c")],
    ["lines are left out in the middle", lines("a", "…", "d"), lines("a", "b", "c", "d")],
    ["lines are left out at the end", lines("a", "…"), lines("a", "b")],
    ["nothing had to be left out", lines("a", "…", "b"), lines("a", "b")],
    ["the last run comes twice", lines("a", "…", "b"), lines("a", "b", "c", "b")],
    [
      "objects that are written at the same time are told in another order",
      lines("a", "created x.b (0.1 s)", "created x.a (0.0 s)", "b"),
      lines("a", "created x.a (0.1 s)", "created x.b (0.0 s)", "b"),
    ],
    ["text within a line is left out", "found … in …", "found 3 in all of them"],
    [
      "only times, durations and fingerprints differ",
      "at 2026-11-22 02:30, 0.0 s, 0123456789abcdef0",
      "at 2027-01-02 03:04, 12 s, ffffffffffffffff1",
    ],
  ];
  it.each(cases)("%s", (_title, expected, got) => {
    expect(matchOutput(expected, got)).toBeUndefined();
  });
});

describe("an output differs", () => {
  const cases: readonly (readonly [string, string, string, object])[] = [
    ["in a line", lines("a", "b"), lines("a", "c"), { at: 1, expected: "b", got: "c" }],
    ["by a line too much", "a", lines("a", "b"), { at: 1, expected: "nothing more", got: "b" }],
    ["by a line too few", lines("a", "b"), "a", { at: 1, expected: "b", got: "(the output ends)" }],
    [
      "after what is left out",
      lines("a", "…", "x", "y"),
      lines("a", "b", "x", "z"),
      { at: 3, expected: "y", got: "z" },
    ],
    [
      "after what is left out, without any likeness",
      lines("a", "…", "x"),
      lines("a", "b"),
      { at: 2, expected: "x", got: expect.stringContaining("no such line") },
    ],
    [
      "in an object that is not told",
      lines("created x.b (0.1 s)", "created x.a (0.0 s)"),
      lines("created x.c (0.1 s)", "created x.a (0.0 s)"),
      { at: 1, expected: "created x.b (0.1 s)", got: "created x.c (0.1 s)" },
    ],
    ["by all of it", "", "a", { at: 0, expected: "nothing more", got: "a" }],
    ["by a text that only looks like a pattern", "a.c", "abc", { at: 0, expected: "a.c", got: "abc" }],
  ];
  it.each(cases)("%s", (_title, expected, got, wrong) => {
    expect(matchOutput(expected, got)).toEqual(wrong);
  });
});
