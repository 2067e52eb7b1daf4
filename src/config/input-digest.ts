import type { Hash } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { canonicalJson, isObject } from "../model/json.ts";
import type { EntryDocument } from "./entry-document.ts";
import type { FileContents } from "./read-files.ts";
import { secretValues } from "./secret-values.ts";

/** Everything that the desired tree of a project is made from. */
interface TreeInputs {
  readonly entry: Pick<EntryDocument, "kind" | "sources" | "texts">;
  readonly files: FileContents;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly environment?: string;
  readonly vars: Readonly<Record<string, string>>;
}

/** Hashes of what a desired tree is made from. */
interface InputDigest {
  /** Of everything together. */
  readonly all: string;
  /** Of what is said outside the files. */
  readonly outside: string;
  /** Of each file of the project, in their order. */
  readonly texts: readonly string[];
  /** Of what is under each path that a file names. */
  readonly contents: Readonly<Record<string, string>>;
}

/**
 * The inputs of a desired tree as hashes: while they are the same, so is the tree, and what is wrong with it. Undefined for
 * programs, which may read anything, and where values of the process's environment take part, as no hash of a secret is stored.
 */
export function inputDigest({ entry, files, env, environment, vars }: TreeInputs, hash: Hash): InputDigest | undefined {
  const takesVariables = Object.keys(env).some((name) => name.startsWith("LOADFORM_VAR_"));
  if (entry.kind !== "yaml" || takesVariables || secretValues(entry.texts, env).length > 0) return undefined;
  const outside = canonicalJson([environment ?? null, vars]);
  const texts = entry.texts.map(hash);
  const contents = [...files].map(
    ([path, { bytes, failure }]) => [path, bytes ? hash(bytes) : (failure ?? "")] as const,
  );
  const all = hash(canonicalJson([outside, texts, contents]));
  return { all, outside: hash(outside), texts, contents: Object.fromEntries(contents) };
}

/** What of a project's inputs is compared with those of its last plan. */
export interface InputHashes {
  readonly digest: InputDigest;
  /** Keys of the test cases in each file, in the files' order; null where a file declares anything else. */
  readonly testCases: readonly (readonly string[] | null)[];
}

/** The inputs of a project as hashes. */
export function inputHashes(digest: InputDigest, { entry }: Pick<TreeInputs, "entry">): InputHashes {
  return { digest, testCases: entry.sources.map(({ value }) => testCasesOf(value)) };
}

/**
 * Keys of the test cases in the files that changed, themselves or in a file that they name. Undefined where anything else may have
 * changed too, and where they are so many that it is not worth to look at them alone.
 */
export function changedTestCases(
  now: InputHashes,
  last: InputHashes,
  texts: readonly string[],
): ReadonlySet<string> | undefined {
  const isAlike = now.digest.outside === last.digest.outside && now.digest.texts.length === last.digest.texts.length;
  const places = isAlike ? changedPlaces(now.digest, last.digest, texts) : undefined;
  if (places === undefined) return undefined;
  const keys = new Set<string>();
  for (const place of places) {
    const [declared, before] = [now.testCases[place] ?? null, last.testCases[place] ?? null];
    if (declared === null || JSON.stringify(declared) !== JSON.stringify(before)) return undefined;
    for (const key of declared) keys.add(key);
  }
  const all = now.testCases.reduce((sum, declared) => sum + (declared?.length ?? 0), 0);
  return keys.size > 0 && keys.size * 4 <= all ? keys : undefined;
}

/** The document with these test cases only, and everything beside them. */
export function withPart(document: JsonObject, part: ReadonlySet<string> | undefined): JsonObject {
  const { testCases } = document;
  if (part === undefined || !isObject(testCases)) return document;
  return { ...document, testCases: Object.fromEntries(Object.entries(testCases).filter(([key]) => part.has(key))) };
}

function testCasesOf(document: JsonObject | undefined): readonly string[] | null {
  const { testCases, ...others } = document ?? {};
  return isObject(testCases as Json) && Object.keys(others).length === 0 ? Object.keys(testCases as JsonObject) : null;
}

/** Places of the files that changed; undefined when a content changed and it is not known who names it. */
function changedPlaces(now: InputDigest, last: InputDigest, texts: readonly string[]): readonly number[] | undefined {
  const places = new Set(now.texts.flatMap((hash, place) => (hash === last.texts[place] ? [] : [place])));
  for (const [path, hash] of Object.entries(now.contents)) {
    if (last.contents[path] === undefined || last.contents[path] === hash) continue;
    const named = JSON.stringify(`\${file:${path}}`).slice(1, -1);
    const naming = texts.flatMap((text, place) => (text.includes(named) ? [place] : []));
    if (naming.length === 0) return undefined;
    for (const place of naming) places.add(place);
  }
  return [...places];
}
