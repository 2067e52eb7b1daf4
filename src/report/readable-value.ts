import { lastStep, parseAddress } from "../model/address.ts";
import type { ContentMark } from "../model/fingerprint.ts";
import { isContentMark, isSecretMark } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { sensitiveText } from "../model/redact.ts";
import type { Change } from "../plan/plan.ts";

/** The hash of no bytes at all. */
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** What stands in the place of a secret that differs from the one before. */
const changedSecretText = "(secret changed)";

/**
 * A value as people and policy tools read it: references as addresses, texts and files as hash and size, secrets as
 * words. `other` is the value on the other side, to tell a changed secret from an unchanged one.
 */
export function readableValue(value: Json, other?: Json): Json {
  if (isSecretMark(value)) return secretWords(value, other);
  if (typeof value === "string") return withoutPassword(value, other);
  if (isContentMark(value)) return contentWords(value);
  if (Array.isArray(value)) return value.map((item: Json) => readableValue(item));
  if (!isObject(value)) return value;
  return referredAddress(value) ?? readableObject(value, isObject(other) ? other : {});
}

const passwordInAddress = /(:\/\/[^\s/?#:@]*:)[^\s/?#]+(?=@)/g;

/** A password within an address is no more shown than any other. */
function withoutPassword(text: string, other: Json | undefined): Json {
  const shown = text.replace(passwordInAddress, `$1${sensitiveText}`);
  const isOther = typeof other === "string" && other !== text && shown !== text;
  const isHidden = isOther && other.replace(passwordInAddress, `$1${sensitiveText}`) === shown;
  return isHidden ? text.replace(passwordInAddress, `$1${changedSecretText}`) : shown;
}

/** Hash and size; a text that was not read anew is known by its hash alone. */
function contentWords({ $content, bytes }: ContentMark): JsonObject {
  return bytes === 0 && $content !== emptyHash ? { sha256: $content } : { sha256: $content, bytes };
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

function secretWords(value: { readonly $secret: string }, other: Json | undefined): string {
  return isSecretMark(other) && other.$secret !== value.$secret ? changedSecretText : sensitiveText;
}

/** Terraform's map of sensitive values: true where one stands, objects where one lies deeper, undefined where none is. */
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
 * The name of a changing object; one that comes from the environment is as secret as any other value from there.
 * A kind without names goes by its key, also where only its id is known.
 */
export function shownName({ address, id, name, before, after }: Change): string {
  if (isSecretMark(after?.name) || isSecretMark(before?.name)) return sensitiveText;
  return name === String(id) ? lastStep(address).key : name;
}
