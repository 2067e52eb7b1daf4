import { isAllowedHost, isLoopback } from "../allowed-hosts.ts";
import { Refusal } from "../refusal.ts";
import type { Settings } from "../settings.ts";

/** Where a request is sent: the server, and the path as it is written on the wire. */
export interface TargetAddress {
  readonly isSecure: boolean;
  /** Name or address to connect to. */
  readonly hostname: string;
  readonly port: number;
  /** Value of the header Host. */
  readonly host: string;
  readonly path: string;
}

/** Where a path below a key's url is; a host that the service must not reach is 403. */
export function targetAddress(base: string, path: string, settings: Pick<Settings, "allowedHosts">): TargetAddress {
  const url = new URL(base);
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  if (!isAllowedHost(hostname, settings))
    throw new Refusal(
      403,
      `the gateway leads to ${hostname}; expected loopback or a host of the setting allowedHosts: add it there to reach it`,
    );
  const isSecure = url.protocol === "https:";
  // Names below localhost are this machine (RFC 6761), whether or not the system resolves them.
  const connected = isLoopback(hostname) && hostname.endsWith(".localhost") ? "localhost" : hostname;
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  return { isSecure, hostname: connected, port, host: url.host, path: joinedPath(url, path) };
}

/** The url of a path below a key's url. */
export function targetUrl({ isSecure, host, path }: TargetAddress): string {
  return `${isSecure ? "https" : "http"}://${host}${path}`;
}

/** The path of a base url without a slash at its end. */
export function basePath(url: URL): string {
  return url.pathname.replace(/\/$/, "");
}

function joinedPath(base: URL, path: string): string {
  const below = path === "" || path.startsWith("/") ? path : `/${path}`;
  const whole = `${basePath(base)}${below}`;
  return whole === "" ? "/" : whole.startsWith("/") ? whole : `/${whole}`;
}
