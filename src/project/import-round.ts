import type { Diagnostic } from "../model/diagnostic.ts";
import type { Tree } from "../model/tree.ts";
import type { State } from "../state/state.ts";
import type { StateSession, StoredState } from "../state/store.ts";
import { commandWords } from "./command-place.ts";
import type { Layout } from "./import-layout.ts";
import type { ImportOutcome, ImportWork } from "./import-outcome.ts";

/** An import with everything read. */
export interface ImportAttempt extends ImportWork {
  readonly session: StateSession;
  readonly stored: StoredState;
  /** The state with creates in doubt matched. */
  readonly state: State;
  readonly bound: ReadonlyMap<string, string>;
  readonly wanted: ReadonlySet<string>;
  readonly live: Tree;
}

/** What earlier rounds found out: what cannot be written is left out, and the rest is tried again. */
export interface Learned {
  readonly dropped: ReadonlyMap<string, ReadonlySet<string>>;
  readonly problems: readonly Diagnostic[];
  /** Live handles that stay outside. */
  readonly excluded: ReadonlySet<string>;
  /** Scripts and data files of what is to be added by hand. */
  readonly beside: Layout["files"];
}

/** How a round ended, or with what the next one begins. */
export type Round =
  | { readonly is: "done"; readonly outcome: ImportOutcome }
  | { readonly is: "again"; readonly learned: Learned };

/** The import ends with this. */
export function done(outcome: Pick<ImportOutcome, "status" | "diagnostics"> & Partial<ImportOutcome>): Round {
  return { is: "done", outcome: { files: [], objects: [], environment: [], requests: 0, ...outcome } };
}

/** The import goes on without these objects. */
export function again(
  learned: Learned,
  more: { readonly problems: readonly Diagnostic[]; readonly handles: readonly string[] },
): Round {
  const excluded = new Set([...learned.excluded, ...more.handles]);
  return { is: "again", learned: { ...learned, excluded, problems: [...learned.problems, ...more.problems] } };
}

/** Where the commands that a message proposes have to act. */
export function placeOf({ base, world }: ImportAttempt): string {
  return commandWords({ root: base.root }, world);
}
