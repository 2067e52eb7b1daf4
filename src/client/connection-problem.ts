import type { ProxyChoice } from "./choose-proxy.ts";

/** Why no connection was made, for people. */
export interface ConnectionProblem {
  readonly message: string;
  /** Advice beyond a look at the address and the network. */
  readonly advice?: string;
  /**
   * `never` where only another setting helps; `once-reached` where a service that has answered before may be
   * restarting, and one that never did does not exist.
   */
  readonly retry: "always" | "once-reached" | "never";
}

/** Explains an error of the network while a connection to `origin` was made. */
export function connectionProblem(
  error: Error,
  { origin, proxy }: { readonly origin: string; readonly proxy: ProxyChoice | undefined },
): ConnectionProblem {
  const code = errorCode(error);
  const isPlain = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(code);
  if (isPlain || /wrong version number/i.test(error.message)) return wrongScheme(origin);
  const certificate = certificateProblem(code, error);
  if (certificate) return certificate;
  const [words, retry] = refusals[code] ?? [error.message || code, "always"];
  if (proxy === undefined) return { message: words.replace("{place}", new URL(origin).host), retry };
  const way = `the proxy ${proxy.shown} of $${proxy.variable}`;
  const message = words.includes("{place}") ? words.replace("{place}", way) : `${words}, through ${way}`;
  return { message, retry, advice: `Check $${proxy.variable}; list hosts to reach directly in $NO_PROXY` };
}

const refusals: Readonly<Record<string, readonly [words: string, retry: ConnectionProblem["retry"]]>> = {
  ECONNREFUSED: ["nothing listens at {place} (connection refused)", "once-reached"],
  ENOTFOUND: ["no host has the name in {place}", "once-reached"],
};

/** Several addresses of one name are tried; the first one's error mostly holds for all of them. */
function errorCode(error: Error): string {
  const [first]: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const code: unknown = Reflect.get(error, "code") ?? (first instanceof Error ? Reflect.get(first, "code") : undefined);
  return typeof code === "string" ? code : "";
}

function wrongScheme(origin: string): ConnectionProblem {
  const { host } = new URL(origin);
  return {
    message: `${host} does not speak https`,
    advice: `It speaks http: use http://${host}, or the port on which it speaks https`,
    retry: "never",
  };
}

const privateAuthority =
  "If the certificate comes from a private authority, set $NODE_EXTRA_CA_CERTS to a PEM file with the authority's certificate";

const certificates: Readonly<Record<string, readonly [words: string, advice: string]>> = {
  CERT_HAS_EXPIRED: ["its certificate has expired", "Renew the certificate of the service"],
  CERT_NOT_YET_VALID: ["its certificate is not valid yet", "Check the clock of this machine"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["its certificate is self-signed", privateAuthority],
  SELF_SIGNED_CERT_IN_CHAIN: ["its certificate is signed by an unknown authority", privateAuthority],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["its certificate is signed by an unknown authority", privateAuthority],
  UNABLE_TO_GET_ISSUER_CERT: ["its certificate is signed by an unknown authority", privateAuthority],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["its certificate is signed by an unknown authority", privateAuthority],
};

function certificateProblem(code: string, { message }: Error): ConnectionProblem | undefined {
  const [words, advice] = certificates[code] ?? [];
  if (words !== undefined && advice !== undefined) return { message: words, advice, retry: "never" };
  if (code !== "ERR_TLS_CERT_ALTNAME_INVALID") return undefined;
  const found = message.replace(/^.*altnames: /i, "");
  return {
    message: `its certificate is for another host (${found})`,
    advice: "Check the host of the service's address",
    retry: "never",
  };
}
