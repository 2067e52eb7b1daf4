import type { RouteDescriptor } from "../../api/routes.ts";
import { Refusal } from "../refusal.ts";
import type { Settings } from "../settings.ts";
import type { UserRecord } from "../store/records/organizations.ts";
import type { Store } from "../store/store.ts";
import { isFromBrowser } from "./refuse-foreign.ts";
import type { Incoming } from "./request.ts";

/** The secrets that identify a caller. */
export interface Credentials {
  readonly apiKey: string;
  readonly session: string;
}

/** The user that the key belongs to. */
const keyOwner = 1;

/**
 * DECISION (API 1, Authentication: how credentials are presented is not shown): a header or query `key`; a session id
 * opens data-store links only, as the same user. Undefined on links that are open without a key.
 */
export function identifyCaller(
  incoming: Incoming,
  route: RouteDescriptor | undefined,
  by: { readonly credentials: Credentials; readonly settings: Settings; readonly store: Store },
): UserRecord | undefined {
  const isOfSession = route?.open === "sid" && incoming.query.get("sid") === by.credentials.session;
  const isKnown = isOfSession || hasKey(incoming, route, by);
  const user = isKnown ? by.store.get("user", keyOwner) : undefined;
  if (user) return user;
  if (route?.open === "all") return undefined;
  throw isKnown
    ? new Refusal(401, `found the key of user ${keyOwner}, who was deleted; POST /_loadform/reset brings the user back`)
    : unknownKey(incoming, route, by.settings);
}

/** The service's own routes take the key whatever became of its user, so that nobody is locked out of reset and restore. */
export function requireKey(
  incoming: Incoming,
  route: RouteDescriptor | undefined,
  by: { readonly credentials: Pick<Credentials, "apiKey">; readonly settings: Settings },
): void {
  if (route?.open !== "all" && !hasKey(incoming, route, by)) throw unknownKey(incoming, route, by.settings);
}

/** True for a request with the service's key: in its header or, where the route allows it, in its query. */
function hasKey(
  incoming: Incoming,
  route: RouteDescriptor | undefined,
  { credentials, settings }: { readonly credentials: Pick<Credentials, "apiKey">; readonly settings: Settings },
): boolean {
  const key = headerKey(incoming, settings) ?? (takesQueryKey(incoming, route) ? incoming.query.get("key") : null);
  return key === credentials.apiKey;
}

function unknownKey(incoming: Incoming, route: RouteDescriptor | undefined, settings: Settings): Refusal {
  const { authHeader } = settings;
  if (headerKey(incoming, settings) === undefined && incoming.query.has("key") && !takesQueryKey(incoming, route))
    return new Refusal(
      401,
      `found a key in the query of a browser's request that changes something; expected it in header ${authHeader}`,
    );
  const found = headerKey(incoming, settings) ?? incoming.query.get("key") ?? undefined;
  return new Refusal(
    401,
    `found ${found === undefined ? "no key" : "an unknown key"}; expected one in header ${authHeader} or query parameter key`,
  );
}

function headerKey({ headers }: Incoming, { authHeader }: Settings): string | undefined {
  const header = headers.get(authHeader.toLowerCase());
  return authHeader.toLowerCase() === "authorization" ? header?.replace(/^Bearer\s+/i, "") : header;
}

/** DECISION (API 1, Authentication: what a key in the query opens): everything, but from a browser only reads without effect: an address can be opened by a link, a header cannot. */
function takesQueryKey(incoming: Incoming, route: RouteDescriptor | undefined): boolean {
  if (!isFromBrowser(incoming)) return true;
  return (incoming.method === "GET" || incoming.method === "HEAD") && route?.effect !== true;
}
