import { createHash } from "node:crypto";

/** Numbers from 0 up to 1, the same ones for the same seed. */
export type Random = () => number;

/** The sfc32 generator. */
export function randomOf(seed: string): Random {
  const bytes = createHash("sha256").update(seed).digest();
  let a = bytes.readInt32LE(0);
  let b = bytes.readInt32LE(4);
  let c = bytes.readInt32LE(8);
  let counter = 1;
  return () => {
    const next = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + next) | 0;
    return (next >>> 0) / 4_294_967_296;
  };
}

/** A UUID (version 4 in form) that follows from a text. */
export function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
