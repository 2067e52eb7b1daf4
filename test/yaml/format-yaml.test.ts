import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projectKeyOrder } from "../../src/authoring/project-key-order.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { projectShape } from "../../src/schema/project-shape.ts";
import { formatYaml } from "../../src/yaml/format-yaml.ts";
import { parseYaml } from "../../src/yaml/parse-yaml.ts";
import { fittingValue } from "../support/arbitrary-value.ts";
import { check } from "../support/deep.ts";
import { loadFiles } from "../support/load-files.ts";
import { randomYaml } from "../support/random-yaml.ts";

const order = projectKeyOrder(kinds);
const format = (text: string) => formatYaml(text, order);
const commentsOf = (text: string) => [...text.matchAll(/# (?:note|loose) \d+/g)].map(([comment]) => comment).sort();

/** Two parts of a project: whole ones are long, and add nothing. */
const part = fc
  .constantFrom(
    ...Object.entries(projectShape(kinds).document.fields ?? {}).filter(([name]) => name !== "environments"),
  )
  .chain(([name, field]) => fittingValue(field).map((value): JsonObject => ({ [name]: value })));
const parts = fc.tuple(part, part).map(([one, other]): Json => ({ ...one, ...other }));

describe("the canonical form", () => {
  it("says the same, keeps every comment, and is its own canonical form", async () => {
    const property = fc.asyncProperty(randomYaml(parts), async (text) => {
      if (parseYaml(text, "").value === undefined) return;
      const formatted = format(text);
      if (formatted === undefined) throw new Error("not formatted");
      expect(parseYaml(formatted, "").value).toEqual(parseYaml(text, "").value);
      expect(commentsOf(formatted)).toEqual(commentsOf(text));
      expect(format(formatted)).toBe(formatted);
    });
    await check("canonical YAML", property, { few: 60, deep: 20_000 });
  });

  const cases: readonly [string, string, string][] = [
    [
      "puts settings before objects, and fields in the order of their kind",
      "testCases: { a: { description: x, name: A } }\nservice: { organization: 1, url: 'memory:' }\nproject: p\n",
      'project: p\nservice: { url: "memory:", organization: 1 }\ntestCases: { a: { name: A, description: x } }\n',
    ],
    [
      "keeps the order of what users name themselves",
      "testCases:\n  b: {}\n  a: {}\nvariables:\n  z: {}\n  y: {}\n",
      "variables:\n  z: {}\n  y: {}\ntestCases:\n  b: {}\n  a: {}\n",
    ],
    ["leaves unknown keys at the end", "nonsense: 1\nproject: p\n", "project: p\nnonsense: 1\n"],
    [
      "keeps blanks that YAML takes for text",
      "testCases: { a: { name: A, description: \u00A0x\u00A0 } }\n",
      "testCases: { a: { name: A, description: \u00A0x\u00A0 } }\n",
    ],
    ["writes no block for an empty text", "project: >- # note 1\n", 'project: "" # note 1\n'],
    ["indents by two", "tags:\n    a:\n        name: x\n", "tags:\n  a:\n    name: x\n"],
    ["indents lists below their key", "include:\n- a\n-   b\n", "include:\n  - a\n  - b\n"],
    ["takes quotes away that nobody needs", "project: \"a b\"\nstate: 'x'\n", "project: a b\nstate: x\n"],
    [
      "leaves quotes that keep a text a text",
      'variables: { a: { default: "1" }, b: { default: "true" }, c: { default: "" }, d: { default: "null" } }\n',
      'variables: { a: { default: "1" }, b: { default: "true" }, c: { default: "" }, d: { default: "null" } }\n',
    ],
    [
      "leaves quotes around what other readers of YAML take for something else",
      'variables: { a: { default: "yes" }, b: { default: "2026-01-02" }, c: { default: "1:30" } }\n',
      'variables: { a: { default: "yes" }, b: { default: "2026-01-02" }, c: { default: "1:30" } }\n',
    ],
    [
      "quotes expressions only inside brackets",
      'tags:\n  a: { name: "${var:x}" }\n  b:\n    name: "${var:x}"\n',
      'tags:\n  a: { name: "${var:x}" }\n  b:\n    name: ${var:x}\n',
    ],
    ["writes numbers as they were", "variables: { a: { default: 0x1F }, b: { default: 1.50 } }\n", ""],
    [
      "pads mappings, not lists",
      "include: [ a,b ]\ntags: {a: {name: x}}\n",
      "include: [a, b]\ntags: { a: { name: x } }\n",
    ],
    [
      "opens what is too long for one line",
      `include: [${Array.from({ length: 12 }, (_, index) => `folder-${index}/*.yaml`).join(", ")}]\n`,
      `include:\n${Array.from({ length: 12 }, (_, index) => `  - folder-${index}/*.yaml\n`).join("")}`,
    ],
    [
      "moves comments with what they stand above or beside",
      "# yaml-language-server: $schema=x\ntags: # all of them\n  # one\n  a: {} # end of one\n\n# the project\nproject: p\n",
      "# yaml-language-server: $schema=x\n# the project\nproject: p\ntags: # all of them\n  # one\n  a: {} # end of one\n",
    ],
    [
      "gives a comment back to what comes next",
      "tags:\n  a:\n    name: x\n    # still a\n\n  # about b\n  b: {}\n",
      "tags:\n  a:\n    name: x\n    # still a\n\n  # about b\n  b: {}\n",
    ],
    [
      "sorts no alias before its anchor",
      "testCases: { a: &a { name: A } }\nenvironments: { e: { testCases: { b: *a } } }\n",
      "testCases: { a: &a { name: A } }\nenvironments: { e: { testCases: { b: *a } } }\n",
    ],
    [
      "puts a merge key first",
      "defaults: { scenario: &s { language: javascript } }\ntestCases:\n  a:\n    scenarios:\n      x:\n        script: y\n        <<: *s\n",
      "defaults: { scenario: &s { language: javascript } }\ntestCases:\n  a:\n    scenarios:\n      x:\n        <<: *s\n        script: y\n",
    ],
    [
      "leaves texts of several lines as they are",
      "testCases:\n  a:\n    description: >-\n      one\n      two\n\n      three\n    scenarios:\n      b:\n        script: |\n          run();\n            go();\n",
      "",
    ],
    [
      "ends lines with a line feed, without a byte order mark",
      "\uFEFFproject: p\r\nstate: x\r\n",
      "project: p\nstate: x\n",
    ],
  ];
  it.each(cases)("%s", (_title, text, expected) => {
    expect(format(text)).toBe(expected === "" ? text : expected);
  });

  it("is its own canonical form where comments stand behind the dashes of lists in lists", () => {
    const formatted =
      format(
        "defaults:\n  configuration:\n    scriptParams:\n      x:\n        -   # one\n          -   # two\n            -  a\n",
      ) ?? "";
    expect(format(formatted)).toBe(formatted);
    expect(formatted).toMatch(/# one[\s\S]*# two/);
  });

  it.each([1, 2, 3, 5])("is its own canonical form where %i blank lines are behind a comment beside a key", (count) => {
    const blank = "\n".repeat(count);
    const formatted =
      format(
        `testCases:\n  t:\n    configurations:\n      c:\n        providers: # who\n${blank}          - provider: { id: 0 }\n`,
      ) ?? "";
    expect(format(formatted)).toBe(formatted);
    expect(formatted).toContain("# who");
  });

  it("is not had of a text that does not parse", () => {
    expect(format("a: [\n")).toBeUndefined();
    expect(format("a: 1\n---\nb: 2\n")).toBeUndefined();
  });

  it("loads to the same tree", async () => {
    const text = `testCases:
  checkout:
    configurations:
      smoke: { durationSecs: 60, scenario: 'browse', concurrentClients: 20, providers: [{regions: [cloud-us-east-1], provider: {id: 0}}] }
    scenarios: { browse: { tags: [ nightly ], script: "a\\nb" } }
tags: { nightly: }
`;
    const before = await loadFiles(text);
    const after = await loadFiles(format(text) ?? "");
    expect(new Map([...after.tree.nodes].sort())).toEqual(new Map([...before.tree.nodes].sort()));
    expect(after.diagnostics).toEqual(before.diagnostics);
  });
});
