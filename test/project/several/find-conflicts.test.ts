import { describe, expect, test } from "vitest";
import {
  bindingConflicts,
  creationConflicts,
  keyConflicts,
  serviceUse,
  stateConflicts,
} from "../../../src/project/several/find-conflicts.ts";

const use = (dir: string, declared: string, variable = "LOADFORM_API_KEY") => ({ dir, declared, variable });
const [x, y] = ["https://x.example.com/api", "https://y.example.com"];

describe("one key for two services", () => {
  const cases: readonly (readonly [string, Parameters<typeof keyConflicts>, number])[] = [
    ["no live service", [[], "https://z.example.com"], 0],
    ["one service", [[use("a", x), use("b", `${x}/`)], undefined], 0],
    ["one service, which $LOADFORM_URL replaces", [[use("a", x), use("b", x)], y], 0],
    ["two services with one variable", [[use("a", x), use("b", y)], undefined], 1],
    ["two services with two variables", [[use("a", x), use("b", y, "B_KEY")], undefined], 0],
    ["two services with $LOADFORM_URL", [[use("a", x), use("b", y, "B_KEY")], x], 1],
  ];
  test.each(cases)("is found or not: %s", (_title, [uses, override], count) => {
    expect(keyConflicts(uses, override)).toHaveLength(count);
  });

  test("does not count the bundled service, which $LOADFORM_URL usually replaces", () => {
    const service = { url: x, declared: "memory:service.json", auth: { header: "X-Api-Key" } };
    expect(serviceUse("a", { service, live: true, secrets: [] })).toEqual([]);
    expect(serviceUse("a", { service: { ...service, declared: y }, live: true, secrets: [] })).toEqual([use("a", y)]);
  });
});

describe("one state of two projects", () => {
  test("is an error of each that names the others; a state that is stored nowhere is no place", () => {
    const places = ["p", "q", "p", undefined, undefined].map((place, index) => ({ dir: `d${index}`, place }));
    const found = stateConflicts(places);
    expect([...found].map(([dir, problems]) => [dir, problems[0]?.summary])).toEqual([
      ["d0", "d0 has the same state as d2"],
      ["d2", "d2 has the same state as d0"],
    ]);
  });
});

describe("one object of two projects", () => {
  const bound = (dir: string, at: string, ids: readonly number[]) => ({
    dir,
    at,
    created: [],
    ids: { testCase: ids },
    resources: async () =>
      Object.fromEntries(ids.map((id) => [`testCase.t${id}`, { kind: "testCase", id, createdAt: "", applied: {} }])),
  });

  test("is an error of each, with the first of them and how many there are", async () => {
    const found = await bindingConflicts([
      bound("a", "s 1", [1, 2, 3]),
      bound("b", "s 1", [2, 3]),
      bound("c", "s 1", [4]),
    ]);
    expect([...found.keys()]).toEqual(["a", "b"]);
    expect(found.get("b")?.[0]?.detail).toContain("testCase.t2 and 1 more are bound by b and by a");
  });

  test("is none at another service or in another organization", async () => {
    const bindings = [bound("a", "s 1", [1]), bound("b", "s 2", [1]), bound("c", "t 1", [1])];
    expect((await bindingConflicts(bindings)).size).toBe(0);
  });

  test("is one, too, that both would create at one service", () => {
    const creating = (dir: string, at: string) => ({
      ...bound(dir, at, []),
      created: ['testCase "shop"', `tag "${dir}"`],
    });
    const found = creationConflicts([creating("a", "s 1"), creating("b", "s 1"), creating("c", "t 1")]);
    expect([...found].map(([dir, [problem]]) => [dir, problem?.code])).toEqual([
      ["a", "LF5010"],
      ["b", "LF5010"],
    ]);
    expect(found.get("a")?.[0]?.detail).toContain('Both create testCase "shop", and only one can own it');
    const many = ["a", "b"].map((dir) => ({ ...bound(dir, "s 1", []), created: ['testCase "x"', 'testCase "y"'] }));
    const problems = creationConflicts(many).get("b") ?? [];
    expect(problems.map(({ detail }) => detail)).toEqual([expect.stringContaining('testCase "x" and 1 more, and')]);
  });
});
