import { type Document, isMap, type Node, type Pair, YAMLMap } from "yaml";
import type { DocumentPath } from "../model/diagnostic.ts";
import { addPair, replaceValue } from "./edit-yaml-map.ts";
import { textNode } from "./render-yaml.ts";
import { columnOf, NotWritable, nodeStart, ownPair, type Splice } from "./yaml-places.ts";

/** A pair on the way to an object, and the mapping that holds it. */
export interface Step {
  readonly map: YAMLMap;
  readonly pair: Pair;
}

/** A new object of a file. */
export interface ObjectAddition {
  /** Place of the object above it; empty for the file itself. */
  readonly path: DocumentPath;
  /** Name of the collection that it belongs to, and names around that one in their usual order. */
  readonly collection: string;
  readonly order: readonly string[];
  readonly key: string;
  readonly value: Node;
  /** Lines of a comment above it. */
  readonly notes: readonly string[];
}

/** The splice that adds an object to its collection, which is created when missing; `above` is absent for the file itself. */
export function addObject(
  document: Document,
  text: string,
  addition: ObjectAddition & { readonly above: Step | undefined },
): Splice {
  const { above, collection, order, key, value, notes } = addition;
  const holder = (above === undefined ? document.contents : above.pair.value) as Node | null;
  if (!isMap(holder)) {
    if (above === undefined || !isEmptyNode(holder)) throw new NotWritable("the level above it is not a mapping there");
    return replaceValue(above.pair, text, mapWith(collection, collectionOf(addition)), above.map.flow === true);
  }
  const pair = ownPair(holder, collection);
  if (pair === undefined) return addPair(holder, text, { name: collection, value: collectionOf(addition), order });
  const objects = pair.value as Node | null;
  if (isMap(objects) && objects.items.length > 0)
    return withNotes(addPair(objects, text, { name: key, value, order: [] }), {
      notes: objects.flow === true ? [] : notes,
      indent: columnOf(text, nodeStart((objects.items[0] as Pair).key)),
    });
  if (!isEmptyNode(objects)) throw new NotWritable(`its ${collection} are not a mapping there`);
  return replaceValue(pair, text, collectionOf(addition), holder.flow === true);
}

function isEmptyNode(node: Node | null): boolean {
  return node === null || (isMap(node) && node.items.length === 0) || (node as { value?: unknown }).value === null;
}

function collectionOf({ key, value, notes }: ObjectAddition): YAMLMap {
  const map = mapWith(key, value);
  const [pair] = map.items as Pair[];
  if (notes.length > 0) Object.assign(pair?.key as Node, { commentBefore: notes.join("\n") });
  return map;
}

function mapWith(name: string, value: Node): YAMLMap {
  const map = new YAMLMap();
  map.set(textNode(name), value);
  return map;
}

/** The pair begins on a line of its own: its comment is put above that. */
function withNotes(splice: Splice, { notes, indent }: { readonly notes: readonly string[]; readonly indent: number }) {
  const lines = notes.map((note) => `\n${" ".repeat(indent)}#${note}`).join("");
  return { ...splice, text: splice.text.startsWith("\n") ? `${lines}${splice.text}` : splice.text };
}
