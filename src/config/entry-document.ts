import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { DocumentInput, LoadedDocuments } from "./load-documents.ts";
import type { SourceDocument } from "./merge-documents.ts";

/** The main file of a YAML project. */
export const mainFile = "loadform.yaml";

/** The entry of a project in TypeScript. */
export const programFile = "loadform.config.ts";

/** Imports the TypeScript entry at an absolute path and gives its module; jiti by default. */
export type LoadModule = (path: string) => Promise<unknown>;

/** What a project declares, whatever it is written in. */
export interface EntryDocument extends Omit<LoadedDocuments, "sources"> {
  readonly kind: "yaml" | "typescript";
  readonly document: JsonObject;
  readonly sources: readonly Pick<SourceDocument, "locate">[];
}

/** Where to look for an entry. */
export interface EntryInput extends DocumentInput {
  readonly kinds: readonly AnyKind[];
  readonly loadModule?: LoadModule;
}

/** The outcome when there is no entry to read. */
export function emptyEntry(diagnostic: Diagnostic, kind: EntryDocument["kind"] = "yaml"): EntryDocument {
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
