import { keyPattern } from "../model/address.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";

/** Keys longer than this help nobody. */
const longest = 60;

/** The key that an object's name suggests: the name itself where it is one, else its letters and digits in small. */
export function keyFromName(name: string, fallback: string): string {
  if (keyPattern.test(name) && name.length <= longest) return name;
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, longest)
    .replace(/[-_.]+$/, "");
  return plain === "" ? fallback : plain;
}

/** The key of an object without a name: the words that its choices make, such as `recurring-day`. */
export function keyFromChoices(kind: AnyKind, fields: JsonObject): string {
  const words = Object.entries(kind.fields).flatMap(([name, field]) => {
    const value = fields[name];
    return field.type === "choice" && typeof value === "string" ? [value.toLowerCase()] : [];
  });
  return keyFromName(words.join("-"), kind.name);
}

/** The key, or the first of `key-2`, `key-3`, … that is free. */
export function freeKey(key: string, isTaken: (key: string) => boolean): string {
  if (!isTaken(key)) return key;
  for (let number = 2; ; number++) if (!isTaken(`${key}-${number}`)) return `${key}-${number}`;
}

/** A file name made of text from the service: no folders, nothing hidden, nothing that a file system refuses. */
export function fileName(text: string): string {
  const name = text
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}_. -]+/gu, "-")
    .replace(/^[. -]+|[. -]+$/g, "")
    .slice(0, 120);
  return name === "" ? "file" : name;
}
