import type { Diagnostic } from "../model/diagnostic.ts";
import type { Finding } from "./check-result.ts";

/** The first that holds is the state of a project. */
export const projectStates = ["suspended", "failed", "locked", "blocked", "out-of-sync", "drifted", "in-sync"] as const;

export type ProjectState = (typeof projectStates)[number];

/** One check of the past, as the status page lists it. */
export interface PastCheck {
  /** When it ended, ISO 8601. */
  readonly at: string;
  readonly ms: number;
  readonly state: ProjectState;
  readonly reason?: string;
  readonly commit: string | null;
  /** Addresses that it healed. */
  readonly healed: readonly string[];
}

/** Healings of an address that keeps drifting back. */
export interface Fight {
  /** Epoch milliseconds of its healings within the last hour. */
  readonly healedAt: readonly number[];
  /** Since when it is left alone; absent while it is still healed. */
  readonly leftAloneSince?: number;
  /** When it was last seen drifted. */
  readonly lastDriftAt: number;
}

/** All that a watcher knows about a project between two checks: plain JSON, kept in `.loadform/watch.json` or in the queue's database. */
export interface ProjectMemory {
  /** Absent until the first check has ended. */
  readonly state?: ProjectState;
  /** Why, in a line: `prune`, the summary of an error, the lock holder. */
  readonly reason?: string;
  /** When the state began, epoch milliseconds. */
  readonly since?: number;
  /** The last commit after which git had nothing left to do, and the last that was seen. */
  readonly commit: { readonly applied?: string; readonly wanted?: string };
  readonly lastCheckAt?: number;
  readonly lastSuccessAt?: number;
  readonly nextCheckAt?: number;
  /** Errors in a row, for the back-off. */
  readonly failures: number;
  /** A check is under way; `isAskedAgain`: another one is wanted at its end. */
  readonly checking?: { readonly since: number; readonly isAskedAgain: boolean; readonly retry: boolean };
  /** Suspended by hand: until a moment, or until it is resumed (null). */
  readonly suspendedUntil?: number | null;
  /** The try that failed: it is not repeated for the same commit (or documents) and difference. */
  readonly failedTry?: { readonly version: string; readonly difference: string };
  /** By address. */
  readonly fights: Readonly<Record<string, Fight>>;
  /** Newest first, at most 100. */
  readonly history: readonly PastCheck[];
  /** The problems of the last check. */
  readonly problems: readonly Diagnostic[];
  /** Objects that were not as declared at the end of the last check that compared; absent for none. */
  readonly findings?: readonly Finding[];
  /** The last plan as text; "" when nothing differed. */
  readonly plan: string;
  /** Numbers of the last check that compared. */
  readonly objects: number;
  readonly driftedFields: number;
  /** Since the memory began. */
  readonly heals: number;
  readonly foughtOver: number;
  readonly requests: number;
}
