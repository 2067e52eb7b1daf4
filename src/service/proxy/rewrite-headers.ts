import { forwardedHeaders, type HttpHeaders } from "../recordings/http-headers.ts";
import { basePath, type TargetAddress } from "../recordings/target-address.ts";
import type { GatewayKeys, Located } from "./locate-gateway.ts";
import type { RewriteLink } from "./proxied-links.ts";

/** Headers of a request as the target sees it: of its own host, over a connection of its own. */
export function requestHeaders(
  headers: HttpHeaders,
  {
    address,
    located,
    keys,
  }: { readonly address: TargetAddress; readonly located: Located; readonly keys: GatewayKeys },
): HttpHeaders {
  const isChunked = headers.some(([name]) => name.toLowerCase() === "transfer-encoding");
  const passed = forwardedHeaders(headers).filter(([name]) => !["host", "expect"].includes(name.toLowerCase()));
  const origin = new URL(located.key.url).origin;
  const rewritten = passed.map(([name, value]): readonly [string, string] => {
    const lower = name.toLowerCase();
    if (lower === "referer") return [name, targetReferer(value, keys)];
    return lower === "origin" && isOwnOrigin(value, headers) ? [name, origin] : [name, value];
  });
  const framing: HttpHeaders = isChunked ? [["Transfer-Encoding", "chunked"]] : [];
  return [["Host", address.host], ...rewritten, ...framing, ["Connection", "close"]];
}

/** A page of the proxy as the target knows it. */
function targetReferer(referer: string, keys: GatewayKeys): string {
  const [, host, path = "/"] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(referer) ?? [];
  const located = keys.byPath(path) ?? keys.byHost(host, path);
  if (located === undefined) return referer;
  const base = new URL(located.key.url);
  return `${base.origin}${basePath(base)}${located.path}`;
}

function isOwnOrigin(origin: string, headers: HttpHeaders): boolean {
  const host = headers.find(([name]) => name.toLowerCase() === "host")?.[1];
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/** Headers of an answer as the client sees it: its links and cookies lead through the proxy. */
export function answerHeaders(headers: HttpHeaders, located: Located, rewrite: RewriteLink): HttpHeaders {
  return forwardedHeaders(headers).map(([name, value]): readonly [string, string] => {
    const lower = name.toLowerCase();
    if (lower === "location" || lower === "content-location") return [name, rewrite(value) ?? value];
    return lower === "set-cookie" ? [name, ownCookie(value, located)] : [name, value];
  });
}

/** A cookie belongs to the proxy's host, and by path to its key only. */
function ownCookie(cookie: string, { addressOf, isByHost, key }: Located): string {
  const base = basePath(new URL(key.url));
  const root = isByHost ? "" : addressOf(key.key);
  return cookie
    .replace(/;\s*domain=[^;]*/gi, "")
    .replace(/(;\s*path=)(\/[^;]*)/gi, (_, start: string, path: string) => {
      const below = path.startsWith(base) ? path.slice(base.length) : "/";
      return `${start}${root}${below === "" ? "/" : below}`;
    });
}
