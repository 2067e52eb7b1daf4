import type { Hash } from "../model/fingerprint.ts";
import { canonicalJson } from "../model/json.ts";
import type { EntryDocument } from "./entry-document.ts";
import type { FileContents } from "./read-files.ts";
import { secretValues } from "./secret-values.ts";

/** Everything that the desired tree of a project is made from. */
interface TreeInputs {
  readonly entry: Pick<EntryDocument, "kind" | "texts">;
  readonly files: FileContents;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly environment?: string;
  readonly vars: Readonly<Record<string, string>>;
}

/**
 * One hash of what a desired tree is made from: while it is the same, so is the tree, and what is wrong with it. Undefined for
 * programs, which may read anything, and where values of the process's environment take part, as no hash of a secret is stored.
 */
export function inputDigest({ entry, files, env, environment, vars }: TreeInputs, hash: Hash): string | undefined {
  const takesVariables = Object.keys(env).some((name) => name.startsWith("LOADFORM_VAR_"));
  if (entry.kind !== "yaml" || takesVariables || secretValues(entry.texts, env).length > 0) return undefined;
  const contents = [...files].map(([path, { bytes, failure }]) => [path, bytes ? hash(bytes) : (failure ?? "")]);
  return hash(canonicalJson([environment ?? null, vars, entry.texts.map(hash), contents]));
}
