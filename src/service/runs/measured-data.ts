import type { CustomValue } from "./custom-counts.ts";
import type { ReplayedRequest } from "./replay-run.ts";
import type { CountsData } from "./run-counts.ts";
import type { ModelRequest } from "./run-plan.ts";
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

/** Measurements of a finished run, as plain data. */
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

/** DECISION (API 2, GET /executions/:id/resources: how many a run that is really made has): 500 kinds of answers; those of further ones are counted under "other". */
const mostResources = 500;

/** The resources that a run met, in that order; one that answered in several ways is several. */
export class MeasuredResources {
  #requests: readonly ModelRequest[];
  readonly #indexes = new Map<string, number>();

  constructor(known: readonly ModelRequest[]) {
    this.#requests = known;
    for (const [index, each] of known.entries()) this.#indexes.set(keyOf(each), index);
  }

  get requests(): readonly ModelRequest[] {
    return this.#requests;
  }

  /** The number of such a request. */
  indexOf(request: MeasuredRequest): number {
    const isFull = this.#requests.length >= mostResources;
    const met = isFull && !this.#indexes.has(keyOf(request)) ? other : request;
    const known = this.#indexes.get(keyOf(met));
    if (known !== undefined) return known;
    this.#requests = [...this.#requests, modelOf(met)];
    this.#indexes.set(keyOf(met), this.#requests.length - 1);
    return this.#requests.length - 1;
  }
}

type Met = Pick<MeasuredRequest, "resource" | "url" | "status" | "contentType">;

const other: Met = { resource: "other", url: "", status: 0, contentType: "" };

function keyOf({ resource, status, contentType }: Omit<Met, "url">): string {
  return JSON.stringify([resource, status, contentType]);
}

function modelOf({ resource, url, status, contentType }: Met): ModelRequest {
  const shares = { pauseMs: 0, dnsShare: 0, openShare: 0, closeShare: 1 };
  const none = { bytesSent: 0, bytesReceived: 0, latencyMs: { p50: 0, p99: 0 }, errorRate: 0, capacity: null };
  return { resource, url: url.split(/[?#]/)[0] ?? "", status, contentType, ...shares, ...none, measured: true };
}
