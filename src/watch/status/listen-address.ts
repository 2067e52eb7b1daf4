import type { Diagnostic } from "../../model/diagnostic.ts";

/** Where the status server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** Reads HOST:PORT, an IPv6 address in brackets; undefined for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, bracketed, plain, digits = ""] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host === undefined || port > 65_535 ? undefined : { host, port };
}

/** Names and addresses of this machine alone. */
export function isThisMachine(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return bare === "localhost" || bare.endsWith(".localhost") || bare === "::1" || /^127(?:\.\d{1,3}){3}$/.test(bare);
}

/** Why a watcher may not listen at an address, before it tries to. */
export function listenProblem(text: string, { hasToken }: { readonly hasToken: boolean }): Diagnostic | undefined {
  const address = parseListenAddress(text);
  if (address === undefined)
    return usage(
      "the address to listen at is not valid",
      "It must be HOST:PORT, as in 127.0.0.1:8090, 0.0.0.0:8090 or [::1]:8090",
    );
  if (hasToken || isThisMachine(address.host)) return undefined;
  return usage(
    "listening beyond loopback needs a token",
    `At ${text} others can reach the watcher. Set listen.token or $LOADFORM_WATCH_TOKEN, or listen at 127.0.0.1:${address.port}`,
  );
}

/** Why this machine refused to listen; undefined for a defect. */
export function refusedToListen({ host, port }: ListenAddress, thrown: unknown): Diagnostic | undefined {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (code === "EADDRINUSE")
    return usage(`port ${port} is taken`, `Another program listens at ${host}:${port}. Name a free port, or 0 for any`);
  if (code === "EACCES")
    return usage(
      `port ${port} cannot be used`,
      "You have no permission for this port. Name a higher one, as in 127.0.0.1:8090",
    );
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(code))
    return usage(`cannot listen at ${host}`, "This machine has no such address. Name one of its own, as in 127.0.0.1");
  return undefined;
}

function usage(summary: string, detail: string): Diagnostic {
  return { severity: "error", code: "LF9001", summary, detail };
}
