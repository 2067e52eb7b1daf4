import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePlainYaml } from "../../src/yaml/parse-plain-yaml.ts";
import { parseYaml } from "../../src/yaml/parse-yaml.ts";
import { check } from "../support/deep.ts";

/** The same text with a comment that only the library reads. */
const byLibrary = (text: string) => parseYaml(`${text}\n#\t\n`, "");

const usual = `# A project as most write it.
project: shop # its name
service: { url: "memory:", organization: 1 }
include: ["load/*.yaml", 'more/*.yaml']
variables:
  base: { default: https://shop.example.com, type: string }
testCases:
  checkout:
    name: Check out
    tags:
    - one
    - { name: two }

    scenarios:
      browse: { script: "\${file:steps/a.js}", paramsConfig: [{ name: baseUrl, required: true }] }
      pay:
        script: \${file:steps/b.js}
    configurations:
      night:
        scenario: browse
        concurrentClients: 10
        ratio: -0.25
        at: 2026-01-01T10:00:00Z
        active: true
        note:
        empty: {}
        none: []
      # The end.
`;

/** What makes one YAML another, or none. */
const bits = [
  ...[
    " ",
    "  ",
    "\n",
    "\n  ",
    ":",
    ": ",
    "- ",
    "-",
    "#",
    " # c",
    "\n# c\n",
    "{",
    "}",
    "[",
    "]",
    ",",
    '"',
    "'",
    "\\",
    "$",
  ],
  ...["0", "1", "e", "x", ".", "+", "~", "_", "null", "True", "yes", "0x1f", "1e3", "0o7", "007", "1_000", "12:30:45"],
  ...["2024-01-01", ".5", "5.", "-1", "-0", "-0.0", "1.0", "9007199254740993", ".inf", ".nan", "10s", "a: b", "  - d"],
  ...[
    "?",
    "? ",
    "!",
    "&a",
    "*a",
    "|",
    ">",
    "%",
    "@",
    "`",
    "<<: ",
    "---",
    "...",
    "é",
    "\u00A0",
    "\t",
    "\r\n",
    "http://x",
  ],
  ...["project: 1\n", "__proto__: 1\n", "${env:A}", "{ a: b, c: [d, {e: f}] }"],
];

const edit = fc.record({
  at: fc.nat(2_000),
  cut: fc.constantFrom(0, 0, 0, 1, 2, 6),
  bit: fc.constantFrom("", ...bits),
});

/** Some lines of the usual text with a few edits in them. */
const edited = fc
  .record({ from: fc.nat(27), count: fc.integer({ min: 1, max: 30 }), edits: fc.array(edit, { maxLength: 4 }) })
  .map(({ from, count, edits }) => {
    const part = outdented(usual.split("\n").slice(from, from + count)).join("\n");
    return edits.reduce((text, { at, cut, bit }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + bit + text.slice(place + cut);
    }, part);
  });

function outdented(lines: readonly string[]): readonly string[] {
  const indents = lines.flatMap((line) => (line.trim() === "" ? [] : [line.search(/\S/)]));
  return indents.length === 0 ? lines : lines.map((line) => line.slice(Math.min(...indents)));
}

describe("plain YAML", () => {
  it("reads what most projects are written in", () => {
    expect(parsePlainYaml(usual)).toEqual(byLibrary(usual).value);
    expect(JSON.stringify(parsePlainYaml(usual))).toBe(JSON.stringify(byLibrary(usual).value));
  });

  it("reads a text as the library does, in which nothing is wrong then, or leaves it to the library", async () => {
    let read = 0;
    const property = fc.asyncProperty(edited, async (text) => {
      const value = parsePlainYaml(text);
      if (value === undefined) return;
      read++;
      const { value: expected, diagnostics } = byLibrary(text);
      expect(diagnostics).toEqual([]);
      expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
    });
    await check("plain YAML", property, { few: 3_000, deep: 500_000 });
    expect(read).toBeGreaterThan(0);
  });

  it.each([
    ["an alias", "a: &x 1\nb: *x\n"],
    ["a merge key", "a: { b: 1 }\n<<: { c: 1 }\n"],
    ["a key that stands twice", "a: 1\na: 2\n"],
    ["a key that is no data", "__proto__: 1\n"],
    ["a block text", "a: |\n  b\n"],
    ["a text that goes on in the next line", "a: b\n  c\n"],
    ["an escape", 'a: "\\n"\n'],
    ["a quote inside quotes", "a: 'it''s'\n"],
    ["a number in another spelling", "a: 0x10\n"],
    ["an integer with too many digits", "a: 9007199254740993\n"],
    ["a list across lines", "a: [\n  b ]\n"],
    ["a tab", "a:\tb\n"],
    ["a second document", "a: 1\n---\nb: 1\n"],
    ["a list at the top", "- a\n"],
    ["an indentation that fits no line above", "a:\n    b: 1\n  c: 1\n"],
    ["nothing", "# nothing\n"],
    ["levels without end", `a: ${"[".repeat(40)}${"]".repeat(40)}\n`],
  ])("leaves %s to the library", (_, text) => {
    expect(parsePlainYaml(text)).toBeUndefined();
  });
});
