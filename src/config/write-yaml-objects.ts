import type { Document } from "yaml";
import { isMap, parseDocument, YAMLMap } from "yaml";
import type { WrittenObject } from "../model/written.ts";
import type { YamlOptions } from "./write-yaml.ts";
import { addObjects, yamlDocumentText, yamlPath } from "./write-yaml.ts";

/** The text of a file of ours with more objects in it, comments kept; undefined when their parents are not in it. */
export function withObjects(text: string, objects: readonly WrittenObject[], options: YamlOptions): string | undefined {
  return added(text, objects, { ...options, isPart: false });
}

/** The same for a file that carries on with objects of other files: it names their parents when it does not yet. */
export function withParts(text: string, objects: readonly WrittenObject[], options: YamlOptions): string | undefined {
  return added(text, objects, { ...options, isPart: true });
}

interface AddOptions extends YamlOptions {
  readonly isPart: boolean;
}

function added(text: string, objects: readonly WrittenObject[], options: AddOptions): string | undefined {
  const document = parseDocument(text, { version: "1.2" });
  if (document.errors.length > 0) return undefined;
  for (const object of objects) {
    const path = object.parent === undefined ? [] : yamlPath(object.parent, options.kinds);
    const holder = options.isPart ? makeHolder(document, path) : holderAt(document, path);
    if (!isMap(holder)) return undefined;
    holder.flow = false;
    addObjects(holder, [object], options);
  }
  return yamlDocumentText(document);
}

function holderAt(document: Document, path: readonly string[]): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

/** The mapping at a path; what is missing of the way there is made. */
function makeHolder(document: Document, path: readonly string[]): unknown {
  document.contents ??= new YAMLMap();
  path.forEach((_, depth) => {
    const way = path.slice(0, depth + 1);
    if (!document.hasIn(way)) document.setIn(way, new YAMLMap());
  });
  return holderAt(document, path);
}
