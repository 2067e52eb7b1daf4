import { Problem, problem } from "../model/diagnostic.ts";
import type { Field } from "../model/field.ts";
import { isObject, type Json, type JsonObject, sameJson, valueAt } from "../model/json.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { expandField, type Scope } from "./expand.ts";
import { readFiles } from "./read-files.ts";
import { type Variables, withoutVariables } from "./variables.ts";

const environmentReference = /\$\{env:([^}"\\]*)\}/g;

/** Every value that documents take from `${env:…}`: sensitive in whatever place. */
export function secretValues(
  documents: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const names = new Set(documents.flatMap((json) => [...json.matchAll(environmentReference)].map(([, name]) => name)));
  return [...names].flatMap((name = "") => (Object.hasOwn(env, name) ? (env[name] ?? []) : []));
}

/**
 * An unexpanded input with every `${env:…}` and `${file:…}` replaced; all missing ones are reported at once. A whole value
 * gets the type of its `field`.
 */
export async function expandSecrets(
  source: Json,
  { workspace, env, field }: Pick<Scope, "env"> & { readonly workspace: Workspace; readonly field?: Field },
): Promise<Json> {
  const files = await readFiles(workspace, [JSON.stringify(source)]);
  const scope = { env, files, variable: () => undefined, variableNames: [], unsetEnv: "error" as const };
  const missing: Problem[] = [];
  const { value } = expandField(field, source, {
    scope,
    report: ({ code, summary, detail }) => void missing.push(problem(code, summary, detail)),
    path: [],
  });
  if (missing.length > 0) throw new Problem(missing.flatMap(({ diagnostics }) => diagnostics));
  return value;
}

/**
 * Where a field's secret values are in its normal form: dotted paths into objects. A value inside a list, under a
 * key with a dot in it, as a key, or not found again marks the next object above, at last the whole field.
 */
export function sensitivePaths(name: string, normal: Json | undefined, secrets: readonly Json[]): readonly string[] {
  if (secrets.length === 0) return [];
  const found = new Set<string>();
  const missing = secrets.filter((secret) => !collect(normal, [name], secret, found));
  if (missing.length > 0 || found.has(name)) return [name];
  return [...found];
}

function collect(value: Json | undefined, path: readonly string[], secret: Json, found: Set<string>): boolean {
  if (value === undefined) return false;
  if (isSame(value, secret)) {
    found.add(path.join("."));
    return true;
  }
  // No path leads into such a part, so it marks what is around it.
  const holds = (part: Json) => collect(part, path, secret, new Set()) && found.add(path.join(".")).size > 0;
  if (Array.isArray(value)) return value.some(holds);
  if (!isObject(value)) return false;
  // Its place must not be told: the state has the paths of secrets.
  if (Object.hasOwn(value, String(secret).trim())) found.add(path.join("."));
  const hits = Object.entries(value).filter(([key, member]) =>
    key.includes(".") ? holds(member) : collect(member, [...path, key], secret, found),
  );
  return hits.length > 0;
}

/** Normal forms trim and spell: `20` for "20", "abc" for " abc ". */
function isSame(value: Json, secret: Json): boolean {
  if (sameJson(value, secret)) return true;
  if (isObject(value) || Array.isArray(value) || value === null) return false;
  return typeof secret !== "object" && String(value).trim() === String(secret).trim();
}

/**
 * The unexpanded input of the fields with secrets, to expand again when a saved plan is applied. Variables are replaced
 * by the text they were made of: the project's files are not read then.
 */
export function secretSources(input: JsonObject, sensitive: readonly string[], variables: Variables): JsonObject {
  const names = new Set(sensitive.map((path) => path.split(".", 1)[0] ?? path));
  const sources = [...names].flatMap((name): [string, Json][] => {
    const value = input[name];
    return value === undefined ? [] : [[name, withoutVariables(value, variables)]];
  });
  return Object.fromEntries(sources);
}

/** Of the paths, those that lead to a value: an encrypted parameter without a default has none to hide. */
export function presentPaths(fields: JsonObject, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    const value = valueAt(fields, path.split("."));
    return value !== undefined && value !== null;
  });
}
