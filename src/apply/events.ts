import type { Diagnostic } from "../model/diagnostic.ts";
import type { Action } from "../plan/plan.ts";

/** An event of an apply at work, by `type`; `elapsedMs` is in milliseconds. */
export type ApplyEvent =
  | { readonly type: "apply_start"; readonly address: string; readonly action: Action }
  | {
      readonly type: "apply_complete";
      readonly address: string;
      readonly action: Action;
      readonly id?: number;
      readonly elapsedMs: number;
    }
  | {
      readonly type: "apply_errored";
      readonly address: string;
      readonly action: Action;
      readonly diagnostic: Diagnostic;
    }
  | { readonly type: "not_attempted"; readonly address: string; readonly action: Action; readonly because: string }
  | { readonly type: "paused" | "resumed"; readonly address: string }
  | { readonly type: "diagnostic"; readonly diagnostic: Diagnostic; readonly address?: string };

/** Counts of objects, at the end. */
export interface ApplyCounts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly failed: number;
  readonly not_attempted: number;
}
