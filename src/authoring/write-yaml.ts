import { Document, isMap, isSeq, Pair, parseDocument, type Scalar, visit, YAMLMap } from "yaml";
import { pathOfAddress } from "../model/address.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { WrittenObject } from "../model/written.ts";
import type { ObjectAddition } from "../yaml/add-yaml-object.ts";
import { inOurStyle, MadePair, renderDocument, renderMade, textNode } from "../yaml/render-yaml.ts";
import { commentText } from "./write-text.ts";
import { inlineLength, type YamlContext, yamlValue } from "./write-yaml-value.ts";

export interface YamlOptions {
  /** Path of the file, from which others are referred to. */
  readonly file: string;
  readonly kinds: readonly AnyKind[];
  /** Settings above the objects, as users write them. */
  readonly head?: JsonObject;
}

/** A YAML file of a project: settings, then objects by kind. */
export function writeYaml(objects: readonly WrittenObject[], options: YamlOptions): string {
  const document = new Document(new YAMLMap());
  const map = document.contents as YAMLMap;
  for (const [name, value] of Object.entries(options.head ?? {})) map.add(new Pair(textNode(name), plainNode(value)));
  addObjects(map, objects, options);
  for (const { key, value } of map.items.slice(1))
    if (value instanceof YAMLMap && !value.flow) (key as Scalar).spaceBefore = true;
  return renderMade(document);
}

/** A new object as the editor of YAML texts takes it. */
export function yamlAddition(object: WrittenObject, options: YamlOptions): ObjectAddition {
  const { kinds } = options;
  const { kind, parent, key, notes } = object;
  const above = kinds.find(({ name }) => name === kind)?.parent;
  const fields = Object.keys(kinds.find(({ name }) => name === above)?.fields ?? {});
  return {
    path: parent === undefined ? [] : (pathOfAddress(parent, kinds) ?? []),
    collection: kinds.find(({ name }) => name === kind)?.plural ?? "",
    order: [...fields, ...kinds.filter((each) => each.parent === above).map(({ plural }) => plural)],
    key,
    value: objectNode(object, options),
    notes: notes.map((note) => ` ${commentText(note)}`),
  };
}

/**
 * The text of a file of ours with more objects in it, comments kept; undefined when their parents are not in it. One that carries on with
 * objects of other files (`isPart`) names their parents when it does not yet.
 */
export function withObjects(
  text: string,
  objects: readonly WrittenObject[],
  options: YamlOptions & { readonly isPart?: true },
): string | undefined {
  const document = parseDocument(text, { version: "1.2" });
  if (document.errors.length > 0) return undefined;
  for (const object of objects) {
    const path = object.parent === undefined ? [] : (pathOfAddress(object.parent, options.kinds) ?? []);
    const holder = options.isPart ? makeHolder(document, path) : holderAt(document, path);
    if (!isMap(holder)) return undefined;
    holder.flow = false;
    addObjects(holder, [object], options);
  }
  return renderDocument(document);
}

function holderAt(document: Document, path: readonly string[]): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

function makeHolder(document: Document, path: readonly string[]): unknown {
  document.contents ??= new YAMLMap();
  path.forEach((_, depth) => {
    const way = path.slice(0, depth + 1);
    if (!document.hasIn(way)) document.setIn(way, new YAMLMap());
  });
  return holderAt(document, path);
}

function plainNode(value: Json): unknown {
  const { contents: node } = new Document(value);
  visit(node, {
    Seq: (_, list) => void inOurStyle(list),
    Scalar: (_, each) => void (typeof each.value === "string" && Object.assign(each, textNode(each.value))),
  });
  if (isSeq(node)) node.flow = true;
  return node;
}

/** Puts objects into the mapping that holds their kinds' collections, in the order of the kinds. */
function addObjects(holder: YAMLMap, objects: readonly WrittenObject[], options: YamlOptions): void {
  for (const { name, plural } of options.kinds) {
    const own = objects.filter(({ kind }) => kind === name);
    if (own.length === 0) continue;
    const collection = collectionIn(holder, plural);
    for (const object of own) collection.add(new Pair(objectKey(object), objectNode(object, options)));
  }
}

function collectionIn(holder: YAMLMap, plural: string): YAMLMap {
  const found = holder.get(plural, true) as unknown;
  const collection = found instanceof YAMLMap ? found : new YAMLMap();
  collection.flow = false;
  if (collection !== found) holder.set(textNode(plural), collection);
  return collection;
}

function objectKey({ key, notes }: WrittenObject): Scalar {
  const node = textNode(key);
  if (notes.length > 0) node.commentBefore = notes.map((note) => ` ${commentText(note)}`).join("\n");
  return node;
}

/** The longest object that is written on one line. */
const longestInline = 80;

function objectNode(object: WrittenObject, options: YamlOptions): YAMLMap {
  const context: YamlContext = { file: options.file, kinds: options.kinds, address: object.address };
  const map = new YAMLMap();
  for (const { name, value, note } of object.members)
    map.items.push(new MadePair(textNode(name), yamlValue(value, context, note)));
  const length = inlineLength({ is: "map", members: object.members }, context);
  map.flow = object.children.length === 0 && object.members.length <= 3 && length <= longestInline;
  addObjects(map, object.children, options);
  return map;
}
