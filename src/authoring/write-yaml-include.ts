import type { Document, Pair, YAMLMap } from "yaml";
import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import { isObject, sameJson, valueAt, withValueAt } from "../model/json.ts";
import { parseYaml, withoutMark } from "../yaml/parse-yaml.ts";
import { isInQuotes } from "../yaml/render-yaml.ts";
import { contentEnd, lineStartAt, nodeStart } from "../yaml/yaml-places.ts";

/**
 * The text of a main file with one more glob under `include`, every other character as it was; undefined when that
 * cannot be done without touching more.
 */
export function withInclude(
  text: string,
  pattern: string,
  /** The mapping that has it; in an environment it is extended, and not made. */
  within: readonly string[] = [],
): string | undefined {
  const plain = withoutMark(text);
  const document = parseDocument(plain, { version: "1.2" });
  const changed = splice(document, plain, { quoted: JSON.stringify(pattern), within });
  return changed !== undefined && onlyAdds(plain, changed, { pattern, within })
    ? text.slice(0, text.length - plain.length) + changed
    : undefined;
}

function splice(
  document: Document,
  text: string,
  { quoted, within }: { readonly quoted: string; readonly within: readonly string[] },
): string | undefined {
  const root: unknown = within.length === 0 ? document.contents : document.getIn(within, true);
  if (!isMap(root)) return undefined;
  const include = (root.items as readonly Pair[]).find(({ key }) => isScalar(key) && key.value === "include");
  if (include !== undefined) return extended(include.value, text, quoted);
  if (within.length > 0) return undefined;
  return root.flow ? insertPair(root, text, quoted) : append(root, text, quoted);
}

function extended(list: unknown, text: string, quoted: string): string | undefined {
  if (!isSeq(list) || !list.range) return undefined;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const last = list.items.at(-1);
  const end = isScalar(last) ? last.range?.[1] : undefined;
  if (list.flow) return insert(text, end ?? list.range[1] - 1, end === undefined ? quoted : `, ${quoted}`);
  if (end === undefined) return undefined;
  const line = text.slice(end).search(/\r?\n|$/);
  return insert(text, end + line, `${lineEnd}${indentAt(text, list.range[0])}- ${quoted}`);
}

function append(root: YAMLMap, text: string, quoted: string): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const isOpen = text !== "" && !text.endsWith("\n");
  return `${text}${isOpen ? lineEnd : ""}${indentAt(text, root.range?.[0])}include: [${quoted}]${lineEnd}`;
}

/** Behind the last pair within braces, on a line of its own where that one has one. */
function insertPair(root: YAMLMap, text: string, quoted: string): string {
  const last = root.items.at(-1);
  if (last === undefined) return insert(text, nodeStart(root) + 1, `include: [${quoted}]`);
  const start = nodeStart(last.key);
  const key = isInQuotes(last.key) ? '"include"' : "include";
  const isOwnLine = text.slice(lineStartAt(text, start), start).trim() === "";
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = isOwnLine ? `${lineEnd}${indentAt(text, start)}` : " ";
  return insert(text, contentEnd(last, text), `,${gap}${key}: [${quoted}]`);
}

function insert(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

function indentAt(text: string, at = 0): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at).replace(/\S/g, " ");
}

function onlyAdds(
  before: string,
  after: string,
  { pattern, within }: { readonly pattern: string; readonly within: readonly string[] },
): boolean {
  const [old, made] = [parseYaml(before, "").value, parseYaml(after, "").value];
  if (!isObject(old) || !isObject(made)) return false;
  const path = [...within, "include"];
  const include = valueAt(old, path);
  return sameJson(made, withValueAt(old, path, [...(Array.isArray(include) ? include : []), pattern]));
}
