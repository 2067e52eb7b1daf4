import type { Document, Node, YAMLMap } from "yaml";
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Position } from "../model/diagnostic.ts";
import { isMergeKey, withoutMark } from "./parse-yaml.ts";
import type { DocumentPath, Place } from "./place.ts";
import { keyName } from "./yaml-places.ts";

/** Finds the line and column of a place in one file; undefined when the file does not hold it. */
export function yamlLocator(file: string, text: string): (place: Place) => Position | undefined {
  const lines = new LineCounter();
  const options = { lineCounter: lines, prettyErrors: false, version: "1.2", uniqueKeys: false } as const;
  const document = parseDocument(withoutMark(text), options);
  return ({ path, at }) => {
    const found = spotAt(document, path);
    const node = found && pointedAt(found, at);
    if (node?.range === undefined || node.range === null) return undefined;
    const { line, col } = lines.linePos(node.range[0]);
    return { file, line, column: col };
  };
}

interface Spot {
  readonly key: Node | undefined;
  readonly value: Node | null;
}

/** A mapping or list starts somewhere below its key, so the key is what a person looks for. */
function pointedAt({ key, value }: Spot, at: Place["at"]): Node | undefined {
  const isPlain = isScalar(value) && value.range !== undefined && value.source !== "";
  return at === "value" && (isPlain || key === undefined) ? (value ?? key) : (key ?? value ?? undefined);
}

function spotAt(document: Document, path: DocumentPath): Spot | undefined {
  let spot: Spot = { key: undefined, value: document.contents as Node | null };
  for (const step of path) {
    const next = child(document, spot.value, step);
    if (next === undefined) return undefined;
    spot = next;
  }
  return spot;
}

function child(document: Document, node: Node | null, step: string | number): Spot | undefined {
  if (isAlias(node)) return child(document, node.resolve(document) ?? null, step);
  if (isSeq(node)) {
    const item = typeof step === "number" ? (node.items[step] as Node | undefined) : undefined;
    return item === undefined ? undefined : { key: undefined, value: item };
  }
  return isMap(node) ? member(document, node, String(step)) : undefined;
}

function member(document: Document, node: YAMLMap, name: string): Spot | undefined {
  const own = node.items.find((pair) => isScalar(pair.key) && !isMergeKey(pair) && keyName(pair) === name);
  if (own) return { key: own.key as Node, value: own.value as Node | null };
  const merge = node.items.find(isMergeKey);
  const sources = merge && isSeq(merge.value) ? merge.value.items : [merge?.value];
  for (const source of sources) {
    const found = child(document, (source ?? null) as Node | null, name);
    if (found) return found;
  }
  return undefined;
}
