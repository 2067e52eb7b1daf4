import type { Diagnostic } from "../model/diagnostic.ts";
import type { Hash } from "../model/fingerprint.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { SourceDocument } from "./merge-documents.ts";
import type { ParseCache } from "./parse-cache.ts";

/** Imports the TypeScript entry at an absolute path and gives its module. */
export type LoadModule = (path: string) => Promise<unknown>;

/** What a project declares, whatever it is written in. */
export interface EntryDocument {
  readonly kind: "yaml" | "typescript";
  readonly document: JsonObject;
  readonly sources: readonly Pick<SourceDocument, "locate">[];
  /** JSON texts in which files are named. */
  readonly texts: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** False when something is missing, so that nothing may be concluded from the rest. */
  readonly complete: boolean;
  /** What the parse cache should hold from now on. */
  readonly parsed: ReadonlyMap<string, string> | undefined;
}

/** Where to look for an entry. */
export interface EntryInput {
  readonly workspace: Workspace;
  readonly kinds: readonly AnyKind[];
  readonly hash: Hash;
  readonly cache?: ParseCache;
  readonly loadModule?: LoadModule;
}

/** The outcome when there is no entry to read. */
export function nothing(diagnostic: Diagnostic, kind: EntryDocument["kind"] = "yaml"): EntryDocument {
  return {
    kind,
    document: {},
    sources: [],
    texts: [],
    diagnostics: [diagnostic],
    complete: false,
    parsed: undefined,
  };
}
