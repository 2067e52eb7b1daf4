import type { CustomValue } from "./custom-counts.ts";
import type { ReplayedRequest } from "./replay-run.ts";
import type { CountsData } from "./run-counts.ts";
import type { SimulatedIteration } from "./simulate-region.ts";
import type { Stopped } from "./simulate-run.ts";

/** DECISION (API 2, download routes: how much of a run that is really made is kept one by one): its first 10,000 requests and iterations; all are counted. */
export const mostKept = { requests: 10_000, iterations: 10_000 } as const;

/** A request that was really made. Times are milliseconds: its start from that of the run, the others from its own. */
export interface MeasuredRequest {
  readonly resource: string;
  readonly url: string;
  /** 0 is none. */
  readonly status: number;
  readonly contentType: string;
  readonly connectionId: string;
  readonly startMs: number;
  readonly openMs: number | null;
  readonly firstReceivedMs: number;
  readonly closeMs: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly success: boolean;
}

/** An iteration that was really made. */
export interface MeasuredIteration extends SimulatedIteration {
  readonly requests: readonly MeasuredRequest[];
  readonly metrics: readonly CustomValue[];
}

/** A user of a run that is really made. */
export interface MeasuredUser {
  readonly startMs: number;
  /** Null while it runs. */
  readonly finishMs: number | null;
  readonly iterations: number;
}

/** What was measured in a run that finished, as plain data. */
export interface MeasuredData {
  readonly regions: readonly {
    readonly id: number;
    /** By their number; null where one never started. */
    readonly users: readonly (MeasuredUser | null)[];
    /** By their number; null where nothing happened. */
    readonly intervals: readonly (CountsData | null)[];
  }[];
  readonly iterations: readonly SimulatedIteration[];
  readonly requests: readonly ReplayedRequest[];
  readonly stopped: Stopped | null;
  readonly finishedMs: number;
}
