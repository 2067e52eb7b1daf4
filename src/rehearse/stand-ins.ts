import type { Hash } from "../model/fingerprint.ts";
import type { ValueSources } from "../remote/encode-fields.ts";

/** Texts in the place of those that were not read, and a hash to which both are the same. */
export interface StandIns {
  readonly content: ValueSources["content"];
  readonly hash: Hash;
}

const mark = "// not read: ";
const length = mark.length + 64;

/** Stand-ins for the texts and files of which only the hash (of 64 digits) is known. */
export function standIns(hash: Hash, contents: ValueSources["content"]): StandIns {
  return {
    content: (sha) => contents(sha) ?? `${mark}${sha}`,
    hash(content) {
      if (content.length !== length) return hash(content);
      const text = typeof content === "string" ? content : new TextDecoder().decode(content);
      return text.startsWith(mark) ? text.slice(mark.length) : hash(content);
    },
  };
}
