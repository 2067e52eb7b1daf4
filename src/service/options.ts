import type { ClockOption } from "./clock.ts";
import type { Settings } from "./settings.ts";
import type { Snapshot } from "./store/snapshot.ts";

/** How a bundled service is made. */
export interface ServiceOptions {
  /** Real time by default; `frozen` stands still until `advance`. */
  readonly clock?: ClockOption;
  /** The key of its user; `local` by default. */
  readonly apiKey?: string;
  /** What keys and digests are derived from: the same seed and the same calls make the same bytes. */
  readonly seed?: string | number;
  /** File that keeps the state (`memory:FILE`, `serve --data`); without it everything ends with the service. */
  readonly data?: string;
  /** State to begin with, and to come back to on reset. */
  readonly state?: Snapshot | string;
  readonly settings?: Partial<Settings> & Readonly<Record<string, unknown>>;
  /** Fields and parameters that nothing reads are 400 instead of being recorded. */
  readonly strict?: boolean;
}
