import { isObject, type Json, type JsonObject, sameJson } from "./json.ts";

/** A SHA-256 in hex of text or of bytes. An argument everywhere, so that the middle stays free of I/O. */
export type Hash = (data: string | Uint8Array) => string;

/** A keyed fingerprint of one secret value (docs/engine.md, Secrets). */
export type SecretFingerprint = (kind: string, field: string, value: Json) => string;

/** Replaces a sensitive value wherever it could be shown or stored. */
export interface SecretMark extends JsonObject {
  readonly $secret: string;
}

/** Replaces a script text or a data file in a tree; the bytes are in the tree's `contents`. */
export interface ContentMark extends JsonObject {
  readonly $content: string;
  readonly bytes: number;
}

/**
 * The content version of a text (docs/engine.md, Reading): the members of an answer that change with it. Words are hashed, as
 * the head line of a data file may contain a secret, and the state contains none.
 */
export function contentVersionOf(answer: JsonObject, members: readonly string[], hash: Hash): JsonObject {
  const version: Record<string, Json> = {};
  for (const member of members) {
    const value = answer[member];
    if (value !== undefined)
      version[member] = typeof value === "string" && !member.endsWith("At") ? hash(value) : value;
  }
  return version;
}

export function isSecretMark(value: unknown): value is SecretMark {
  return isObject(value) && typeof value.$secret === "string";
}

export function isContentMark(value: unknown): value is ContentMark {
  return isObject(value) && typeof value.$content === "string";
}

/** Equality of two values of a field; texts and files are equal by hash. */
export function same(left: Json | undefined, right: Json | undefined): boolean {
  if (isContentMark(left) && isContentMark(right)) return left.$content === right.$content;
  return sameJson(left, right);
}

/** True for a secret and for a value with a secret in it. */
export function holdsSecret(value: Json | undefined): boolean {
  if (isSecretMark(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isObject(value) && Object.values(value).some(holdsSecret);
}
