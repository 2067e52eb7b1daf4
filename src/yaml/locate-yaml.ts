import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from "yaml";
import type { DocumentPath, DocumentPlace, Position } from "../model/diagnostic.ts";
import { getOrMake } from "../model/group-by.ts";
import { isMergeKey, withoutMark } from "./parse-yaml.ts";
import { keyName } from "./yaml-places.ts";

/** Finds the line and column of a place in one file; undefined when it is not in the file. */
export function yamlLocator(file: string, text: string): (place: DocumentPlace) => Position | undefined {
  const lines = new LineCounter();
  const options = { lineCounter: lines, prettyErrors: false, version: "1.2", uniqueKeys: false } as const;
  const reading: IndexedDocument = { document: parseDocument(withoutMark(text), options), members: new WeakMap() };
  return ({ path, at, within }) => {
    const found = spotAt(reading, path);
    const node = found && pointedAt(found, at);
    if (node?.range === undefined || node.range === null) return undefined;
    const { line, col } = lines.linePos(node.range[0]);
    return { file, line, column: col + (within === undefined ? 0 : columnIn(node, text, within)) };
  };
}

/** Columns from the start of a text to one of its characters; 0 where it is not spelt in one line as it is. */
function columnIn(node: Node, text: string, within: number): number {
  if (!isScalar(node) || typeof node.value !== "string" || !node.range) return 0;
  const spelt = withoutMark(text).slice(node.range[0], node.range[1]);
  if (spelt === node.value) return within - 1;
  return spelt.slice(1, -1) === node.value && /^["']/.test(spelt) ? within : 0;
}

interface IndexedDocument {
  readonly document: Document;
  /** The pairs of mappings, merged ones left out, that were looked into, by name. */
  readonly members: WeakMap<YAMLMap, ReadonlyMap<string, Pair>>;
}

interface Spot {
  readonly key: Node | undefined;
  readonly value: Node | null;
}

/** A mapping or list starts somewhere below its key, so the key is what a person looks for. */
function pointedAt({ key, value }: Spot, at: DocumentPlace["at"]): Node | undefined {
  const isPlain = isScalar(value) && value.range !== undefined && value.source !== "";
  return at === "value" && (isPlain || key === undefined) ? (value ?? key) : (key ?? value ?? undefined);
}

function spotAt(reading: IndexedDocument, path: DocumentPath): Spot | undefined {
  let spot: Spot = { key: undefined, value: reading.document.contents as Node | null };
  for (const step of path) {
    const next = child(reading, spot.value, step);
    if (next === undefined) return undefined;
    spot = next;
  }
  return spot;
}

function child(reading: IndexedDocument, node: Node | null, step: string | number): Spot | undefined {
  if (isAlias(node)) return child(reading, node.resolve(reading.document) ?? null, step);
  if (isSeq(node)) {
    const item = typeof step === "number" ? (node.items[step] as Node | undefined) : undefined;
    return item === undefined ? undefined : { key: undefined, value: item };
  }
  return isMap(node) ? member(reading, node, String(step)) : undefined;
}

function member(reading: IndexedDocument, node: YAMLMap, name: string): Spot | undefined {
  const own = ownPairs(reading, node).get(name);
  if (own) return { key: own.key as Node, value: own.value as Node | null };
  const merge = node.items.find(isMergeKey);
  const sources = merge && isSeq(merge.value) ? merge.value.items : [merge?.value];
  for (const source of sources) {
    const found = child(reading, (source ?? null) as Node | null, name);
    if (found) return found;
  }
  return undefined;
}

/** The first of each name, as a search from the top would find it. */
function ownPairs({ members }: IndexedDocument, node: YAMLMap): ReadonlyMap<string, Pair> {
  return getOrMake(members, node, () => {
    const own = node.items.filter((pair) => isScalar(pair.key) && !isMergeKey(pair)).reverse();
    return new Map(own.map((pair) => [keyName(pair), pair]));
  });
}
