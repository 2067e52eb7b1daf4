import type { Json, JsonObject } from "./json.ts";
import { isObject } from "./json.ts";

/** A SHA-256 in hex of text or bytes. An argument everywhere, so that the middle stays free of I/O. */
export type Hash = (data: string | Uint8Array) => string;

/** A keyed fingerprint of one secret value (docs/engine.md, Secrets). */
export type SecretFingerprint = (kind: string, field: string, value: Json) => string;

/** How a sensitive value stands wherever it could be seen or stored. */
export interface SecretMark extends JsonObject {
  readonly $secret: string;
}

/** How a script text or a data file stands in a tree; the bytes are in the tree's `contents`. */
export interface ContentMark extends JsonObject {
  readonly $content: string;
  readonly bytes: number;
}

/**
 * How members of an answer are kept that vouch for a text (docs/engine.md, Reading): words are hashed, for the head line of a data
 * file may hold a secret, and the state holds none.
 */
export function vouching(answer: JsonObject, members: readonly string[], hash: Hash): JsonObject {
  const kept: Record<string, Json> = {};
  for (const member of members) {
    const value = answer[member];
    if (value !== undefined) kept[member] = typeof value === "string" && !member.endsWith("At") ? hash(value) : value;
  }
  return kept;
}

/** Whether a value stands for a secret. */
export function isSecretMark(value: unknown): value is SecretMark {
  return isObject(value) && typeof value.$secret === "string";
}

/** Whether a value stands for a text or a file. */
export function isContentMark(value: unknown): value is ContentMark {
  return isObject(value) && typeof value.$content === "string";
}
