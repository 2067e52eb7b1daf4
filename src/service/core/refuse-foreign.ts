import type { RouteDescriptor } from "../../api/routes.ts";
import { isLoopback } from "../allowed-hosts.ts";
import { Refusal } from "../refusal.ts";
import type { Incoming } from "./request.ts";

/** True for a request that a browser sent. Node's own fetch sends Sec-Fetch-Mode, but neither of these headers. */
export function isFromBrowser({ headers }: Pick<Incoming, "headers">): boolean {
  return headers.has("origin") || headers.has("sec-fetch-site");
}

/**
 * DECISION (API 1, Authentication: which browsers may call is not shown): no page of another origin can make the service do
 * anything. 403, before key and body are read, for a foreign Origin, for a Sec-Fetch-Site other than same-origin and none, and where
 * it listens on loopback for a Host that is not a name of this machine. A link may still lead to what opens without a key: console,
 * docs, share and `sid` links. No answer ever has a header of CORS.
 */
export function refuseForeign(
  incoming: Incoming,
  route: RouteDescriptor | undefined,
  { isOnLoopback }: { readonly isOnLoopback: boolean },
): void {
  const { headers } = incoming;
  const [host, origin, site] = ["host", "origin", "sec-fetch-site"].map((name) => headers.get(name));
  if (isOnLoopback && host !== undefined && !isLoopback(host.replace(/:\d*$/, "")))
    throw new Refusal(
      403,
      `found the Host ${host}; expected localhost, 127.0.0.1 or [::1]: the service listens on loopback, where another name can be that of a page which had it resolved to this machine`,
    );
  if (isLink(incoming, route)) return;
  // A browser that came by https through a proxy vouches for the page itself.
  const own = site === "same-origin" ? [`http://${host}`, `https://${host}`] : [`http://${host}`];
  if (origin !== undefined && !own.includes(origin.toLowerCase())) throw foreign(`Origin: ${origin}`);
  if (site !== undefined && site !== "same-origin" && site !== "none") throw foreign(`Sec-Fetch-Site: ${site}`);
}

/** True where a browser opens, as a page of its own, what needs no key. */
function isLink({ method, headers, query }: Incoming, route: RouteDescriptor | undefined): boolean {
  if (method !== "GET" || headers.get("sec-fetch-mode") !== "navigate" || headers.has("origin")) return false;
  return route?.open === "all" || (route?.open === "sid" && query.has("sid"));
}

function foreign(found: string): Refusal {
  return new Refusal(
    403,
    `found a request that a page of another origin made (${found}); expected one of the service's own pages, or a program that is not a browser`,
  );
}

/** 415 for a body that does not say what it is: it is the one that a page of another origin can send without being asked. */
export function refuseUntyped({ headers, body }: Incoming): void {
  const isSent =
    typeof body === "function" || ((typeof body === "string" || body instanceof Uint8Array) && body.length > 0);
  if (isSent && !headers.get("content-type"))
    throw new Refusal(415, "found a body without a Content-Type; expected one, such as application/json");
}
