import type { Document, Node, Pair } from "yaml";
import { isAlias, isMap, isScalar, YAMLMap, Document as YamlDocument } from "yaml";
import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { Written } from "../model/written.ts";
import { writtenPlain } from "../model/written.ts";
import { addPair, hasMerge, removePair, replaceValue } from "./edit-yaml-map.ts";
import { editPair, refuseExpression, replacePair, valueNode } from "./edit-yaml-value.ts";
import { parseYaml } from "./parse-yaml.ts";
import type { DocumentPath } from "./place.ts";
import type { YamlContext } from "./write-yaml-value.ts";
import type { Splice } from "./yaml-places.ts";
import { contentEnd, NotWritable, ownPair, startOf } from "./yaml-places.ts";

/** One field of an object that is to have another value. */
export interface FieldWrite {
  /** Where the object stands in the project's document. */
  readonly path: DocumentPath;
  readonly field: string;
  /** Absent when the field is to be left out. */
  readonly next?: Written;
  /** What is declared, as it would be written. */
  readonly old?: Written;
  /** What stands in the files, from wherever it comes. */
  readonly raw?: Json;
  /** Names in their usual order. */
  readonly order: readonly string[];
  /** Nothing of the former value is kept as it is written. */
  readonly whole: boolean;
  /** A reference to a variable, the environment or a file may go for good. */
  readonly mayDrop: boolean;
  /** The project's defaults have a value for it. */
  readonly isDefaulted: boolean;
  readonly context: YamlContext;
}

/** What another value of a field comes to in a text, or what has to stand in it first. Throws {@link NotWritable}. */
export function fieldEdit(document: Document, text: string, write: FieldWrite): FieldEdit {
  const found = walk(document, text, write.path);
  if ("missing" in found) return found;
  const object = found.steps.at(-1);
  return { splices: object === undefined ? [] : fieldSplices(text, object, write) };
}

/** What taking an object out, its comment and what is below it, comes to in a text. Throws {@link NotWritable}. */
export function removalEdit(document: Document, text: string, path: DocumentPath): Splice {
  const found = walk(document, text, path);
  if ("missing" in found) throw new NotWritable("it stands there only through an alias or a merge key");
  const [object, collection] = [found.steps.at(-1), found.steps.at(-2)];
  if (object === undefined || collection === undefined) throw new NotWritable("it is not declared there");
  if (object.map.items.length > 1) return removePair(object.map, text, object.pair, true);
  return collection.map.items.length > 1
    ? removePair(collection.map, text, collection.pair, true)
    : replaceValue(collection.pair, text, emptyMap(), collection.map.flow === true);
}

/** Splices of a text; `missing` writes out what an object shares with others, so that it can be changed there. */
export type FieldEdit = { readonly splices: readonly Splice[] } | { readonly missing: Splice };

/** A pair on the way to an object, and the mapping that holds it. */
interface Step {
  readonly map: YAMLMap;
  readonly pair: Pair;
}

type Walk = { readonly steps: readonly Step[] } | { readonly missing: Splice };

function walk(document: Document, text: string, path: DocumentPath): Walk {
  const steps: Step[] = [];
  let node = document.contents as Node | null;
  for (const [depth, step] of path.entries()) {
    if (!isMap(node)) throw new NotWritable("it is not declared there");
    const pair = ownPair(node, String(step));
    if (pair === undefined) return { missing: ownCopy(node, text, path.slice(0, depth + 1)) };
    steps.push({ map: node, pair });
    const value = pair.value as Node | null;
    if (isAlias(value))
      return { missing: { from: startOf(value), to: contentEnd(value, text), text: `{ <<: *${value.source} }` } };
    node = value;
  }
  return { steps };
}

/** What a mapping has through a merge key, written out in it. */
function ownCopy(map: YAMLMap, text: string, path: DocumentPath): Splice {
  let value: Json | undefined = parseYaml(text, "").value;
  for (const step of path) value = isObject(value) ? value[String(step)] : undefined;
  if (value === undefined) throw new NotWritable("it is not declared there");
  const copy = new YamlDocument(value, { aliasDuplicateObjects: false }).contents as Node;
  return addPair(map, text, { name: String(path.at(-1)), value: copy, order: [] });
}

function emptyMap(): YAMLMap {
  const map = new YAMLMap();
  map.flow = true;
  return map;
}

function fieldSplices(text: string, { map: holder, pair: object }: Step, write: FieldWrite): readonly Splice[] {
  const { field, next, context, order } = write;
  const map = object.value as Node | null;
  if (!isMap(map)) return next === undefined ? [] : [firstPair(text, { holder, object, write: { ...write, next } })];
  const own = ownPair(map, field);
  if (next === undefined && (write.isDefaulted || hasMerge(map)))
    return nullSplices(text, { map: holder, pair: object }, write);
  if (next === undefined)
    return own === undefined ? [] : [withoutField(text, { holder, object, map, own }, write.mayDrop)];
  const flow = map.flow === true;
  if (own !== undefined) {
    const { mayDrop } = write;
    const edit = { text, context, mayDrop, next: asText(own, next, write), ...(write.old && { old: write.old }) };
    return write.whole ? [replacePair(own, edit, flow)] : editPair(own, edit, flow);
  }
  if (write.raw !== undefined) refuseExpression(JSON.stringify(write.raw));
  return [addPair(map, text, { name: field, value: valueNode(next, context), order })];
}

/** What would come from elsewhere as soon as it is left out is said to be nothing. */
function nullSplices(text: string, object: Step, write: FieldWrite): readonly Splice[] {
  return write.raw === undefined ? [] : fieldSplices(text, object, { ...write, next: writtenPlain(null) });
}

/** What is written as JSON text stays JSON text. */
function asText({ value }: Pair, next: Written, { context }: FieldWrite): Written {
  const isText = isScalar(value) && typeof value.value === "string" && /^\s*\{/.test(value.value) && next.is === "map";
  return isText ? writtenPlain(JSON.stringify(valueNode(next, context).toJSON())) : next;
}

interface Bare {
  readonly holder: YAMLMap;
  readonly object: Pair;
  readonly write: FieldWrite & { readonly next: Written };
}

/** The first field of an object that had none. */
function firstPair(text: string, { holder, object, write }: Bare): Splice {
  const map = new YAMLMap();
  map.set(write.field, valueNode(write.next, write.context));
  return replaceValue(object, text, map, holder.flow === true);
}

interface Leaving {
  readonly holder: YAMLMap;
  readonly object: Pair;
  readonly map: YAMLMap;
  readonly own: Pair;
}

function withoutField(text: string, { holder, object, map, own }: Leaving, mayDrop: boolean): Splice {
  if (!mayDrop) refuseExpression(text.slice(startOf(own.key), contentEnd(own, text)));
  if (map.items.length > 1) return removePair(map, text, own, false);
  return replaceValue(object, text, emptyMap(), holder.flow === true);
}
