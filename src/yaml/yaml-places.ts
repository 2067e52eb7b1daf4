import { isCollection, isMap, isPair, isScalar, type Node, type Pair, parseDocument, type YAMLMap } from "yaml";
import type { Json } from "../model/json.ts";

/** A change of a text: other text from one offset to another. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A place in a project's file that cannot be written without changing more than the value; the message says why. */
export class NotWritable extends Error {
  override readonly name = "NotWritable";
}

/** The text with all splices in it, those of one place in their order; new lines end as those of the text do. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const backwards = splices.toReversed().sort((left, right) => right.from - left.from || right.to - left.to);
  let result = text;
  for (const { from, to, text: added } of backwards)
    result = result.slice(0, from) + added.replaceAll("\n", lineEnd) + result.slice(to);
  return result;
}

export function keyName({ key }: Pair): string {
  return isScalar(key) ? String(key.source ?? key.value) : "";
}

/** The pair of a mapping itself, not one of its merge keys. */
export function ownPair(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find((pair) => keyName(pair) === name);
}

export function nodeStart(node: unknown): number {
  const range = (node as Node | null)?.range;
  if (!range) throw new NotWritable("it is written in a way that loadform does not understand");
  return range[0];
}

/** Where the text of a node ends, without blank lines and comments below it. */
export function contentEnd(node: unknown, text: string): number {
  if (isPair(node)) return pairEnd(node, text);
  const from = nodeStart(node);
  if (isCollection(node) && !node.flow && node.items.length > 0) return contentEnd(node.items.at(-1), text);
  const to = (node as Node).range?.[1] ?? from;
  return Math.max(from, from + text.slice(from, to).replace(/[ \t\r\n]+$/, "").length);
}

function pairEnd(pair: Pair, text: string): number {
  const value = pair.value as Node | null;
  const isWritten = value?.range && value.range[1] > value.range[0];
  return isWritten ? contentEnd(value, text) : afterColon(pair, text);
}

/** Behind the colon of a pair; behind its key where a flow mapping leaves the colon out. */
export function afterColon(pair: Pair, text: string): number {
  const from = (pair.key as Node).range?.[1] ?? nodeStart(pair.key);
  const colon = /^(?:\s|(?<=[ \t])#[^\n]*\n)*:/.exec(text.slice(from, from + 200));
  return colon ? from + colon[0].length : from;
}

/** The end of the line at an offset, before its line feed. */
export function lineEndAt(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" ? Math.max(at, end - 1) : end;
}

/** Where the line of an offset begins. */
export function lineStartAt(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

export function columnOf(text: string, at: number): number {
  return at - lineStartAt(text, at);
}

/** A text without one of its top-level members, and the value of that; other lines keep their places. */
export function withoutMember(text: string, name: string): { readonly text: string; readonly value?: Json } {
  const document = parseDocument(text);
  const pair = isMap(document.contents) ? ownPair(document.contents, name) : undefined;
  const from = (pair?.key as Node | undefined)?.range?.[0];
  const to = (pair?.value as Node | null | undefined)?.range?.[1];
  if (from === undefined || to === undefined) return { text };
  const value = (document.toJS() as Readonly<Record<string, Json>>)[name] ?? null;
  const blank = text.slice(from, to).replace(/[^\n]/g, " ");
  return { text: text.slice(0, from) + blank + text.slice(to), value };
}
