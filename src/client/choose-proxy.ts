import { problem } from "../model/diagnostic.ts";

/** The proxy that the environment names for a service. */
export interface ProxyChoice {
  readonly url: string;
  /** Without credentials, for messages. */
  readonly shown: string;
  /** The variable that names it, as it is spelled. */
  readonly variable: string;
}

/** The variables that name proxies, among others. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for requests to an origin; undefined where none is named, or $NO_PROXY exempts the host. */
export function chooseProxy(origin: string, env: Environment): ProxyChoice | undefined {
  const found = lookUp(env, origin.startsWith("https:") ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (found === undefined || isExempt(new URL(origin), lookUp(env, "NO_PROXY")?.value ?? "")) return undefined;
  const { value, variable } = found;
  const url = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(url) && /^https?:/i.test(url)) return { url, variable, shown: new URL(url).host };
  const detail = `$${variable} (not shown) is not the address of an HTTP proxy: write http://host:port, or unset it`;
  throw problem("LF2001", "the proxy cannot be used", detail);
}

/** The lower-case spelling counts first, as in other tools; empty means unset. */
function lookUp(env: Environment, name: string): { readonly value: string; readonly variable: string } | undefined {
  const variable = [name.toLowerCase(), name].find((each) => (env[each] ?? "") !== "");
  return variable === undefined ? undefined : { value: env[variable] ?? "", variable };
}

/** A list of hosts with all below them, each with or without a port; `*` is all. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const ports = [port, port === "" ? (protocol === "https:" ? "443" : "80") : port];
  return list.split(/[\s,]+/).some((entry) => {
    // An address of IPv6 may be without its brackets.
    const written = /^[\da-f]*(?::[\da-f]*){2,}$/i.test(entry) ? `[${entry}]` : entry;
    const [, host = "", at] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(written.toLowerCase()) ?? [];
    if (host === "") return false;
    const isHost = host === "*" || hostname === host || hostname.endsWith(`.${host}`);
    return isHost && (at === undefined || ports.includes(at));
  });
}
