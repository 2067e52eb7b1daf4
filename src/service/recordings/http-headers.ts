import type { Settings } from "../settings.ts";

/** Headers as they travel: names as they were written, repeated ones repeated. */
export type HttpHeaders = readonly (readonly [string, string])[];

/** Headers of one connection only, which a proxy does not forward (RFC 9110, 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
]);

/** Names and values in turn, as Node lists them, in pairs. */
export function headersOf(raw: readonly string[]): HttpHeaders {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as const] : []));
}

/** Names and values in turn, as Node takes them. */
export function rawHeaders(headers: HttpHeaders): string[] {
  return headers.flat();
}

/** The first value of a header. */
export function headerOf(headers: HttpHeaders, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

/** The headers that pass on to the next hop: those that `connection` names do not. */
export function forwardedHeaders(headers: HttpHeaders): HttpHeaders {
  const named = headers.flatMap(([name, value]) => (name.toLowerCase() === "connection" ? value.split(",") : []));
  const dropped = new Set([...hopByHop, ...named.map((each) => each.trim().toLowerCase())]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** Headers as text: lines that end in CRLF (API 1, Traffic packet: httpHeaders). */
export function headerText(headers: HttpHeaders): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join("\r\n");
}

/** Headers of a text. */
export function parseHeaders(text: string): HttpHeaders {
  return text.split("\r\n").flatMap((line) => {
    const at = line.indexOf(":");
    return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()] as const];
  });
}

/** The text in place of a secret. */
export const mask = "***";

/** Names such as `X-Auth-Token`, `X-CSRF-Token` and `X-Api-Key`. */
const credentialNames =
  /auth|cookie|token|secret|pass(?:word|phrase)|session|credential|signature|jwt|(?:api|access|subscription)[-_]?key/i;

/** True for a header that by its name has a credential or a cookie; the service's own key is one. */
export function isSecretHeader(name: string, { authHeader }: Pick<Settings, "authHeader">): boolean {
  return credentialNames.test(name) || name.toLowerCase() === authHeader.toLowerCase();
}

/** The same headers with credentials and cookies masked. */
export function maskedHeaders(headers: HttpHeaders, settings: Pick<Settings, "authHeader">): HttpHeaders {
  return headers.map(([name, value]) => [name, isSecretHeader(name, settings) ? mask : value]);
}
