import { hash } from "node:crypto";
import type { ContentMark, Hash } from "../model/fingerprint.ts";

/** SHA-256 in hex. */
export const sha256: Hash = (data) => hash("sha256", data);

/** Adds a script's text or a file's bytes to the contents of a tree, by its SHA-256; returns the mark that replaces it there. */
export function storeContent(content: string | Uint8Array, contents: Map<string, string | Uint8Array>): ContentMark {
  const digest = sha256(content);
  contents.set(digest, content);
  return { $content: digest, bytes: Buffer.byteLength(content) };
}
