import { isMap, parseDocument } from "yaml";
import type { WrittenObject } from "../model/written.ts";
import type { YamlOptions } from "./write-yaml.ts";
import { addObjects, yamlDocumentText, yamlPath } from "./write-yaml.ts";

/** The text of a file of ours with more objects in it, comments kept; undefined when their parents are not in it. */
export function withObjects(text: string, objects: readonly WrittenObject[], options: YamlOptions): string | undefined {
  const document = parseDocument(text, { version: "1.2" });
  if (document.errors.length > 0) return undefined;
  for (const object of objects) {
    const path = object.parent === undefined ? [] : yamlPath(object.parent, options.kinds);
    const holder: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
    if (!isMap(holder)) return undefined;
    holder.flow = false;
    addObjects(holder, [object], options);
  }
  return yamlDocumentText(document);
}
