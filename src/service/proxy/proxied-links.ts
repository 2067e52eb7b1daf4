import type { Scope } from "../core/scope.ts";
import { basePath } from "../recordings/target-address.ts";
import { mintKey } from "../rules/gateway-keys.ts";
import type { GatewayKeyRecord, GatewayRecord } from "../store/records/gateways.ts";
import type { Located } from "./locate-gateway.ts";

/** Makes of a link the one that leads through the proxy; undefined where it may remain as it is. */
export type RewriteLink = (link: string) => string | undefined;

const mostKeys = 100;

/** Rewrites the links of what a gateway's target answered. */
export function proxiedLinks(located: Located, scope: Scope): RewriteLink {
  const page = new URL(located.key.url);
  return (link) => {
    const target = absolute(link, page);
    const key = target && keyFor(target, located, scope);
    if (target === undefined || key === undefined) return undefined;
    const below = target.rest.slice(basePath(new URL(key.url)).length);
    return located.addressOf(key.key) + (below === "" ? "/" : below);
  };
}

interface AbsoluteLink {
  readonly url: URL;
  /** Path, query and fragment as they were written. */
  readonly rest: string;
}

/** A link with a host or a path from the root; those relative to their page stay right behind the proxy. */
function absolute(link: string, page: URL): AbsoluteLink | undefined {
  const trimmed = link.trim();
  const whole = trimmed.startsWith("//")
    ? `${page.protocol}${trimmed}`
    : trimmed.startsWith("/")
      ? `${page.origin}${trimmed}`
      : trimmed;
  const [, authority, rest = ""] = /^https?:\/\/([^/?#]+)(.*)$/is.exec(whole) ?? [];
  if (authority === undefined || authority.includes("@") || !URL.canParse(whole)) return undefined;
  return { url: new URL(whole), rest: rest.startsWith("/") ? rest : `/${rest}` };
}

/**
 * The key of the base url that a link is below: the longest one. API 1, Gateway key: a new base url makes a new key.
 * DECISION (API 1, Gateway key: what a new base URL is): scheme, host and port; after 100 keys no gateway makes more, and links remain as they are.
 */
function keyFor({ url, rest }: AbsoluteLink, { gatewayId }: Located, scope: Scope): GatewayKeyRecord | undefined {
  const gateway = scope.store.get("gateway", gatewayId);
  if (gateway === undefined) return undefined;
  const known = gateway.keys
    .filter((key) => isBelow({ url, rest }, new URL(key.url)))
    .sort((left, right) => right.url.length - left.url.length);
  return known[0] ?? (gateway.keys.length < mostKeys ? addKey(gateway, url.origin, scope) : undefined);
}

function isBelow({ url, rest }: AbsoluteLink, base: URL): boolean {
  const path = basePath(base);
  return url.origin === base.origin && rest.startsWith(path) && /^(?:$|[/?#])/.test(rest.slice(path.length));
}

function addKey(gateway: GatewayRecord, url: string, scope: Scope): GatewayKeyRecord {
  const key = mintKey(url, false, scope);
  scope.store.update("gateway", gateway.id, { keys: [...gateway.keys, key] });
  return key;
}
