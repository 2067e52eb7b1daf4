import { isContentMark, isSecretMark } from "../model/fingerprint.ts";
import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { cleanText, counted } from "./clean-text.ts";
import { readableValue, referredAddress } from "./readable-value.ts";

/** A value on one line, as a person would write it in YAML's flow style. */
export function inlineValue(value: Json | undefined, other?: Json): string {
  if (value === undefined) return "(none)";
  if (isSecretMark(value)) return String(readableValue(value, other));
  if (isContentMark(value)) return contentWords(value);
  if (typeof value === "string") return cleanText(JSON.stringify(readableValue(value, other)));
  if (Array.isArray(value)) return `[${value.map((item: Json) => inlineValue(item)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${cleanText(name)}: ${inlineValue(member, isObject(other) ? other[name] : undefined)}`,
  );
  return referredAddress(value) ?? (members.length === 0 ? "{}" : `{ ${members.join(", ")} }`);
}

/** A value as lines of JSON, for a diff line by line. */
export function valueLines(value: Json | undefined, other?: Json): string {
  return value === undefined ? "" : `${JSON.stringify(readableValue(value, other), undefined, 2)}\n`;
}

/** What a text or file is known by when its words are not shown. */
function contentWords({ $content, bytes }: { readonly $content: string; readonly bytes: number }): string {
  // A remembered text of which only the hash is known has no size.
  const size = bytes === 0 ? "" : `${counted(bytes, "byte")}, `;
  return `(${size}sha256 ${$content.slice(0, 12)})`;
}
