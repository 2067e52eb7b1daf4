/** Variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Which variables the check of a project gets besides those that every check needs. */
export type CheckEnvironment =
  /** These alone. */
  | { readonly is: "pass"; readonly pass: Readonly<Record<string, string>> }
  /** All of the watcher but its own secrets: the project was named on its command line. */
  | { readonly is: "watchers"; readonly without: readonly string[] };

/** Programs, home and temporary folders, locale, the way to the network, and the limits that hold for all. */
const needed: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "XDG_CACHE_HOME", "LOADFORM_CACHE_DIR"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "LOADFORM_LIMITS"],
]);

/** Secrets of every watcher. */
export const watcherSecrets: readonly string[] = ["LOADFORM_WATCH_TOKEN", "LOADFORM_QUEUE"];

/** The environment of a check's process: no secret of the watcher or of another project is in it. */
export function checkVariables(env: Variables, given: CheckEnvironment): Readonly<Record<string, string>> {
  const isTaken =
    given.is === "pass"
      ? (name: string) => needed.has(name) || name.startsWith("LC_")
      : (name: string) => !watcherSecrets.includes(name) && !given.without.includes(name);
  const taken = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isTaken(name) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(taken), ...(given.is === "pass" ? given.pass : {}) };
}
