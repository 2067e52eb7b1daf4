import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { isDeep } from "./deep.ts";

/**
 * From now on scrypt makes few rounds in this process, but for the deep run. The key of a state's secrets is slow on purpose, 70 ms, and
 * was a fifth of what in-process commands took; it differs for each state as ever. That it is slow is in
 * test/state/secret-fingerprint.test.ts, and every run in a process of its own derives it as users do.
 */
export function quickKeys(): void {
  const { scryptSync } = crypto;
  const quick: typeof scryptSync = (password, salt, length, options) =>
    scryptSync(password, salt, length, { ...options, N: 2 });
  if (!isDeep) crypto.scryptSync = quick;
  syncBuiltinESMExports();
}
