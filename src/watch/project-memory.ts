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
  /** Addresses that it healed, at most 20, and how many more. */
  readonly healed: readonly string[];
  readonly moreHealed?: number;
}

/** An answer to a check that compared: what it was told to heal, and for what. */
interface HealTry {
  /** See `versionOf`. */
  readonly version: string;
  readonly difference: string;
  readonly addresses: readonly string[];
  /** Those of them that had drifted. */
  readonly drifted: readonly string[];
}

/** A try that is not repeated while version and difference are the same. */
export interface FailedTry {
  readonly version: string;
  readonly difference: string;
  /** Others may be healed still: those that were postponed. */
  readonly addresses: readonly string[];
  /** The error in a line. */
  readonly reason: string;
  /** Tried by a check that ended before its try had: they are tried once more. */
  readonly unknown: readonly string[];
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
  /** Absent while one is under way, and while it is suspended until somebody resumes it. */
  readonly nextCheckAt?: number;
  /** Errors in a row, for the back-off. */
  readonly failures: number;
  /** A check is under way; `isAskedAgain`: another one is wanted at its end. */
  readonly checking?: {
    readonly since: number;
    readonly isAskedAgain: boolean;
    readonly retry: boolean;
    /** Absent until it is told to heal something. */
    readonly tried?: HealTry;
  };
  /** Suspended by hand: until a moment, or until it is resumed (null). */
  readonly suspendedUntil?: number | null;
  /** Newest first, one for each version and difference, at most 20. */
  readonly failedTries: readonly FailedTry[];
  /** A state that is no good one, until it is told that it is over; it outlasts a suspension. */
  readonly trouble?: ProjectState;
  /** By address. */
  readonly fights: Readonly<Record<string, Fight>>;
  /** Newest first, at most 100. */
  readonly history: readonly PastCheck[];
  /** The problems of the last check, at most 50. */
  readonly problems: readonly Diagnostic[];
  /** Objects that were not as declared at the end of the last check that compared, at most 50 of each origin; absent for none. */
  readonly findings?: readonly Finding[];
  /** The last plan as text; "" when nothing differed. */
  readonly plan: string;
  /** All of them: declared and not applied, and changed or deleted outside. */
  readonly outOfSync: { readonly count: number };
  readonly drifted: { readonly count: number };
  readonly objects: number;
  readonly driftedFields: number;
  /** Since the memory began: objects healed, fights, requests of checks. */
  readonly heals: number;
  readonly foughtOver: number;
  readonly requests: number;
}
