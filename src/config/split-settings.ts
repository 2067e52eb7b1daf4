import { isMap, isScalar, parseDocument } from "yaml";
import type { JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";

/** The text of a seed without its top-level `settings`, and these; other lines keep their places. */
export function splitSettings(text: string): { readonly text: string; readonly settings: JsonObject } {
  const document = parseDocument(text);
  const pair = isMap(document.contents)
    ? document.contents.items.find(({ key }) => isScalar(key) && key.value === "settings")
    : undefined;
  const [from, to] = [rangeOf(pair?.key)?.[0], rangeOf(pair?.value)?.[1]];
  if (from === undefined || to === undefined) return { text, settings: {} };
  const { settings } = document.toJS() as { settings?: unknown };
  const blank = text.slice(from, to).replace(/[^\n]/g, " ");
  return { text: text.slice(0, from) + blank + text.slice(to), settings: isObject(settings) ? settings : {} };
}

function rangeOf(node: unknown): readonly number[] | undefined {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range)
    ? node.range
    : undefined;
}
