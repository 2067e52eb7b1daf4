import { createHmac, randomBytes } from "node:crypto";

/** A salt: of the instance's seed, so that the same calls make the same bytes; random where state is kept in a file. */
export function makeSalt(seed: string | number | undefined, isKept: boolean): string {
  if (seed === undefined && isKept) return randomBytes(16).toString("hex");
  return createHmac("sha256", "loadform salt")
    .update(String(seed ?? ""))
    .digest("hex")
    .slice(0, 32);
}

/** Salted digest of a value of which nothing else is kept. */
export function digestOf(salt: string, value: string): string {
  return createHmac("sha256", salt).update(value).digest("hex");
}
