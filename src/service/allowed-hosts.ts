import type { Settings } from "./settings.ts";

/** Names and addresses of this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return bare === "localhost" || bare.endsWith(".localhost") || bare === "::1" || /^127(?:\.\d{1,3}){3}$/.test(bare);
}

/** DECISION (API 1, Recordings, Repositories; API 2, Starting a run): the service reaches loopback, and beyond it only the hosts of the setting `allowedHosts`. */
export function isAllowedHost(host: string, { allowedHosts }: Pick<Settings, "allowedHosts">): boolean {
  return isLoopback(host) || allowedHosts.some((each) => each.toLowerCase() === host.toLowerCase());
}
