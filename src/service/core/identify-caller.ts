import type { RouteDescriptor } from "../../api/routes.ts";
import { Refusal } from "../refusal.ts";
import type { Settings } from "../settings.ts";
import type { UserRecord } from "../store/records/organizations.ts";
import type { Store } from "../store/store.ts";
import type { Incoming } from "./request.ts";

/** What proves who calls. */
export interface Credentials {
  readonly apiKey: string;
  readonly session: string;
}

/** The user that the key belongs to. */
const keyOwner = 1;

/**
 * DECISION (API 1, Authentication: how credentials are presented is not shown): a header or query `key`; a session id
 * opens data-store links only. Undefined on links that are open without a key.
 */
export function identifyCaller(
  incoming: Incoming,
  route: RouteDescriptor | undefined,
  by: { readonly credentials: Credentials; readonly settings: Settings; readonly store: Store },
): UserRecord | undefined {
  const isKnown = hasKey(incoming, by);
  const user = isKnown ? by.store.get("user", keyOwner) : undefined;
  if (user) return user;
  if (route?.open === "all") return undefined;
  if (route?.open === "sid" && incoming.query.get("sid") === by.credentials.session) return undefined;
  throw isKnown
    ? new Refusal(401, `found the key of user ${keyOwner}, who was deleted; POST /_loadform/reset brings the user back`)
    : unknownKey(incoming, by.settings);
}

/** The service's own routes take the key whatever became of its user, so that nobody is locked out of reset and restore. */
export function requireKey(
  incoming: Incoming,
  route: RouteDescriptor | undefined,
  by: { readonly credentials: Pick<Credentials, "apiKey">; readonly settings: Settings },
): void {
  if (route?.open !== "all" && !hasKey(incoming, by)) throw unknownKey(incoming, by.settings);
}

/** Whether a request carries the service's key. */
export function hasKey(
  incoming: Pick<Incoming, "headers" | "query">,
  { credentials, settings }: { readonly credentials: Pick<Credentials, "apiKey">; readonly settings: Settings },
): boolean {
  return keyOf(incoming, settings) === credentials.apiKey;
}

function unknownKey(incoming: Incoming, settings: Settings): Refusal {
  const found = keyOf(incoming, settings) === undefined ? "no key" : "an unknown key";
  return new Refusal(401, `found ${found}; expected one in header ${settings.authHeader} or query parameter key`);
}

function keyOf({ headers, query }: Pick<Incoming, "headers" | "query">, { authHeader }: Settings): string | undefined {
  const header = headers.get(authHeader.toLowerCase());
  const bare = authHeader.toLowerCase() === "authorization" ? header?.replace(/^Bearer\s+/i, "") : header;
  return bare ?? query.get("key") ?? undefined;
}
