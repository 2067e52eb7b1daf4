import { Document, isSeq, Pair, type Scalar, visit, YAMLMap } from "yaml";
import type { Json, JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import type { WrittenObject } from "../model/written.ts";
import { commentText } from "./write-text.ts";
import type { YamlContext } from "./write-yaml-value.ts";
import { inlineLength, yamlText, yamlValue } from "./write-yaml-value.ts";

/** How our YAML looks; nothing is folded, so that texts stay whole. */
const style = { lineWidth: 0, blockQuote: "literal", doubleQuotedAsJSON: true } as const;

/** The text of a document in our style: `{ a: 1 }`, but `[a]`. */
export function yamlDocumentText(document: Document): string {
  visit(document, {
    Seq(_key, list) {
      const write = list.toString.bind(list);
      list.toString = (context, ...rest) =>
        write(context && list.flow ? { ...context, flowCollectionPadding: "" } : context, ...rest);
    },
  });
  return document.toString(style);
}

/** What a YAML file is written with. */
export interface YamlOptions {
  /** Path of the file, for what it refers to. */
  readonly file: string;
  readonly kinds: readonly AnyKind[];
  /** Settings above the objects, as users write them. */
  readonly head?: JsonObject;
}

/** A YAML file of a project: settings, then objects by kind. */
export function writeYaml(objects: readonly WrittenObject[], options: YamlOptions): string {
  const document = new Document(new YAMLMap());
  const map = document.contents as YAMLMap;
  for (const [name, value] of Object.entries(options.head ?? {})) map.add(new Pair(keyNode(name), plainNode(value)));
  addObjects(map, objects, options);
  for (const pair of map.items.slice(1)) if (isCollection(pair)) (pair.key as Scalar).spaceBefore = true;
  return yamlDocumentText(document);
}

function isCollection({ value }: Pair): boolean {
  return value instanceof YAMLMap && !value.flow;
}

function plainNode(value: Json): unknown {
  const node = new Document(value).contents;
  if (isSeq(node)) node.flow = true;
  return node;
}

/** Puts objects into the mapping that holds their kinds' collections, in the order of the kinds. */
export function addObjects(holder: YAMLMap, objects: readonly WrittenObject[], options: YamlOptions): void {
  for (const { name, plural } of options.kinds) {
    const own = objects.filter(({ kind }) => kind === name);
    if (own.length === 0) continue;
    const collection = collectionIn(holder, plural);
    for (const object of own) collection.add(new Pair(objectKey(object), objectNode(object, options)));
  }
}

function collectionIn(holder: YAMLMap, plural: string): YAMLMap {
  const found = holder.get(plural, true) as unknown;
  if (found instanceof YAMLMap) {
    found.flow = false;
    return found;
  }
  const made = new YAMLMap();
  holder.delete(plural);
  holder.add(new Pair(keyNode(plural), made));
  return made;
}

function keyNode(name: string): Scalar {
  return yamlText(name);
}

function objectKey({ key, notes }: WrittenObject): Scalar {
  const node = keyNode(key);
  if (notes.length > 0) node.commentBefore = notes.map((note) => ` ${commentText(note)}`).join("\n");
  return node;
}

/** The longest object that is written on one line. */
const shortest = 80;

function objectNode(object: WrittenObject, options: YamlOptions): YAMLMap {
  const context: YamlContext = { file: options.file, kinds: options.kinds, address: object.address };
  const map = new YAMLMap();
  for (const { name, value, note } of object.members) {
    const node = yamlValue(value, context, note);
    map.add(new Pair(keyNode(name), node));
  }
  const length = inlineLength({ is: "map", members: object.members }, context);
  map.flow = object.children.length === 0 && object.members.length <= 3 && length <= shortest;
  addObjects(map, object.children, options);
  return map;
}

/** The names of collections from the top down to the one that holds the object at an address, with the keys between. */
export function yamlPath(address: string, kinds: readonly AnyKind[]): readonly string[] {
  const byName = kindsByName(kinds);
  return address.split("/").flatMap((step) => {
    const dot = step.indexOf(".");
    return [byName.get(step.slice(0, dot))?.plural ?? "", step.slice(dot + 1)];
  });
}
