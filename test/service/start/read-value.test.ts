import { describe, expect, it } from "vitest";
import { startParameters } from "../../../src/service/start/parameters.ts";
import { readValue } from "../../../src/service/start/read-value.ts";

describe("the text of a parameter", () => {
  it.each([
    ["whole", " 12 ", 12],
    ["whole", "+3", 3],
    ["decimal", ".5", 0.5],
    ["decimal", "2.", 2],
    ["flag", "TRUE", true],
    ["flag", " false", false],
    ["words", "a, b,,c ", ["a", "b", "c"]],
    ["numbers", "50, 99.9", [50, 99.9]],
    ["patterns", "^a$,b+", ["^a$", "b+"]],
    ["json", '{"a":[1]}', { a: [1] }],
    ["text", " as it is ", " as it is "],
  ] as const)("of kind %s: %j is %j", (value, text, expected) => {
    expect(readValue(text, { name: "x", value })).toEqual({ value: expected });
  });

  it.each([
    ["whole", "1.5"],
    ["whole", "0x10"],
    ["whole", "1e3"],
    ["whole", "9007199254740993"],
    ["decimal", "1,5"],
    ["decimal", "NaN"],
    ["decimal", "Infinity"],
    ["decimal", "."],
    ["flag", "1"],
    ["numbers", ","],
    ["numbers", "1;2"],
    ["patterns", "*"],
    ["json", "{"],
    ["json", "[".repeat(200) + "]".repeat(200)],
  ] as const)("of kind %s: %j is refused", (value, text) => {
    expect(readValue(text, { name: "x", value })).toHaveProperty("problem");
  });
});

describe("the tables of parameters", () => {
  it("name each parameter once, with a default that its own rule takes", () => {
    expect(new Set(startParameters.map(({ name }) => name)).size).toBe(startParameters.length);
    const wrong = startParameters.filter(
      (each) => each.standard !== undefined && "problem" in readValue(each.standard, each),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(startParameters.length).toBeGreaterThan(170);
  });

  it("say of a parameter that makes a type of scenario that it is for this type", () => {
    const wrong = startParameters.filter(({ defines, of = [] }) => defines !== undefined && !of.includes(defines));
    expect(wrong).toEqual([]);
  });
});
