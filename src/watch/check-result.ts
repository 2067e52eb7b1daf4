import type { Diagnostic } from "../model/diagnostic.ts";
import type { Action } from "../plan/plan.ts";

/** One object that is not as the project declares it. */
export interface Finding {
  readonly address: string;
  readonly action: Action;
  /**
   * `git`: it is created (but not because it was deleted outside), deleted, moved, or a field has the cause `change` or `both`.
   * `drift`: it was deleted outside, or every field that differs was changed outside alone.
   */
  readonly origin: "git" | "drift";
  /** Fields that were changed outside. */
  readonly driftedFields: number;
  /** A delete, or a replacement: only with `prune`. */
  readonly ends: boolean;
  /** A run of its configuration is under way, or a schedule starts one within five minutes: it is not written now. */
  readonly busy?: "running" | "starting";
}

/** A project beside its service, as one check read both. */
export interface Found {
  /** Digest of the project's documents and variables; a try that failed is not repeated for the same one of a folder. */
  readonly documents: string;
  /** Digest of the difference between declared and live. */
  readonly difference: string;
  /** Objects declared. */
  readonly objects: number;
  /** In the order of the tree; empty when declared and live are equal. */
  readonly findings: readonly Finding[];
  /**
   * Objects that are as declared while the state is not: it lacks what an apply stores without a request, such as `protect`. Where an apply
   * was cut short, one of the objects: whatever is healed completes it.
   */
  readonly unrecorded: readonly string[];
  /** Guards and limits that hold: nothing is healed. Without `prune` those of deletes are not asked. */
  readonly blocked: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** The plan as `loadform plan` prints it, without colour and secrets; at most 200 kB. */
  readonly plan: string;
}

/** How the healing of a check ended. */
export interface HealEnd {
  readonly status: "healed" | "partial" | "locked" | "failed" | "blocked" | "interrupted";
  /** Addresses that were written. */
  readonly written: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A check from its beginning to its end. */
export type CheckEnd =
  /** With `heal` where something was healed, and it could not be compared once more. */
  | { readonly is: "failed"; readonly diagnostics: readonly Diagnostic[]; readonly heal?: HealEnd }
  /** A guard before any request: another service than the project's target. */
  | { readonly is: "refused"; readonly diagnostics: readonly Diagnostic[] }
  /** `found` is how it is at the end: after the healing, where something was healed. */
  | { readonly is: "checked"; readonly found: Found; readonly heal?: HealEnd };

/** A check that ended; `requests` counts every try of what it sent, and is absent where nobody can say. */
export type CheckResult = CheckEnd & { readonly requests?: number };

/** The first error in a line, and how many more there are. */
export function errorLine(diagnostics: readonly Diagnostic[]): { readonly reason?: string } {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [first, ...others] = errors.length > 0 ? errors : diagnostics;
  if (first === undefined) return {};
  return { reason: others.length === 0 ? first.summary : `${first.summary}, and ${others.length} more` };
}
