import { Document, isScalar, type Node, Pair, Scalar, visit, YAMLMap, YAMLSeq } from "yaml";

/** Where a text is put in. */
export interface RenderPlace {
  /** Within brackets, on one line. */
  readonly flow: boolean;
  /** Column of the key or item. */
  readonly indent: number;
  /** Within brackets every text has double quotes, as in JSON. */
  readonly quoted?: boolean;
}

/** Nothing is folded, so that texts remain whole. */
const style = { lineWidth: 0, blockQuote: "literal", doubleQuotedAsJSON: true } as const;

/** The text of a document in our style: `{ a: 1 }`, but `[a]`. */
export function renderDocument(document: Document): string {
  visit(document, { Seq: (_key, list) => void inOurStyle(list) });
  return document.toString(style);
}

/** The text of a document that was made here: all its lists are in our style, and it has no directives to look for. */
export function renderMade(document: Document): string {
  return document.toString({ ...style, directives: false });
}

/** The list with no blanks inside its brackets. */
export function inOurStyle(list: YAMLSeq): YAMLSeq {
  const write = list.toString.bind(list);
  list.toString = (context, ...rest) => {
    if (context && list.flow && list.items.every(isBare)) return `[${list.items.join(", ")}]`;
    const text = write(context, ...rest);
    return text.startsWith("[ ") ? `[${text.slice(2, -2)}]` : text;
  };
  return list;
}

/** A member of a mapping that is made here: a bare one is written without the library, in half the time. */
export class MadePair extends Pair<Scalar, Node> {
  override toString(...context: Parameters<Pair["toString"]>): string {
    return isBare(this.key) && isBare(this.value) ? `${this.key}: ${this.value}` : super.toString(...context);
  }
}

/** Letters and the signs of paths and addresses, but no word of YAML's own: the same text in every place. */
const bareText = /^(?!(?:true|false|null)$)[a-z_](?:[\w./ -]|:(?=\/))*(?<=[\w/])$/i;

function isBare(node: unknown): boolean {
  if (!(node instanceof Scalar) || node.type !== undefined || node.comment) return false;
  return typeof node.value === "string" ? bareText.test(node.value) : node.value === true || Number(node.value) > 0;
}

/** Characters that do not survive outside of double quotes, or that are invisible. */
const special = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The node of a text or key that is read back exactly. */
export function textNode(text: string): Scalar {
  const node = new Scalar(text);
  const isPlainBlock = /^\S/.test(text) && !/[ \t]$/m.test(text);
  // Bare, this key would merge another mapping.
  if (text === "<<" || (text.includes("\n") && !isPlainBlock) || special.test(text.replaceAll("\n", "")))
    node.type = Scalar.QUOTE_DOUBLE;
  return node;
}

/** `name: value` as it is written in a mapping; lines after the first are indented. */
export function renderPair(name: string, value: Node, place: RenderPlace): string {
  const map = new YAMLMap();
  map.add(new Pair(textNode(name), value));
  return place.flow ? withoutBrackets(flowText(map, place)) : indented(blockText(map), place.indent);
}

/** The text behind the colon of a pair, the blank or line feed included. */
export function renderValue(value: Node, place: RenderPlace): string {
  const key = place.flow && place.quoted ? '"k":' : "k:";
  return renderPair("k", value, place).slice(key.length);
}

/** The text of a list item behind its dash. */
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
  return renderDocument(new Document(node)).replace(/\n+$/, "");
}

function withoutBrackets(text: string): string {
  return text.slice(1, -1).replace(/^ +| +$/g, "");
}

function blockText(node: YAMLMap | YAMLSeq): string {
  visit(node, {
    Scalar(_, scalar) {
      // A block text that ends in empty lines, or begins with one, depends on its surroundings.
      if (typeof scalar.value === "string" && /^\n|\n\n$/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return renderDocument(new Document(node)).replace(/\n+$/, "");
}

function indented(text: string, indent: number): string {
  const blanks = " ".repeat(Math.max(0, indent));
  return text.replaceAll(/\n(?!\n)/g, `\n${blanks}`);
}

/** A text in the quotes of the one that it replaces. */
export function quotedAs(value: Node, before: unknown): Node {
  if (!isScalar(value) || typeof value.value !== "string" || value.type !== undefined) return value;
  const isOneLine = !value.value.includes("\n");
  const isQuoted = isInQuotes(before) || (isScalar(before) && before.type === Scalar.QUOTE_SINGLE);
  if (isOneLine && isQuoted && isScalar(before) && before.type) value.type = before.type;
  return value;
}

/** True for a key or text in double quotes, as in JSON. */
export function isInQuotes(node: unknown): boolean {
  return isScalar(node) && node.type === Scalar.QUOTE_DOUBLE;
}
