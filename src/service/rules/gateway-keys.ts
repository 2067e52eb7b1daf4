import type { Scope } from "../core/scope.ts";
import type { GatewayKeyRecord } from "../store/records/gateways.ts";

/** API 1, Gateway key: a short text of its own for each base URL. */
export function mintKey(url: string, isPrimary: boolean, scope: Scope): GatewayKeyRecord {
  const id = scope.store.takeId("gatewayKey");
  const now = scope.store.now();
  const key = BigInt(`0x${scope.digest(`gateway key ${id}`).slice(0, 12)}`)
    .toString(36)
    .padStart(8, "0")
    .slice(0, 8);
  return { id, createdAt: now, updatedAt: now, key, url, isPrimary };
}
