import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withObjects, writeYaml } from "../../src/authoring/write-yaml.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Json } from "../../src/model/json.ts";
import type { Written, WrittenMember } from "../../src/model/written.ts";
import { parseYaml } from "../../src/yaml/parse-yaml.ts";
import { anyCharacter } from "../support/any-character.ts";
import { timesOf } from "../support/deep.ts";

const file = "load/k.yaml";

/** Reads a file back as it would be read from a disk. */
function reread(yaml: string): Json | undefined {
  const bytes = new TextEncoder().encode(yaml);
  const parsed = parseYaml(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), file);
  expect(parsed.diagnostics).toEqual([]);
  return parsed.value;
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: "grapheme" }),
  fc.stringMatching(/^[ \n\t#:\-'"{}[\],&*!|>%@`\r~0-9a-z.$]{0,12}$/),
  fc.string({ unit: fc.constantFrom("\ud800", "a", "\u2028", "\ufeff", "\u0085", "\n", " ", "\0", "\u007f", "\r") }),
);
const plain = fc.oneof(anyText, fc.constantFrom(true, false, null, 0, -1, 1.5, 1e21, 1e-7));
const usable = (name: string) => name !== "" && name !== "__proto__";
const member = (value: fc.Arbitrary<Written>): fc.Arbitrary<WrittenMember> =>
  fc
    .tuple(anyText.filter(usable), value, fc.option(anyText, { nil: undefined }))
    .map(([name, each, note]) => ({ name, value: each, ...(note === undefined ? {} : { note }) }));
const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 3 },
    plain.map((value): Written => ({ is: "plain", value })),
    fc.array(tie("written"), { maxLength: 3 }).map((items): Written => ({ is: "list", items })),
    fc
      .uniqueArray(member(tie("written")), { maxLength: 3, selector: ({ name }) => name })
      .map((members): Written => ({ is: "map", members })),
  ),
}));

const escaped = (text: string) => (/\$\$\{|\$\{(env|file|var):/.test(text) ? text.split("${").join("$${") : text);

function toJson(value: Written): Json {
  if (value.is === "plain") return typeof value.value === "string" ? escaped(value.value) : value.value;
  if (value.is === "list") return value.items.map(toJson);
  if (value.is === "map") return Object.fromEntries(value.members.map(({ name, value: each }) => [name, toJson(each)]));
  throw new Error(value.is);
}

describe("YAML that we write", () => {
  test("reads back as the same values, whatever texts, keys and comments hold", () => {
    fc.assert(
      fc.property(written, anyText, (value, note) => {
        const members = [{ name: "x", value }];
        const object = { kind: "testCase", key: "k", address: "testCase.k", members, notes: [note], children: [] };
        expect(reread(writeYaml([object], { file, kinds }))).toEqual({ testCases: { k: { x: toJson(value) } } });
      }),
      { numRuns: timesOf({ few: 1_000, deep: 50_000 }) },
    );
  });

  test("has blanks inside the brackets of mappings only, as the same file has with more objects in it", () => {
    const entry: Written = { is: "map", members: [{ name: "z", value: { is: "plain", value: 2 } }] };
    const list: Written = { is: "list", items: [{ is: "plain", value: 1 }, entry] };
    const members = [{ name: "x", value: { is: "map", members: [{ name: "y", value: list }] } } as const];
    const object = { kind: "testCase", key: "k", address: "testCase.k", members, notes: [], children: [] };
    const head = { project: "shop", include: ["a.yaml", "b.yaml"], defaults: { tag: { ignore: ["name"] } } };
    const made = writeYaml([object], { file, kinds, head });
    expect(made).toContain("include: [a.yaml, b.yaml]\n");
    expect(made).toContain("y: [1, { z: 2 }]");
    const other = { ...object, key: "l", address: "testCase.l" };
    expect(withObjects(made, [other], { file, kinds })).toBe(writeYaml([object, other], { file, kinds, head }));
  });
});

test("a key of settings that would merge another mapping is quoted, and read back", () => {
  const params = { "<<": "q", "a\u2028": { "<<": "<<" }, list: ["<<"] };
  expect(reread(writeYaml([], { file, kinds, head: { params } }))).toEqual({ params });
});
