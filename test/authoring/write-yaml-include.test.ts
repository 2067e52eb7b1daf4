import { describe, expect, test } from "vitest";
import { withInclude } from "../../src/authoring/write-yaml-include.ts";

const cases: readonly (readonly [string, string, string | undefined])[] = [
  ["a file without include", "project: a\n", 'project: a\ninclude: ["load/*.yaml"]\n'],
  ["a last line without its end", "project: a", 'project: a\ninclude: ["load/*.yaml"]'],
  [
    "a list on one line",
    "include: [ 'a.yaml' ] # mine\nproject: a\n",
    "include: [ 'a.yaml', \"load/*.yaml\" ] # mine\nproject: a\n",
  ],
  ["an empty list", "project: a\ninclude: []\n", 'project: a\ninclude: ["load/*.yaml"]\n'],
  [
    "a list of lines with comments",
    "include:\n  - a.yaml   # one\n\n  # two\nproject: a\n",
    'include:\n  - a.yaml   # one\n  - "load/*.yaml"\n\n  # two\nproject: a\n',
  ],
  ["a list at the margin", "include:\n- a.yaml\nproject: a\n", 'include:\n- a.yaml\n- "load/*.yaml"\nproject: a\n'],
  [
    "line ends of Windows and a mark",
    "\uFEFFproject: a\r\ninclude:\r\n  - a.yaml\r\n",
    '\uFEFFproject: a\r\ninclude:\r\n  - a.yaml\r\n  - "load/*.yaml"\r\n',
  ],
  ["a file that is indented", "  project: a\n", '  project: a\n  include: ["load/*.yaml"]\n'],
  ["an alias", "x: &x [a]\ninclude: *x\n", undefined],
  ["an include without a value", "include:\nproject: a\n", undefined],
  ["a file in braces", "{ project: a }\n", '{ project: a, include: ["load/*.yaml"] }\n'],
  ["a file in empty braces", "{}\n", '{ include: ["load/*.yaml"] }\n'],
  ["a file of JSON", '{"project": "a"}', '{"project": "a", "include": ["load/*.yaml"]}'],
  [
    "a file of JSON on several lines",
    '{\n  "project": "a",\n  "service": { "url": "memory:" }\n}\n',
    '{\n  "project": "a",\n  "service": { "url": "memory:" },\n  "include": ["load/*.yaml"]\n}\n',
  ],
  ["a file in braces with a last comma", "{ project: a, }\n", '{ project: a, include: ["load/*.yaml"], }\n'],
  ["JSON with a list", '{ "include": ["a.yaml"] }\n', '{ "include": ["a.yaml", "load/*.yaml"] }\n'],
  ["a file that ends with a marker", "project: a\n...\n", 'project: a\ninclude: ["load/*.yaml"]\n...\n'],
];

describe("adding to include", () => {
  test.each(cases)("%s", (_title, before, after) => expect(withInclude(before, "load/*.yaml")).toBe(after));

  test("of an environment changes no other", () => {
    const text = "include: [a]\nenvironments:\n  st: { include: [b] }\n  other: {}\n";
    const within = (name: string) => withInclude(text, "c", ["environments", name]);
    expect(within("st")).toBe(text.replace("[b]", '[b, "c"]'));
    expect(within("other")).toBeUndefined();
  });
});
