import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import type { StateStore } from "../state/store.ts";
import type { OpenProject } from "./load-folder.ts";
import { problem } from "./problem.ts";
import type { World } from "./world.ts";

/** One `state` command; `input` is what `push` reads, `lockTimeoutSecs` how long a held lock is waited for (default 0). */
export interface StateCommand {
  readonly verb: "list" | "show" | "mv" | "rm" | "pull" | "push" | "unlock" | "retarget";
  readonly args: readonly string[];
  readonly input?: string;
  readonly lockTimeoutSecs?: number;
}

/** What a `state` command has to say. */
export interface StateOutcome {
  readonly status: "done" | "locked" | "failed";
  readonly output: Json;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a `state` command works with. */
export interface StateWork {
  readonly project: OpenProject;
  readonly store: StateStore;
  readonly world: World;
  readonly command: StateCommand;
}

/** A command that did what it was asked. */
export const done = (text: string, output: Json): StateOutcome => ({ status: "done", output, text, diagnostics: [] });

/** A command that has nothing to look into. */
export function noStateYet({ where }: StateStore) {
  const detail = `found nothing at ${where}; expected a state. It comes with the first apply`;
  return problem("LF5005", "there is no state yet", detail);
}
