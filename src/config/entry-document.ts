import type { RunApp } from "../bridge/program/run-app.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { DocumentInput, LoadedDocuments } from "./load-documents.ts";
import type { SourceDocument } from "./merge-documents.ts";
import type { ModuleDocument } from "./modules/expand-uses.ts";

/** Imports the TypeScript entry at an absolute path and gives its module; jiti by default. */
export type LoadModule = (path: string) => Promise<unknown>;

export type EntryLanguage = "yaml" | "typescript" | "terraform";

/** A project's declarations, whatever they are written in. */
export interface EntryDocument extends Omit<LoadedDocuments, "sources"> {
  /** The declarations of its modules in the chosen environment. */
  readonly modules?: ModuleDocument;
  readonly language: EntryLanguage;
  readonly document: JsonObject;
  readonly sources: readonly (Pick<SourceDocument, "locate"> & Partial<SourceDocument>)[];
  /** Values of variables and of the environment that replace those from outside. */
  readonly given?: Given;
  /** Contents of files that exist only for the document. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  /** Where the object at an address was made, in the words of the language it was written in. */
  readonly madeAt?: (address: string) => string | undefined;
}

interface Given {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--var name=value`. */
  readonly vars: Readonly<Record<string, string>>;
}

export interface EntryInput extends DocumentInput, Partial<Given> {
  readonly kinds: readonly AnyKind[];
  /** As {@link askedEnvironment} says; a program knows it as `app.environment`. */
  readonly environment?: string;
  readonly loadModule?: LoadModule;
  /** Runs the program of cdktf.json; a shell by default. */
  readonly runApp?: RunApp;
}

/** The outcome when there is no entry to read. */
export function emptyEntry(diagnostic: Diagnostic, language: EntryLanguage = "yaml"): EntryDocument {
  const nothing = { document: {}, sources: [], texts: [], complete: false, parsed: undefined };
  return { ...nothing, language, diagnostics: [diagnostic] };
}
