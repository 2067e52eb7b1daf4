const environmentReference = /\$\{env:([^}"\\]*)\}/g;

/** Every value that documents take from `${env:…}`: sensitive wherever it stands. */
export function secretValues(
  documents: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const names = new Set(documents.flatMap((json) => [...json.matchAll(environmentReference)].map(([, name]) => name)));
  return [...names].flatMap((name) => env[name ?? ""] ?? []);
}
