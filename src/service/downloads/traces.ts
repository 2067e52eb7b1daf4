import { tracesOfExecution } from "../core/run-engine.ts";
import type { Scope } from "../core/scope.ts";
import { type BegunExecution, hasBegun } from "../core/simulations.ts";
import { responseCode } from "../runs/measure-run.ts";
import { type ReplayedRequest, replayRun } from "../runs/replay-run.ts";
import type { ModelRequest } from "../runs/run-plan.ts";
import { type DownloadedPart, replayedRun } from "./downloaded-run.ts";
import { RunClients } from "./run-clients.ts";

/** A request of which all packets are told. */
export interface Trace {
  readonly id: number;
  readonly replayed: ReplayedRequest;
  readonly request: ModelRequest;
  /** The response code. */
  readonly status: string;
  readonly connectionId: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
}

const mostTraces = 10_000;
/** Looking at more would take seconds. */
const mostLookedAt = 2_000_000;
const minuteMs = 60_000;

/**
 * The traces of a run, in the order in which their requests ended. DECISION (API 2, GET /executions/:id/traces; Common parameters, only_capture_failure: failed requests only): of each region
 * and request of the iteration the first of a minute that was answered with a status, as far as the first two million requests of
 * the run and 10,000 traces reach; the id is the execution's times a million plus the trace's number from 1.
 */
export function tracesOf({ row, regionId, requests }: DownloadedPart, scope: Scope): readonly Trace[] {
  if (!hasBegun(row)) return [];
  const clients = new RunClients(row);
  const start = Date.parse(row.startedAt);
  const { iteration } = scope.simulations.of(row).plan;
  const all = pickRequests(row, scope).flatMap((replayed, index): readonly Trace[] => {
    const request = iteration.requests[replayed.request];
    if (request === undefined) return [];
    return [
      {
        id: row.id * tracesOfExecution + index + 1,
        replayed,
        request: replayed.answer ? answered(request, replayed.answer) : request,
        status: responseCode(request, replayed.failed),
        connectionId: replayed.answer?.connectionId ?? clients.connectionId(replayed),
        startedAt: start + replayed.startMs,
        endedAt: start + replayed.endedMs,
      },
    ];
  });
  return all.filter(
    ({ replayed }) =>
      (regionId === undefined || replayed.regionId === regionId) &&
      (requests === undefined || requests.includes(replayed.request)),
  );
}

/** A request as it was really answered. */
function answered(request: ModelRequest, answer: NonNullable<ReplayedRequest["answer"]>): ModelRequest {
  const { url, bytesSent, bytesReceived } = answer;
  return { ...request, url, bytesSent, bytesReceived };
}

/** The id of the execution that a trace is of. */
export function executionOfTrace(id: number): number {
  return Math.floor(id / tracesOfExecution);
}

/** By the minute in which they ended, so that what was picked remains while the run continues. */
function pickRequests(row: BegunExecution, scope: Scope): readonly ReplayedRequest[] {
  const regions = new Map(row.plan.regions.map(({ id }, index) => [id, index]));
  const kinds = scope.simulations.of(row).plan.iteration.requests.length * 2;
  const picked = new Map<number, ReplayedRequest>();
  let lookedAt = 0;
  const wholeMs = replayRun(replayedRun(row, scope), {
    onRequest: (each) => {
      const { endedMs } = each;
      lookedAt += 1;
      if (row.onlyCaptureFailure && !each.failed) return;
      const place = Math.floor(endedMs / minuteMs) * regions.size + (regions.get(each.regionId) ?? 0);
      const key = place * kinds + each.request * 2 + Number(each.failed);
      const known = picked.get(key);
      if (known === undefined || endedMs < known.endedMs) picked.set(key, each);
    },
    isEnough: () => lookedAt >= mostLookedAt || picked.size >= mostTraces,
  });
  return [...picked]
    .filter(([, { endedMs }]) => endedMs < wholeMs)
    .sort(([leftKey, left], [rightKey, right]) => left.endedMs - right.endedMs || leftKey - rightKey)
    .slice(0, mostTraces)
    .map(([, each]) => each);
}
