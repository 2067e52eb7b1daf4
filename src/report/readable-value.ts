import { lastStep, parseAddress } from "../model/address.ts";
import { isContentMark, isSecretMark } from "../model/fingerprint.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { sensitiveText } from "../model/redact.ts";
import type { Change } from "../plan/plan.ts";
import { cleanText, counted } from "./terminal-text.ts";

const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const changedSecretText = "(secret changed)";

/**
 * A value as people and policy tools read it: references as addresses, texts and files as hash and size, secrets as
 * words. `other` is the value on the other side, to tell a changed secret from an unchanged one.
 */
export function readableValue(value: Json, other?: Json): Json {
  if (isSecretMark(value))
    return isSecretMark(other) && other.$secret !== value.$secret ? changedSecretText : sensitiveText;
  if (typeof value === "string") return withoutPassword(value, other);
  // A text that was not read anew is known by its hash alone.
  if (isContentMark(value))
    return { sha256: value.$content, ...((value.bytes > 0 || value.$content === emptyHash) && { bytes: value.bytes }) };
  if (Array.isArray(value)) return value.map((item: Json) => readableValue(item));
  if (!isObject(value)) return value;
  return referredAddress(value) ?? readableObject(value, isObject(other) ? other : {});
}

const passwordInAddress = /(:\/\/[^\s/?#:@]*:)[^\s/?#]+(?=@)/g;

/** A password within an address is no more shown than any other. */
function withoutPassword(text: string, other: Json | undefined): Json {
  if (!text.includes("://")) return text;
  const shown = text.replace(passwordInAddress, `$1${sensitiveText}`);
  const isOther = typeof other === "string" && other !== text && shown !== text;
  const isHidden = isOther && other.replace(passwordInAddress, `$1${sensitiveText}`) === shown;
  return isHidden ? text.replace(passwordInAddress, `$1${changedSecretText}`) : shown;
}

/** The readable form of an object's fields. */
export function readableObject(fields: JsonObject, others: JsonObject = {}): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      readableValue(value, Object.hasOwn(others, name) ? others[name] : undefined),
    ]),
  );
}

/** The address that a reference leads to; undefined for any other value. */
export function referredAddress(value: JsonObject): string | undefined {
  const { ref } = value;
  const isReference = typeof ref === "string" && Object.keys(value).length === 1 && parseAddress(ref) !== undefined;
  return isReference ? ref : undefined;
}

/** Terraform's map of sensitive values: true for one, an object where one is nested, undefined where there is none. */
export function sensitiveMap(value: Json): Json | undefined {
  if (isSecretMark(value)) return true;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => sensitiveMap(item));
    return items.some((item) => item !== undefined) ? items.map((item) => item ?? false) : undefined;
  }
  if (!isObject(value)) return undefined;
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const found = sensitiveMap(member);
    return found === undefined ? [] : [[name, found]];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

/**
 * The name of a changing object; one from the environment is as secret as any other value from there.
 * An object of a kind without names is shown by its key, also where only its id is known.
 */
export function shownName({ address, id, name, before, after }: Change): string {
  if (isSecretMark(after?.name) || isSecretMark(before?.name)) return sensitiveText;
  return name === String(id) ? lastStep(address).key : name;
}

/** A value on one line, as a person would write it in YAML's flow style. */
export function inlineValue(value: Json | undefined, other?: Json): string {
  if (value === undefined) return "(none)";
  if (isSecretMark(value)) return String(readableValue(value, other));
  if (isContentMark(value)) return inlineContent(value);
  if (typeof value === "string") return cleanText(JSON.stringify(readableValue(value, other)));
  if (Array.isArray(value)) return `[${value.map((item: Json) => inlineValue(item)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${cleanText(name)}: ${inlineValue(member, isObject(other) ? other[name] : undefined)}`,
  );
  return referredAddress(value) ?? (members.length === 0 ? "{}" : `{ ${members.join(", ")} }`);
}

const lineWidth = 100;

/** A value as a person would write it in YAML: one line for each item or member, and more where that is too long. */
export function valueLines(value: Json, other?: Json): readonly string[] {
  const isBlock = typeof value === "object" && value !== null && !isSecretMark(value) && !isContentMark(value);
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item: Json) =>
      blockOf(item, undefined).map((line, index) => `${index === 0 ? "-" : " "} ${line}`),
    );
  if (!isBlock || !isObject(value) || referredAddress(value) !== undefined || Object.keys(value).length === 0)
    return [inlineValue(value, other)];
  return Object.entries(value).flatMap(([name, member]) => {
    const below = blockOf(member, isObject(other) ? other[name] : undefined);
    const [only = ""] = below;
    return below.length === 1
      ? [`${cleanText(name)}: ${only}`]
      : [`${cleanText(name)}:`, ...below.map((line) => `  ${line}`)];
  });
}

function blockOf(value: Json, other: Json | undefined): readonly string[] {
  const inline = inlineValue(value, other);
  return inline.length <= lineWidth ? [inline] : valueLines(value, other);
}

function inlineContent({ $content, bytes }: { readonly $content: string; readonly bytes: number }): string {
  // A remembered text of which only the hash is known has no size.
  const size = bytes === 0 ? "" : `${counted(bytes, "byte")}, `;
  return `(${size}sha256 ${$content.slice(0, 12)})`;
}
