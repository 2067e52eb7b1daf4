import { draw, latencyOf, latencyTable, mixed, seedOf } from "./draw.ts";
import { RunCounts } from "./run-counts.ts";
import {
  chunksOfUsers,
  type ModelRequest,
  type PlannedRegion,
  type RunControls,
  type RunPlan,
  regionSeed,
  startOfRequest,
  startsOf,
} from "./run-plan.ts";

/** The bucket in which results are added up (API 2, Interval: 10 seconds). */
export const intervalMs = 10_000;

/** A request that was simulated, as it happened. Times are milliseconds. */
export interface SimulatedRequest {
  readonly regionId: number;
  readonly user: number;
  readonly iteration: number;
  readonly request: number;
  /** From the start of the run. */
  readonly startMs: number;
  readonly firstReceivedMs: number;
  /** From the start of the run: its answer was complete. */
  readonly endedMs: number;
  readonly failed: boolean;
}

/** An iteration that ended. Times are milliseconds from the start of the run. */
export interface SimulatedIteration {
  readonly regionId: number;
  readonly user: number;
  readonly iteration: number;
  readonly startMs: number;
  readonly endedMs: number;
}

/** Who hears of every single request and iteration. */
export interface RunListener {
  readonly onRequest?: (request: SimulatedRequest) => void;
  readonly onIteration?: (iteration: SimulatedIteration) => void;
}

/** An iteration that a user has begun. Times are milliseconds from the start of the run. */
export interface BegunIteration {
  readonly user: number;
  readonly startMs: number;
  /** When each of its requests so far ended. */
  readonly ends: number[];
  /** When the last of them did. */
  endMs: number;
}

/** The users of one region of a run, simulated as far as was asked for. */
export class SimulatedRegion {
  readonly region: PlannedRegion;
  /** By interval; one in which nothing happened may be missing. */
  readonly intervals: (RunCounts | undefined)[] = [];
  /** When each user started, in rising order. */
  readonly starts: Float64Array;
  /** When each user finished; infinite while it runs, 0 where it never began. */
  readonly finishes: Float64Array;
  /** Number of iterations that each user has made. */
  readonly iterations: Uint32Array;
  /** When each user begins its next iteration; infinite where it does not. */
  readonly next: Float64Array;
  readonly #ended: Float64Array;
  readonly #plan: RunPlan;
  readonly #seed: number;
  readonly #requests: readonly PreparedRequest[];
  readonly #chunks: Uint32Array;
  readonly #listener: RunListener;

  constructor(
    plan: RunPlan,
    region: PlannedRegion,
    of: { readonly controls: RunControls; readonly listener: RunListener },
  ) {
    this.#plan = plan;
    this.region = region;
    this.#listener = of.listener;
    this.#seed = seedOf(regionSeed(plan, "region", region.id));
    this.#requests = plan.iteration.requests.map(prepared);
    this.starts = startsOf(plan, region, of.controls);
    this.next = this.starts.slice();
    this.finishes = new Float64Array(this.starts.length).fill(Number.POSITIVE_INFINITY);
    this.iterations = new Uint32Array(this.starts.length);
    this.#ended = new Float64Array(this.starts.length);
    this.#chunks = chunksOfUsers(region, this.starts.length);
  }

  /** Simulates, user by user, every iteration that begins before a moment, and none from `endMs` on: nobody's answers depend on others. */
  advance(untilMs: number, endMs: number): void {
    const limit = Math.min(untilMs, endMs);
    for (let user = 0; user < this.starts.length; user++) {
      for (let at = this.next[user] ?? limit; at < limit; at = this.next[user] ?? limit) {
        const iteration = this.begin(user, at);
        while (this.isUnderWay(iteration)) this.request(iteration, 0);
        this.end(iteration, endMs);
      }
    }
    if (untilMs >= endMs) this.leave(endMs);
  }

  begin(user: number, startMs: number): BegunIteration {
    this.next[user] = Number.POSITIVE_INFINITY;
    return { user, startMs, ends: [], endMs: startMs };
  }

  /** True while requests of an iteration are still to be made. */
  isUnderWay({ ends }: BegunIteration): boolean {
    return ends.length < this.#requests.length;
  }

  /** When the next request of an iteration begins. */
  requestMs(iteration: BegunIteration): number {
    const request = this.#requests[iteration.ends.length];
    return request === undefined ? iteration.endMs : startOfRequest(request, iteration);
  }

  /** Makes the next request of an iteration, while so many users are there. */
  request(iteration: BegunIteration, present: number): void {
    const { user, ends } = iteration;
    const index = ends.length;
    const request = this.#requests[index];
    if (request === undefined) return;
    const startMs = startOfRequest(request, iteration);
    const number = this.iterations[user] ?? 0;
    const bits = draw(this.#seed, user, number * this.#requests.length + index);
    const excess = request.capacity === null ? 0 : overload(request.capacity, present);
    const latency = latencyOf(request.latencies, bits) * (1 + excess);
    const failed = isFailed(request, { bits, excess });
    const endedMs = startMs + latency * request.closeShare;
    const counts = this.#countsAt(endedMs).resources[index];
    counts?.timings.add(latency);
    if (failed && counts) counts.failures += 1;
    ends.push(endedMs);
    iteration.endMs = Math.max(iteration.endMs, endedMs);
    this.#listener.onRequest?.({
      regionId: this.region.id,
      user,
      iteration: number,
      request: index,
      startMs,
      firstReceivedMs: latency,
      endedMs,
      failed,
    });
  }

  /** Ends an iteration all of whose requests were made, in a run that begins none from `endMs` on. */
  end({ user, startMs, endMs: requestedMs }: BegunIteration, endMs: number): void {
    const endedMs = requestedMs + this.#plan.iteration.restMs;
    const iteration = this.iterations[user] ?? 0;
    this.iterations[user] = iteration + 1;
    this.#ended[user] = endedMs;
    this.#countsAt(endedMs).iterated(this.#chunks[user] ?? 0);
    this.#listener.onIteration?.({ regionId: this.region.id, user, iteration, startMs, endedMs });
    if (iteration + 1 >= this.#mostIterations || endedMs >= endMs) this.finishes[user] = endedMs;
    else this.next[user] = Math.max(endedMs + this.#plan.sleepMs, startMs + 1);
  }

  /** Who waits for its next iteration when the run ends does not begin it, and who did not start by then never does. */
  leave(endMs: number): void {
    for (const [user, at] of this.next.entries()) {
      if (at === Number.POSITIVE_INFINITY) continue;
      // A run that was stopped while it was simulated ended in the middle of iterations.
      this.finishes[user] = this.iterations[user] === 0 ? 0 : Math.max(endMs, this.#ended[user] ?? 0);
      this.next[user] = Number.POSITIVE_INFINITY;
    }
  }

  /** Users that have started and not finished. */
  usersAt(ms: number): number {
    let users = 0;
    for (let user = 0; user < this.starts.length; user++)
      if ((this.starts[user] ?? 0) <= ms && ms < (this.finishes[user] ?? 0)) users += 1;
    return users;
  }

  /** When the last user finished; infinite while one runs. */
  get finishedMs(): number {
    return this.finishes.reduce((last, each) => Math.max(last, each), 0);
  }

  get #mostIterations(): number {
    const { profile } = this.#plan;
    return profile.type === "Flat" ? (profile.iterations ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  }

  #countsAt(ms: number): RunCounts {
    const index = Math.floor(ms / intervalMs);
    const known = this.intervals[index];
    if (known) return known;
    const counts = new RunCounts(this.#requests.length);
    this.intervals[index] = counts;
    return counts;
  }
}

type PreparedRequest = Omit<ModelRequest, "latencyMs"> & { readonly latencies: Float64Array };

function prepared({ latencyMs, ...request }: ModelRequest): PreparedRequest {
  return { ...request, latencies: latencyTable(latencyMs) };
}

function isFailed(
  { verdict, errorRate }: PreparedRequest,
  { bits, excess }: { readonly bits: number; readonly excess: number },
): boolean {
  if (verdict !== undefined) return verdict === "failure";
  return mixed(bits ^ 0x5bd1e995) / 0x100000000 < errorRate + excess / 10;
}

/** DECISION (API 2, Executions: how an overloaded target answers): beyond its capacity latency grows by `slope` times the share of users above it, and the share of failures by a tenth of that; those count who are there, and not who has left. */
function overload({ users, slope }: NonNullable<ModelRequest["capacity"]>, present: number): number {
  return present <= users ? 0 : slope * (users === 0 ? present : present / users - 1);
}
