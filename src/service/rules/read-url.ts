import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";

/** Scheme of a url, `ssh:` for the scp form user@host:path; undefined when it is no url. */
export function schemeOf(url: string): string | undefined {
  if (/^[\w.-]+@[\w.-]+:[^/].*$/.test(url) || /^[\w.-]+@[\w.-]+:\/.+$/.test(url)) return "ssh:";
  try {
    return new URL(url).protocol;
  } catch {
    return undefined;
  }
}

/** A url of one of these schemes. */
export function readUrl(value: JsonValue | undefined, schemes: readonly string[], scope: Scope): string {
  const url = typeof value === "string" ? value.trim() : "";
  const scheme = schemeOf(url);
  if (scheme === undefined || !schemes.includes(scheme))
    scope.findings.add(
      "url",
      `found ${JSON.stringify(value) ?? "none"}; expected a url with ${schemes.join(" or ")}//`,
    );
  return url;
}
