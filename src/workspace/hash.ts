import { createHash, hash } from "node:crypto";
import type { ContentMark, Hash, RunningHash } from "../model/fingerprint.ts";

/** SHA-256 in hex. */
export const sha256 = Object.assign((data: string | Uint8Array) => hash("sha256", data), { begin }) satisfies Hash;

function begin(): RunningHash {
  const running = createHash("sha256");
  return { add: (piece) => void running.update(piece), hex: () => running.copy().digest("hex") };
}

/** Adds a script's text or a file's bytes to the contents of a tree, by its SHA-256; returns the mark that replaces it there. */
export function storeContent(content: string | Uint8Array, contents: Map<string, string | Uint8Array>): ContentMark {
  const digest = sha256(content);
  contents.set(digest, content);
  return { $content: digest, bytes: Buffer.byteLength(content) };
}
