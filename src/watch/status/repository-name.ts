/** `git@host:owner/name`, as git reads it: no slash before the colon. */
const scpForm = /^(?:[^@/\s]+@)?(\[[^\]/]+\]|[^:/@\s[\]]+):(?!\/\/)(.+)$/;
const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443", "ssh:": "22", "git:": "9418" };

/**
 * A repository by its address, the same for its clone, ssh and html address: without scheme, user and `.git`, the host in lower case.
 * Undefined for what is no address.
 */
export function repositoryName(address: string): string | undefined {
  const { host, path } = partsOfAddress(address.trim()) ?? { host: "", path: "" };
  const bare = path
    .replace(/^\/+|\/+$/g, "")
    .replace(/\.git$/, "")
    .replace(/\/+$/, "");
  return bare === "" ? undefined : `${host.toLowerCase()}/${bare}`;
}

/** An address without the user and password in it; an ssh user remains, as it is no secret. */
export function withoutUserInfo(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, (login, scheme: string) => {
    const isUserAlone = /^ssh:/i.test(scheme) && !login.slice(scheme.length).includes(":");
    return isUserAlone ? login : scheme;
  });
}

function partsOfAddress(address: string): { readonly host: string; readonly path: string } | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return partsOfUrl(address);
  const [, host = "", path = ""] = scpForm.exec(address) ?? [];
  if (host !== "") return { host, path };
  return address.startsWith("/") ? { host: "", path: address } : undefined;
}

function partsOfUrl(address: string): { readonly host: string; readonly path: string } | undefined {
  try {
    const { protocol, hostname, port, pathname } = new URL(address);
    const isUsual = port === "" || port === defaultPorts[protocol];
    return { host: isUsual ? hostname : `${hostname}:${port}`, path: decodeURIComponent(pathname) };
  } catch {
    return undefined;
  }
}
