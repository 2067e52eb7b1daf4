import type { NextRuns } from "../next-runs.ts";
import type { Settings } from "../settings.ts";
import type { UserRecord } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { View } from "../views/stamp.ts";
import type { Findings } from "./refusal.ts";

/** What one request may use. */
export interface Scope {
  readonly store: Store;
  readonly settings: Settings;
  /** The service's time in epoch milliseconds. */
  readonly now: number;
  /** Who calls; undefined on open links. */
  readonly user: UserRecord | undefined;
  /** Session id that data-store links carry. */
  readonly session: string;
  /** Salted digest of a value that must not be kept. */
  readonly digest: (value: string) => string;
  /** When schedules run next. */
  readonly runs: NextRuns;
  /** Parts that an answer repeats, made once per request and frozen. */
  readonly parts: Map<string, View>;
  /** Invalid fields found so far; checked before anything is written. */
  readonly findings: Findings;
  /** Fields and parameters that nothing read. */
  readonly unknown: string[];
}
