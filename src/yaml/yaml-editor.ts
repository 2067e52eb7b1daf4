import { Document, isAlias, isMap, isScalar, type Node, type Pair, parseDocument, Scalar, YAMLMap } from "yaml";
import type { DocumentPath } from "../model/diagnostic.ts";
import { isObject, type Json } from "../model/json.ts";
import { addObject, type ObjectAddition, type Step } from "./add-yaml-object.ts";
import { addPair, hasMerge, removePair, replaceValue } from "./edit-yaml-map.ts";
import { editPair, refuseExpression, replacePair, writable } from "./edit-yaml-value.ts";
import { parseYaml, withoutMark } from "./parse-yaml.ts";
import { textNode } from "./render-yaml.ts";
import { contentEnd, NotWritable, nodeStart, ownPair, type Splice, spliced } from "./yaml-places.ts";

/** One file of a project that is being changed. Its methods throw {@link NotWritable} and then change nothing. */
export interface YamlEditor {
  /**
   * Gives a field another value, every other character as it was. What the object shares with others (merge keys, aliases,
   * defaults) is overridden in the object.
   */
  readonly write: (write: FieldWrite) => void;
  /** Adds an object to a collection, behind the present ones; every other character remains. */
  readonly add: (addition: ObjectAddition) => void;
  /** Removes an object with its comment and everything below it. */
  readonly remove: (path: DocumentPath) => void;
  readonly text: () => string;
}

/** One field of an object that is to have another value. */
export interface FieldWrite {
  /** The object's place in the document. */
  readonly path: DocumentPath;
  readonly field: string;
  /** Absent when the field is to be left out. */
  readonly next?: Node;
  /** The declared value, as it would be written. */
  readonly old?: Node;
  /** The value in the files, wherever it is written. */
  readonly raw?: Json;
  /** Names in their usual order. */
  readonly order: readonly string[];
  /** Nothing of the former value remains as it is written. */
  readonly whole: boolean;
  /** A reference to a variable, the environment or a file may be dropped for good. */
  readonly mayDrop: boolean;
  /** Defaults outside the object have a value for it. */
  readonly isDefaulted: boolean;
}

/** More steps than an object's path has cannot be missing. */
const rounds = 20;

/** An editor of a text. Changes wait until one meets another, so that the text is parsed seldom. */
export function yamlEditor(source: string): YamlEditor {
  let text = withoutMark(source);
  const mark = source.slice(0, source.length - text.length);
  let document: Document | undefined;
  let waiting: Splice[] = [];
  const replace = (splices: readonly Splice[]) => {
    if (splices.length === 0) return;
    text = spliced(text, splices);
    document = undefined;
  };
  const flush = () => {
    replace(waiting);
    waiting = [];
  };
  const parsed = () => {
    document ??= parseDocument(text, { version: "1.2", uniqueKeys: false, prettyErrors: false });
    return document;
  };
  /** Does what can be done now; answers whether that was all. */
  const step = (write: FieldWrite): boolean => {
    if (write.next === undefined) flush();
    const edit = fieldEdit(parsed(), text, write);
    const splices = "missing" in edit ? [edit.missing] : edit.splices;
    const isFree = !splices.some(({ from, to }) => waiting.some((other) => from <= other.to && other.from <= to));
    if (isFree) waiting.push(...splices);
    if (!isFree || "missing" in edit || write.next === undefined) flush();
    return isFree && !("missing" in edit);
  };
  return {
    write(write) {
      for (let round = 0; round < rounds; round++) if (step(write)) return;
      throw new NotWritable("it is written there in a way that loadform does not understand");
    },
    add(addition) {
      flush();
      const way = walk(parsed(), text, addition.path);
      if ("missing" in way) throw new NotWritable("the level above it exists only through an alias or a merge key");
      replace([addObject(parsed(), text, { ...addition, above: way.steps.at(-1) })]);
    },
    remove(path) {
      flush();
      replace([removal(parsed(), text, path)]);
    },
    text() {
      flush();
      return mark + text;
    },
  };
}

/** Splices of a text; `missing` writes out what an object shares with others, so that it can be changed there. */
function fieldEdit(document: Document, text: string, write: FieldWrite) {
  const way = walk(document, text, write.path);
  if ("missing" in way) return way;
  const object = way.steps.at(-1);
  if (object === undefined) return { splices: [] };
  const { next } = write;
  return { splices: next === undefined ? dropField(text, object, write) : setField(text, object, { ...write, next }) };
}

function removal(document: Document, text: string, path: DocumentPath): Splice {
  const way = walk(document, text, path);
  if ("missing" in way) throw new NotWritable("it exists only through an alias or a merge key");
  const [object, collection] = [way.steps.at(-1), way.steps.at(-2)];
  if (object === undefined || collection === undefined) throw new NotWritable("it is not declared there");
  if (object.map.items.length > 1) return removePair(object.map, text, object.pair, true);
  return collection.map.items.length > 1
    ? removePair(collection.map, text, collection.pair, true)
    : replaceValue(collection.pair, text, emptyMap(), collection.map.flow === true);
}

function walk(
  document: Document,
  text: string,
  path: DocumentPath,
): { readonly steps: readonly Step[] } | { readonly missing: Splice } {
  const steps: Step[] = [];
  let node = document.contents as Node | null;
  for (const [depth, step] of path.entries()) {
    if (!isMap(node)) throw new NotWritable("it is not declared there");
    const pair = ownPair(node, String(step));
    if (pair === undefined) return { missing: ownCopy(node, text, path.slice(0, depth + 1)) };
    steps.push({ map: node, pair });
    const value = pair.value as Node | null;
    if (isAlias(value))
      return { missing: { from: nodeStart(value), to: contentEnd(value, text), text: `{ <<: *${value.source} }` } };
    node = value;
  }
  return { steps };
}

/** A mapping's value from a merge key, written out in the mapping itself. */
function ownCopy(map: YAMLMap, text: string, path: DocumentPath): Splice {
  let value: Json | undefined = parseYaml(text, "").value;
  for (const step of path) value = isObject(value) ? value[String(step)] : undefined;
  if (value === undefined) throw new NotWritable("it is not declared there");
  const copy = new Document(value, { aliasDuplicateObjects: false }).contents as Node;
  return addPair(map, text, { name: String(path.at(-1)), value: copy, order: [] });
}

function emptyMap(): YAMLMap {
  const map = new YAMLMap();
  map.flow = true;
  return map;
}

function setField(text: string, { map: holder, pair: object }: Step, write: FieldWrite & { readonly next: Node }) {
  const { field, old, next, order, mayDrop, raw } = write;
  const map = object.value as Node | null;
  if (!isMap(map)) {
    const made = new YAMLMap();
    made.set(field, writable(next));
    return [replaceValue(object, text, made, holder.flow === true)];
  }
  const own = ownPair(map, field);
  if (own !== undefined) {
    const edit = { text, mayDrop, next: asText(own, next), ...(old && { old }) };
    return write.whole ? [replacePair(own, edit, map.flow === true)] : editPair(own, edit, map.flow === true);
  }
  if (raw !== undefined) refuseExpression(JSON.stringify(raw));
  return [addPair(map, text, { name: field, value: writable(next), order })];
}

/** A value that was JSON text remains JSON text. */
function asText({ value }: Pair, next: Node): Node {
  const isText = isScalar(value) && typeof value.value === "string" && /^\s*\{/.test(value.value) && isMap(next);
  return isText ? textNode(JSON.stringify((writable(next) as YAMLMap).toJSON())) : next;
}

function dropField(text: string, object: Step, write: FieldWrite): readonly Splice[] {
  const map = object.pair.value as Node | null;
  if (!isMap(map)) return [];
  // Left out, it would have a value from elsewhere: it is set to null.
  if (write.isDefaulted || hasMerge(map))
    return write.raw === undefined ? [] : setField(text, object, { ...write, next: new Scalar(null) });
  const own = ownPair(map, write.field);
  if (own === undefined) return [];
  if (!write.mayDrop) refuseExpression(text.slice(nodeStart(own.key), contentEnd(own, text)));
  if (map.items.length > 1) return [removePair(map, text, own, false)];
  return [replaceValue(object.pair, text, emptyMap(), object.map.flow === true)];
}
