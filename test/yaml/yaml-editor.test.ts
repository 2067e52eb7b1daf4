import { describe, expect, it } from "vitest";
import { yamlFieldWrite } from "../../src/authoring/write-yaml-value.ts";
import { kinds } from "../../src/kinds/index.ts";
import { isObject, type Json } from "../../src/model/json.ts";
import { type Written, writtenPlain } from "../../src/model/written.ts";
import { parseYaml } from "../../src/yaml/parse-yaml.ts";
import { yamlEditor } from "../../src/yaml/yaml-editor.ts";
import { type Asked, cases } from "./field-cases.ts";

const path = ["testCases", "a"];

type Write = Parameters<typeof yamlFieldWrite>[0];

function writeYamlField(text: string, write: Write): string {
  const editor = yamlEditor(text);
  editor.write(yamlFieldWrite(write, context));
  return editor.text();
}

function removeYamlObject(text: string, of: readonly string[]): string {
  const editor = yamlEditor(text);
  editor.remove(of);
  return editor.text();
}

const context = { file: "loadform.yaml", kinds, address: "testCase.a" };
const order = ["name", "description", "scenario", "profileType", "list", "map"];

const written = (value: Json): Written => {
  if (Array.isArray(value)) return { is: "list", items: value.map((item: Json) => written(item)) };
  if (isObject(value))
    return { is: "map", members: Object.entries(value).map(([name, member]) => ({ name, value: written(member) })) };
  return writtenPlain(value as string);
};

const write = (text: string, { field = "description", old, next, whole = false, raw }: Asked) =>
  writeYamlField(text, {
    path,
    field,
    ...(old === undefined ? {} : { old: written(old) }),
    ...(next === undefined ? {} : { next: written(next) }),
    ...(raw === undefined ? {} : { raw }),
    order,
    whole,
    mayDrop: false,
    isDefaulted: false,
  });

describe("writing a field into a file", () => {
  it.each(Object.entries(cases))("changes nothing else: %s", (_, { text, becomes, ...asked }) => {
    const made = write(text, asked);
    expect(made).toBe(becomes);
    expect(parseYaml(made, "").diagnostics).toEqual([]);
  });

  it("writes what an object shares with others out in it before it is changed there", () => {
    const text = "x: &x\n  scenarios:\n    s: { name: S }\ntestCases:\n  a:\n    <<: *x\n";
    const made = writeYamlField(text, {
      path: ["testCases", "a", "scenarios", "s"],
      field: "name",
      next: writtenPlain("T"),
      order,
      whole: false,
      mayDrop: false,
      isDefaulted: false,
    });
    expect(parseYaml(made, "").value).toEqual({
      x: { scenarios: { s: { name: "S" } } },
      testCases: { a: { scenarios: { s: { name: "T" } } } },
    });
    expect(made.startsWith(text.slice(0, -1))).toBe(true);
  });

  it.each([
    ["a variable", "testCases: { a: { description: '${var:x}' } }\n", "${var:x}"],
    ["a part of it", "testCases: { a: { description: 'at ${env:X}' } }\n", "${env:X}"],
  ])("refuses a value that comes from %s", (_, text, named) => {
    expect(() => write(text, { next: "new" })).toThrow(`its value comes from ${named}`);
  });

  it("refuses to write a secret", () => {
    const text = "testCases: { a: { map: { one: 1 } } }\n";
    const next: Written = { is: "map", members: [{ name: "two", value: { is: "environment", name: "X" } }] };
    const rest = { order, whole: false, mayDrop: false, isDefaulted: false };
    expect(() => writeYamlField(text, { path, field: "map", next, ...rest })).toThrow("it contains a secret");
  });
});

describe("brackets over several lines", () => {
  const places = ["  list: [", "      # all", "    one, # 1", "    two, # 2", "    three # 3", "    ]"];
  const text = (lines: readonly string[]) => `testCases:\n  a:\n  ${lines.join("\n  ")}\n    name: x\n`;
  const list = (next: readonly string[], from = places) =>
    write(text(from), { field: "list", old: ["one", "two", "three"], next: [...next] });

  it.each([
    ["one", ["two", "three"], [0, 1, 3, 4, 5]],
    ["two", ["one", "three"], [0, 1, 2, 4, 5]],
  ])("lose an item with its comment: %s", (_, next, remain) => {
    expect(list(next)).toBe(text(remain.map((index) => places[index] ?? "")));
  });

  it("lose the last item with the comma before it, or with its own", () => {
    const [open, all, one, , , close] = places as [string, string, string, string, string, string];
    expect(list(["one", "two"])).toBe(text([open, all, one, "    two # 2", close]));
    const ended = places.map((line) => line.replace("three #", "three, #"));
    expect(list(["one", "two"], ended)).toBe(text([open, all, one, "    two, # 2", close]));
    const beside = places.map((line) => line.replace("three # 3", "three ]")).slice(0, 5);
    expect(parseYaml(list(["one", "two"], beside), "").value).toMatchObject({
      testCases: { a: { list: ["one", "two"] } },
    });
    expect(list(["one", "two"], beside)).toContain("two # 2\n");
  });

  it.each(["", ","])("get items in lines of their own, behind the comment of the last: %j", (comma) => {
    const ended = places.map((line) => line.replace("three #", `three${comma} #`));
    const more = [...ended.slice(0, 4), "    three, # 3", "    four,", `    five${comma}`, "    ]"];
    expect(list(["one", "two", "three", "four", "five"], ended)).toBe(text(more));
  });

  it("get and lose members likewise", () => {
    const map = (lines: readonly string[]) => `testCases: {\n  a: {\n    ${lines.join("\n    ")}\n  }\n}\n`;
    const both = map(["name: x, # 1", "description: old, # 2", "scenario: y # 3"]);
    expect(write(both, {})).toBe(map(["name: x, # 1", "scenario: y # 3"]));
    const one = map(["name: x, # 1", "scenario: y # 3"]);
    expect(write(one, { next: "new" })).toBe(map(["name: x, # 1", "description: new,", "scenario: y # 3"]));
    expect(write(one, { field: "profileType", next: "Flat" })).toBe(
      map(["name: x, # 1", "scenario: y, # 3", "profileType: Flat"]),
    );
    expect(write(one, { field: "scenario" })).toBe(map(["name: x # 1"]));
  });
});

describe("several changes of one file", () => {
  const rest = { order, whole: false, mayDrop: false, isDefaulted: false };
  const set = (key: string, field: string, next: string) => ({
    ...rest,
    path: ["testCases", key],
    field,
    next: writtenPlain(next),
  });

  it("come to the same at once as one by one, wherever they meet", () => {
    const text = "x: &x { name: X }\ntestCases:\n  a:\n  b: { name: B }\n  c: *x\n  d: # d\n    name: D\n";
    const writes = ["a", "b", "c", "d"].flatMap((key) => [
      set(key, "profileType", `profile ${key}`),
      set(key, "description", `about ${key}`),
      set(key, "name", `name ${key}`),
    ]);
    const editor = yamlEditor(text);
    for (const write of writes) editor.write(yamlFieldWrite(write, context));
    const oneByOne = writes.reduce((made, write) => writeYamlField(made, write), text);
    expect(editor.text()).toBe(oneByOne);
    expect(parseYaml(oneByOne, "").value).toMatchObject({
      x: { name: "X" },
      testCases: {
        a: { name: "name a" },
        b: { description: "about b" },
        c: { profileType: "profile c", name: "name c" },
      },
    });
  });

  it("stay quick for a thousand of them", () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}`);
    const text = `testCases:\n${keys.map((key) => `  ${key}:\n    name: ${key}\n    description: old\n`).join("")}`;
    const editor = yamlEditor(text);
    const start = performance.now();
    for (const key of keys) editor.write(yamlFieldWrite(set(key, "description", "new"), context));
    expect(editor.text()).toBe(text.replaceAll("old", "new"));
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe("taking an object out of a file", () => {
  it.each([
    [
      "with its comment and what is below it",
      "testCases:\n  # first\n  b: { name: x }\n\n  # about a\n  # and more\n  a: # here\n    name: A\n    # inside\n\n  # about c\n  c: {}\n",
      "testCases:\n  # first\n  b: { name: x }\n\n  # about c\n  c: {}\n",
    ],
    [
      "the last one with its collection",
      "project: p\n\n# all\ntestCases:\n  a:\n    name: A\ntags: {}\n",
      "project: p\n\ntags: {}\n",
    ],
    ["the only thing in a file", "testCases:\n  a: { name: A }\n", "testCases: {}\n"],
    ["within brackets", "testCases: { a: {}, b: {} }\n", "testCases: { b: {} }\n"],
    ["the last within brackets", "testCases: { b: {}, a: { x: 1 } }\n", "testCases: { b: {} }\n"],
  ])("goes %s", (_, text, becomes) => {
    expect(removeYamlObject(text, path)).toBe(becomes);
  });

  it("is refused where it stands only through an alias", () => {
    expect(() => removeYamlObject("x: &x { a: {} }\ntestCases: *x\n", path)).toThrow("alias");
  });
});
