import { sha256 } from "../state/secret-fingerprint.ts";

const pattern = /^(?:#|\/\/) Written by loadform import \(([0-9a-f]{16})\)[^\n]*\n/;

/** The text under a first line that lets a later import see whether anybody edited it since. */
export function sealed(text: string, comment: "#" | "//" = "#"): string {
  const body = text.replace(pattern, "");
  const seal = sha256(body).slice(0, 16);
  return `${comment} Written by loadform import (${seal}). Edit it freely: from then on import leaves it alone.\n${body}`;
}

/** Whether a file of ours stands as it was written. */
export function isSealed(text: string): boolean {
  return pattern.test(text) && sealed(text, text.startsWith("//") ? "//" : "#") === text;
}
