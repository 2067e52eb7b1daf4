import type { EnvironmentValue } from "../import/import-tree.ts";
import type { Wanted } from "../import/select-nodes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { StateStore } from "../state/store.ts";
import type { Connection } from "./connect.ts";
import type { ImportBase, ImportLoading } from "./import-base.ts";
import type { World } from "./world.ts";

/** What was asked of an import. */
export interface ImportFlags {
  readonly dir: string;
  readonly wanted: Wanted;
  readonly format: "yaml" | "ts";
  /** Default 0: a held lock is not waited for. */
  readonly lockTimeoutSecs?: number;
  /** Once it is aborted, nothing is asked for and nothing is moved into place any more. */
  readonly signal?: AbortSignal;
  /** Called once the lock is held: from then on a signal is heeded here, and what was begun is cleared away. */
  readonly takeOver?: () => void;
}

/** One object that is bound now. */
interface ImportedObject {
  readonly address: string;
  readonly kind: string;
  readonly id: number;
}

/** How an import ended. */
export interface ImportOutcome {
  readonly status: "imported" | "nothing" | "failed" | "blocked" | "locked" | "interrupted";
  /** Paths of the files that were written. */
  readonly files: readonly string[];
  readonly objects: readonly ImportedObject[];
  /** What has to be set before the next plan. */
  readonly environment: readonly EnvironmentValue[];
  /** Requests that were made. */
  readonly requests: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** An import that wrote nothing. */
export function noImport(status: ImportOutcome["status"], diagnostics: readonly Diagnostic[]): ImportOutcome {
  return { status, files: [], objects: [], environment: [], requests: 0, diagnostics };
}

/** Everything an import works with. */
export interface ImportWork {
  readonly flags: ImportFlags;
  readonly world: World;
  readonly base: ImportBase;
  readonly connection: Connection;
  readonly store: StateStore;
  readonly loading: ImportLoading;
}
