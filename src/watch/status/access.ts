import { equalSecrets } from "./equal-secrets.ts";
import type { Headers } from "./hooks.ts";
import { isThisMachine } from "./listen-address.ts";
import { Refusal } from "./refusal.ts";

/** Who may do what: `public` without data, `read`, or `write`. */
export type Need = "public" | "read" | "write";

/**
 * Refuses a request that lacks what it needs. Where a token is set it opens everything and nothing else does. Without one, the server
 * listens on loopback alone: reading is allowed under the names of this machine, so that no page elsewhere reads by a name that it
 * points here (DNS rebinding), and nothing is written.
 */
export function checkAccess(need: Need, headers: Headers, token: string | undefined): void {
  if (need === "public") return;
  if (token !== undefined) checkToken(headers["authorization"], token);
  else if (need === "write")
    throw new Refusal(
      403,
      "This watcher has no token, so it can only be read. Set listen.token or $LOADFORM_WATCH_TOKEN, start it again, and send the token as Authorization: Bearer",
    );
  else if (!isThisMachine(hostName(headers["host"])))
    throw new Refusal(
      403,
      "Without a token this watcher is only read under the names of its machine, as in http://127.0.0.1 and http://localhost",
    );
}

function checkToken(authorization: Headers[string], token: string): void {
  const [, given] = /^Bearer +(\S.*?) *$/i.exec(typeof authorization === "string" ? authorization : "") ?? [];
  if (given !== undefined && equalSecrets(given, token)) return;
  throw new Refusal(
    401,
    given === undefined
      ? "A token is needed: send it as Authorization: Bearer"
      : "This is not the token of the watcher: expected the value of listen.token or $LOADFORM_WATCH_TOKEN",
    { "www-authenticate": "Bearer" },
  );
}

/** The host of a Host header without its port; "" for none, and for several. */
function hostName(host: Headers[string]): string {
  const [, name = ""] = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(typeof host === "string" ? host : "") ?? [];
  return name;
}
