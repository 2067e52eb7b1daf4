import type { Document, Pair, YAMLMap } from "yaml";
import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import { isObject, sameJson } from "../model/json.ts";
import { parseYaml, withoutMark } from "../yaml/parse-yaml.ts";
import { isInQuotes } from "../yaml/render-yaml.ts";
import { contentEnd, lineStartAt, nodeStart } from "../yaml/yaml-places.ts";

/**
 * The text of a main file with one more glob under `include`, every other character as it was; undefined when that
 * cannot be done without touching more.
 */
export function withInclude(text: string, pattern: string): string | undefined {
  const plain = withoutMark(text);
  const document = parseDocument(plain, { version: "1.2" });
  const changed = splice(document, plain, JSON.stringify(pattern));
  return changed !== undefined && onlyAdds(plain, changed, pattern)
    ? text.slice(0, text.length - plain.length) + changed
    : undefined;
}

function splice(document: Document, text: string, quoted: string): string | undefined {
  const root: unknown = document.contents;
  if (!isMap(root)) return undefined;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const include = (root.items as readonly Pair[]).find(({ key }) => isScalar(key) && key.value === "include");
  if (include === undefined) return root.flow ? insertPair(root, text, quoted) : append(root, text, quoted);
  const list = include.value;
  if (!isSeq(list) || !list.range) return undefined;
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

/** The blanks before a place in its line. */
function indentAt(text: string, at = 0): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at).replace(/\S/g, " ");
}

function onlyAdds(before: string, after: string, pattern: string): boolean {
  const [old, made] = [parseYaml(before, "").value, parseYaml(after, "").value];
  if (!isObject(old) || !isObject(made)) return false;
  const patterns = Array.isArray(old["include"]) ? old["include"] : [];
  return sameJson(made, { ...old, include: [...patterns, pattern] });
}
