import { createHmac, randomBytes, scryptSync } from "node:crypto";
import type { SecretFingerprint } from "../model/fingerprint.ts";
import { getOrMake } from "../model/group-by.ts";
import { canonicalJson } from "../model/json.ts";
import type { State } from "./state.ts";

/** Derives the key of the fingerprints; slow on purpose. An argument, so that tests need not wait. */
export type KeyDerivation = (lineage: string, salt: string) => Uint8Array;

const derivedKeys = new Map<string, Uint8Array>();

/** scrypt with N = 2^15 (docs/engine.md, Secrets): about 70 ms, once for each state that a process works with. */
export const scryptKey: KeyDerivation = (lineage, salt) => {
  const derive = () => scryptSync(lineage, Buffer.from(salt, "hex"), 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
  return getOrMake(derivedKeys, `${salt} ${lineage}`, derive);
};

/** Fingerprints of secrets under one state: the key is derived once, when the first one is needed. */
export function secretFingerprint(state: Pick<State, "lineage" | "salt">, derive: KeyDerivation): SecretFingerprint {
  let key: Uint8Array | undefined;
  return (kind, field, value) => {
    key ??= derive(state.lineage, state.salt);
    return createHmac("sha256", key)
      .update(canonicalJson([kind, field, value]))
      .digest("hex")
      .slice(0, 32);
  };
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}
