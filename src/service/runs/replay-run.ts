import type { RunControls, RunPlan } from "./run-plan.ts";
import { intervalMs, type SimulatedIteration, type SimulatedRequest } from "./simulate-region.ts";
import { SimulatedRun } from "./simulate-run.ts";

/** A run that is simulated once more. */
export interface ReplayedRun {
  readonly plan: RunPlan;
  readonly controls: RunControls;
  /** Moment before which everything that ended is told, in milliseconds from the start of the run. */
  readonly untilMs: number;
  /** The requests and iterations that really happened; where they are known nothing is simulated. */
  readonly happened?: {
    readonly requests: readonly ReplayedRequest[];
    readonly iterations: readonly SimulatedIteration[];
  };
}

/** The answer that a request really got. Times are milliseconds from its start. */
interface RealAnswer {
  readonly url: string;
  readonly connectionId: string;
  readonly openMs: number | null;
  readonly closeMs: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/** A request that was told, with its answer where it was really made. */
export interface ReplayedRequest extends SimulatedRequest {
  /** Absent where it was simulated. */
  readonly answer?: RealAnswer;
}

/** The first requests that ended, in the order in which they did, of those that are wanted. */
export function replayRequests(
  replayed: ReplayedRun,
  { most, isWanted }: { readonly most: number; readonly isWanted: (request: SimulatedRequest) => boolean },
): readonly ReplayedRequest[] {
  if (replayed.happened) return firstEnded(replayed.happened.requests.filter(isWanted), replayed.untilMs, most);
  const found: ReplayedRequest[] = [];
  const wholeMs = replayRun(replayed, {
    onRequest: (request) => {
      if (isWanted(request)) found.push(request);
    },
    isEnough: (ms) => endedBefore(found, ms) >= most,
  });
  return firstEnded(found, wholeMs, most);
}

/** The first iterations that ended, in the order in which they did, of those users that are wanted. */
export function replayIterations(
  replayed: ReplayedRun,
  { most, isWanted }: { readonly most: number; readonly isWanted: (regionId: number, user: number) => boolean },
): readonly SimulatedIteration[] {
  const { happened, untilMs } = replayed;
  if (happened)
    return firstEnded(
      happened.iterations.filter(({ regionId, user }) => isWanted(regionId, user)),
      untilMs,
      most,
    );
  const found: SimulatedIteration[] = [];
  const wholeMs = replayRun(replayed, {
    onIteration: (iteration) => {
      if (isWanted(iteration.regionId, iteration.user)) found.push(iteration);
    },
    isEnough: (ms) => endedBefore(found, ms) >= most,
  });
  return firstEnded(found, wholeMs, most);
}

/** Who hears of a run that is simulated once more. */
interface Listener {
  /** Told of every request of every iteration that begins, those that end later than is asked for among them. */
  readonly onRequest?: (request: ReplayedRequest) => void;
  /** The same of iterations. */
  readonly onIteration?: (iteration: SimulatedIteration) => void;
  /** Asked now and then, with a moment before which all that ended was told. */
  readonly isEnough: (ms: number) => boolean;
}

/**
 * Simulates a run once more until it is enough or its end; answers the moment before which everything that ended was told. When
 * it is enough does not depend on `untilMs`: a run that has gone on tells the same from its beginning.
 */
export function replayRun(
  { plan, controls, untilMs, happened }: ReplayedRun,
  { isEnough, ...listener }: Listener,
): number {
  if (happened) {
    for (const request of happened.requests) listener.onRequest?.(request);
    return untilMs;
  }
  const run = new SimulatedRun(plan, controls, listener);
  for (let next = intervalMs; ; next += intervalMs) {
    const at = Math.min(next, untilMs);
    run.advance(at);
    if (at === untilMs || run.finishedMs !== undefined) return untilMs;
    if (isEnough(at)) return at;
  }
}

interface Ended {
  readonly endedMs: number;
}

function endedBefore(found: readonly Ended[], ms: number): number {
  return found.reduce((count, { endedMs }) => (endedMs < ms ? count + 1 : count), 0);
}

function firstEnded<E extends Ended>(found: readonly E[], wholeMs: number, most: number): readonly E[] {
  return found
    .filter(({ endedMs }) => endedMs < wholeMs)
    .sort((left, right) => left.endedMs - right.endedMs)
    .slice(0, most);
}
