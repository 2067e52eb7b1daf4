import type { RouteDescriptor } from "../../api/routes.ts";
import type { Settings } from "../settings.ts";
import type { UserRecord } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { Refusal } from "./refusal.ts";
import type { Incoming } from "./request.ts";

/** What proves who calls. */
export interface Credentials {
  readonly apiKey: string;
  readonly session: string;
}

/** The user that the key belongs to. */
const keyOwner = 1;

/**
 * DECISION (seed 1, Authentication: how credentials are presented is not shown): a header or query `key`; a session id
 * opens data-store links only (service.md 2, Credentials). Undefined on links that are open without a key.
 */
export function identifyCaller(
  incoming: Incoming,
  route: RouteDescriptor | undefined,
  by: { readonly credentials: Credentials; readonly settings: Settings; readonly store: Store },
): UserRecord | undefined {
  const given = keyOf(incoming, by.settings);
  if (given === by.credentials.apiKey) {
    const user = by.store.get("user", keyOwner);
    if (user) return user;
  }
  if (route?.open === "all") return undefined;
  if (route?.open === "sid" && incoming.query.get("sid") === by.credentials.session) return undefined;
  const found = given === undefined ? "no key" : "an unknown key";
  throw new Refusal(401, `found ${found}; expected one in header ${by.settings.authHeader} or query parameter key`);
}

function keyOf({ headers, query }: Incoming, { authHeader }: Settings): string | undefined {
  const header = headers.get(authHeader.toLowerCase());
  const bare = authHeader.toLowerCase() === "authorization" ? header?.replace(/^Bearer\s+/i, "") : header;
  return bare ?? query.get("key") ?? undefined;
}
