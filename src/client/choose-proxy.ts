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
  const { value: url, variable } = found;
  return { url, variable, shown: URL.canParse(url) ? new URL(url).host : "(not shown: it is not an address)" };
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
    const [, host = "", at] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (host === "") return false;
    const isHost = host === "*" || hostname === host || hostname.endsWith(`.${host}`);
    return isHost && (at === undefined || ports.includes(at));
  });
}
