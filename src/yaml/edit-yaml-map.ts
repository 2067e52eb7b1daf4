import { isMap, isPair, type Node, type Pair, type YAMLMap } from "yaml";
import { isMergeKey } from "./parse-yaml.ts";
import { isInQuotes, renderPair, renderValue } from "./render-yaml.ts";
import {
  afterColon,
  columnOf,
  contentEnd,
  keyName,
  lineEndAt,
  lineStartAt,
  nodeStart,
  type Splice,
} from "./yaml-places.ts";

/** A new pair, and the names that precede it. */
export interface NewPair {
  readonly name: string;
  readonly value: Node;
  /** Names in their usual order. */
  readonly order: readonly string[];
}

/** A mapping, or what remains of one. */
type Pairs = Pick<YAMLMap, "items" | "range"> & { readonly flow?: boolean | undefined };

/** Adds a pair to a mapping where a reader would look for it. */
export function addPair(map: Pairs, text: string, pair: NewPair): Splice {
  const [first] = map.items;
  if (first === undefined) {
    const to = map.range?.[1] ?? nodeStart(map);
    return { from: nodeStart(map), to, text: `{ ${renderPair(pair.name, pair.value, { flow: true, indent: 0 })} }` };
  }
  const indent = columnOf(text, nodeStart(first.key));
  const added = renderPair(pair.name, pair.value, { flow: map.flow === true, indent, quoted: isInQuotes(first.key) });
  const before = pairBefore(map, pair);
  if (before === undefined) {
    const from = nodeStart(first.key);
    return { from, to: from, text: map.flow ? `${added}, ` : `${added}\n${" ".repeat(indent)}` };
  }
  if (map.flow) return addInBrackets(text, before, [added]);
  const from = lineEndAt(text, contentEnd(before, text));
  return { from, to: from, text: `\n${" ".repeat(indent)}${added}` };
}

/** Adds behind the last of a list in brackets, or behind a pair: in lines where that has its own, beside whose comment nothing else comes. */
export function addInBrackets(text: string, last: unknown, added: readonly string[]): Splice {
  const [start, end] = [startOf(last), contentEnd(last, text)];
  const lead = text.slice(lineStartAt(text, start), start);
  const gap = lead.trim() === "" ? `\n${lead}` : " ";
  const [comma, comment = ""] = ownLine(text, start, end) ?? [];
  const to = comma === undefined ? end : lineEndAt(text, end);
  return { from: end, to, text: `,${comment}${gap}${added.join(`,${gap}`)}${comma ?? ""}` };
}

/** Takes one of several out of brackets: its lines where they are its own, and the comma that nothing would follow. */
export function removeInBrackets(text: string, items: readonly unknown[], item: unknown): Splice {
  const at = items.indexOf(item);
  const [start, end] = [startOf(item), contentEnd(item, text)];
  const line = ownLine(text, start, end);
  const [from, to] = line ? [lineStartAt(text, start), afterLine(text, end)] : [start, end];
  if (at + 1 < items.length) return { from, to: line ? to : startOf(items[at + 1]), text: "" };
  const before = contentEnd(items[at - 1], text);
  const between = text.slice(before, from);
  const remains = line || between.includes("#") ? between : "";
  return { from: before, to, text: line?.[0] ? remains : remains.replace(/^[ \t]*,/, "") };
}

const startOf = (item: unknown): number => nodeStart(isPair(item) ? item.key : item);

/** The comma and the comment behind something that has its lines for itself. */
function ownLine(text: string, from: number, to: number): readonly [comma: string, comment: string] | undefined {
  const found = /^((?:[ \t]*,)?)([ \t]*(?:#.*)?)$/.exec(text.slice(to, lineEndAt(text, to)));
  if (found === null || text.slice(lineStartAt(text, from), from).trim() !== "") return undefined;
  return [found[1] ?? "", found[2] ?? ""];
}

/** The last pair that usually precedes it; merge keys always do. */
function pairBefore(map: Pairs, { name, order }: NewPair): Pair | undefined {
  const at = order.indexOf(name);
  return map.items.findLast((pair) => {
    const rank = order.indexOf(keyName(pair));
    return isMergeKey(pair) || (at < 0 ? true : rank >= 0 && rank < at);
  });
}

/** Gives a pair another value as a whole. */
export function replaceValue(pair: Pair, text: string, value: Node, flow: boolean): Splice {
  const from = afterColon(pair, text);
  const place = { flow, indent: columnOf(text, nodeStart(pair.key)), quoted: isInQuotes(pair.key) };
  const rendered = renderValue(value, place);
  const node = pair.value as Node | null;
  const hasText = node?.range && node.range[1] > node.range[0];
  if (!hasText) return besideComment(text, { from, to: from, text: rendered });
  const start = nodeStart(node);
  const isInPlace = !rendered.startsWith("\n") && columnOf(text, start) > columnOf(text, nodeStart(pair.key));
  const isBelow = text.slice(from, start).includes("\n");
  const to = contentEnd(node, text);
  const made =
    isInPlace && !isBelow ? { from: start, to, text: rendered.replace(/^ +/, "") } : { from, to, text: rendered };
  // The comment on the line of a key whose value begins on the next one, or of a block text's indicator.
  const head = isBelow ? from : start;
  const comment = /^(?:[|>][-+\d]*)?([ \t]+#.*)$/.exec(text.slice(head, lineEndAt(text, head)))?.[1] ?? "";
  return besideComment(text, withComment(made, comment));
}

function withComment(splice: Splice, comment: string): Splice {
  const [first = "", ...rest] = splice.text.split("\n");
  return comment === "" ? splice : { ...splice, text: [`${first}${comment}`, ...rest].join("\n") };
}

/** The comment behind a value remains on its first line, where a value of several lines would swallow it. */
export function besideComment(text: string, splice: Splice): Splice {
  const end = lineEndAt(text, splice.to);
  const behind = text.slice(splice.to, end);
  if (!splice.text.includes("\n") || !/^[ \t]+#/.test(behind)) return splice;
  return withComment({ ...splice, to: end }, behind);
}

/** Takes a pair out of a mapping that has others. */
export function removePair(map: YAMLMap, text: string, pair: Pair, withComment: boolean): Splice {
  if (map.flow) return removeInBrackets(text, map.items, pair);
  const next = map.items[map.items.indexOf(pair) + 1];
  const from = nodeStart(pair.key);
  const to = contentEnd(pair, text);
  const start = lineStartAt(text, from);
  // The first pair of a list's item shares its line with the dash.
  if (text.slice(start, from).trim() !== "") return { from, to: next ? nodeStart(next.key) : to, text: "" };
  const end = withComment ? belowComments(text, afterLine(text, to), columnOf(text, from)) : afterLine(text, to);
  const above = withComment ? commentAbove(text, start, columnOf(text, from)) : start;
  return { from: withComment ? blankAbove(text, above, end) : above, to: end, text: "" };
}

/** Where the line after that of an offset begins, or the text ends. */
export function afterLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** Behind the comments that directly follow with the indentation of the content. */
function belowComments(text: string, end: number, column: number): number {
  let to = end;
  while (to < text.length) {
    const line = text.slice(to, afterLine(text, to));
    if (!line.trimStart().startsWith("#") || line.search(/\S/) <= column) return to;
    to += line.length;
  }
  return to;
}

/** The start of the comment directly above a line, in its column. */
function commentAbove(text: string, start: number, column: number): number {
  let from = start;
  while (from > 0) {
    const before = lineStartAt(text, from - 1);
    const line = text.slice(before, from);
    const isForEditors = /^#\s*yaml-language-server:/.test(line);
    if (!line.trimStart().startsWith("#") || line.search(/\S/) !== column || isForEditors) return from;
    from = before;
  }
  return from;
}

/** Of two blank lines that would meet, one is removed as well. */
function blankAbove(text: string, start: number, end: number): number {
  const before = lineStartAt(text, start - 1);
  const isBlankAbove = start > 0 && text.slice(before, start).trim() === "";
  const rest = text.slice(end, afterLine(text, end));
  return isBlankAbove && rest.trim() === "" ? before : start;
}

export function hasMerge(node: unknown): boolean {
  return isMap(node) && node.items.some(isMergeKey);
}
