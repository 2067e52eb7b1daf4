import { Refusal } from "../refusal.ts";

/** Bodies are UTF-8, and nothing else is guessed: other bytes would change what two names have in common. */
export function readUtf8(bytes: Uint8Array, expected = "a JSON document"): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, `found bytes that are no UTF-8; expected ${expected} in UTF-8`);
  }
}

/** The charset that a content type names, in lower case. */
export function charsetOf(type: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type ?? "")?.[1]?.toLowerCase();
}

/** 415 for a body that is compressed. */
export function refuseCoded(coding: string | undefined): void {
  if (coding !== undefined && !/^\s*(?:identity)?\s*$/i.test(coding))
    throw new Refusal(415, `found content-encoding ${coding}; expected a body that is not encoded`);
}

/** 415 for a content type in another charset. */
export function refuseCharset(type: string | undefined): void {
  const charset = charsetOf(type);
  if (charset !== undefined && !["utf-8", "utf8", "us-ascii"].includes(charset))
    throw new Refusal(415, `found charset ${charset}; expected utf-8`);
}

/** 413 for more bytes than are taken. */
export function refuseLarge(length: number, limit: number): void {
  if (length > limit) throw new Refusal(413, `found a body of ${length} bytes; expected at most ${limit}`);
}

/** The refusal of another media type. */
export function wrongMediaType(found: string, expected: string): Refusal {
  return new Refusal(415, `found content type ${found}; expected ${expected}`);
}
