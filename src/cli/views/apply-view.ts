import type { ApplyEvent } from "../../apply/events.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ApplyOutcome, PlanOutcome } from "../../project.ts";
import type { CommandInput } from "../command.ts";
import { applyJsonView } from "./apply-json-view.ts";
import { applyTextView } from "./apply-text-view.ts";

/** How an apply is shown: for people, or as one JSON object per line. */
export interface ApplyView {
  /** The plan, before anything is done or asked. */
  readonly plan: (outcome: PlanOutcome) => void;
  readonly event: (event: ApplyEvent) => void;
  /** How it ended; `diagnostics` are all problems, without secrets. */
  readonly end: (outcome: ApplyOutcome, diagnostics: readonly Diagnostic[]) => void;
}

/** The view that the flags ask for; `root` is the project's folder. */
export function applyView(input: CommandInput, root: string): ApplyView {
  return input.flags.json ? applyJsonView(input) : applyTextView(input, root);
}
