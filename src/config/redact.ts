/** Shorter values are not looked for: they stand in too many other words (engine.md 2.13). */
const shortest = 4;

const environmentReference = /\$\{env:([^}"\\]*)\}/g;

/** Every value that documents take from `${env:…}`: sensitive wherever it stands. */
export function secretValues(
  documents: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const names = new Set(documents.flatMap((json) => [...json.matchAll(environmentReference)].map(([, name]) => name)));
  return [...names].flatMap((name) => env[name ?? ""] ?? []).filter((value) => value.length >= shortest);
}

/** A text with every value that the documents take from `${env:…}` blotted out. */
export function redactor(
  documents: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const values = secretValues(documents, env);
  const longestFirst = [...new Set(values.flatMap((value) => [value, value.trim()]))].sort(
    (a, b) => b.length - a.length,
  );
  return (text) => longestFirst.reduce((shown, value) => shown.replaceAll(value, "(sensitive)"), text);
}
