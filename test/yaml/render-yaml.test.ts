import fc from "fast-check";
import { expect, it } from "vitest";
import { Document, Scalar, visit, YAMLMap, YAMLSeq } from "yaml";
import { inOurStyle, MadePair, renderMade, textNode } from "../../src/yaml/render-yaml.ts";
import { check } from "../support/deep.ts";

/** What makes a text one that may be written bare, or not. */
const bits = ["a", "Z", "_", "-", ".", "/", ":", " ", "1", "é", "#", ",", "[", "}", "&", "~", "'", "\n", "\t"];
const words = [
  "true",
  "Null",
  "FALSE",
  "yes",
  "null",
  "inf",
  ".inf",
  "0x1f",
  "1e3",
  "<<",
  "https://shop.example.com/a",
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...bits, ...words), { maxLength: 6 }).map((all) => all.join("")),
  fc.constantFrom(...words),
);
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const member = fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }), fc.dictionary(text, scalar, { maxKeys: 3 }));
const documents = fc.record({ value: fc.dictionary(text, member, { maxKeys: 4 }), flow: fc.boolean() });

it("writes what may be bare as the library writes it", async () => {
  const property = fc.asyncProperty(documents, async ({ value, flow }) => {
    const [made, asked] = [documentOf(value, flow), documentOf(value, flow)];
    // A chosen style is the library's work, and this one is its own choice.
    visit(asked, { Scalar: (_, node) => void (!String(node.value).includes("\n") && askFor(node)) });
    expect(renderMade(made)).toBe(renderMade(asked));
  });
  await check("bare YAML", property, { few: 3_000, deep: 300_000 });
});

function askFor(node: Scalar): void {
  node.type ??= Scalar.PLAIN;
}

type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

function documentOf(value: Value, flow: boolean): Document {
  return new Document(nodeOf(value, flow, 0));
}

function nodeOf(value: Value, flow: boolean, depth: number): Scalar | YAMLMap | YAMLSeq {
  if (typeof value === "string") return textNode(value);
  if (typeof value !== "object" || value === null) return new Scalar(value);
  if (Array.isArray(value)) {
    const list = inOurStyle(new YAMLSeq());
    for (const item of value) list.add(nodeOf(item, flow, depth + 1));
    list.flow = flow;
    return list;
  }
  const map = new YAMLMap();
  for (const [name, each] of Object.entries(value))
    map.items.push(new MadePair(textNode(name), nodeOf(each, flow, depth + 1)));
  map.flow = flow && depth > 0;
  return map;
}
