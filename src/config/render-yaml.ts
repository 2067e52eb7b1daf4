import type { Node } from "yaml";
import { Document, isScalar, Pair, Scalar, visit, YAMLMap, YAMLSeq } from "yaml";
import { yamlDocumentText } from "./write-yaml.ts";
import { yamlText } from "./write-yaml-value.ts";

/** Where a text is to stand. */
export interface RenderPlace {
  /** Within brackets, on one line. */
  readonly flow: boolean;
  /** Column of the key or item. */
  readonly indent: number;
  /** Within brackets every text stands in double quotes, as in JSON. */
  readonly quoted?: boolean;
}

/** `name: value` as it stands in a mapping; lines after the first are indented. */
export function renderPair(name: string, value: Node, place: RenderPlace): string {
  const map = new YAMLMap();
  map.add(new Pair(yamlText(name), value));
  return place.flow ? withoutBrackets(flowText(map, place)) : indented(blockText(map), place.indent);
}

/** What stands behind the colon of a pair, the blank or line feed included. */
export function renderValue(value: Node, place: RenderPlace): string {
  const key = place.flow && place.quoted ? '"k":' : "k:";
  return renderPair("k", value, place).slice(key.length);
}

/** What stands as an item of a list, behind the dash. */
export function renderItem(value: Node, place: RenderPlace): string {
  const list = new YAMLSeq();
  list.add(value);
  return place.flow
    ? withoutBrackets(flowText(list, place))
    : indented(blockText(list), place.indent - 2).slice("- ".length);
}

function flowText(node: YAMLMap | YAMLSeq, { quoted }: RenderPlace): string {
  node.flow = true;
  visit(node, {
    Collection: (_, each) => void Object.assign(each, { flow: true }),
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && (quoted || scalar.value.includes("\n")))
        scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return yamlDocumentText(new Document(node)).replace(/\n+$/, "");
}

function withoutBrackets(text: string): string {
  return text.slice(1, -1).replace(/^ +| +$/g, "");
}

function blockText(node: YAMLMap | YAMLSeq): string {
  visit(node, {
    Scalar(_, scalar) {
      // A block text that ends in empty lines, or begins with one, depends on what stands around it.
      if (typeof scalar.value === "string" && /^\n|\n\n$/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return yamlDocumentText(new Document(node)).replace(/\n+$/, "");
}

function indented(text: string, indent: number): string {
  const blanks = " ".repeat(Math.max(0, indent));
  return text.replaceAll(/\n(?!\n)/g, `\n${blanks}`);
}

/** A text in the quotes of the one in whose place it stands. */
export function quotedAs(value: Node, before: unknown): Node {
  if (!isScalar(value) || typeof value.value !== "string" || value.type !== undefined) return value;
  const isOneLine = !value.value.includes("\n");
  const isQuoted = isInQuotes(before) || (isScalar(before) && before.type === Scalar.QUOTE_SINGLE);
  if (isOneLine && isQuoted && isScalar(before) && before.type) value.type = before.type;
  return value;
}

/** Whether a key or text is written as in JSON. */
export function isInQuotes(node: unknown): boolean {
  return isScalar(node) && node.type === Scalar.QUOTE_DOUBLE;
}
