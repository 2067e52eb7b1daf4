import { draw, latencyOf, latencyTable, mixed, seedOf } from "./draw.ts";
import { RunCounts } from "./run-counts.ts";
import type { ModelRequest, PlannedRegion, RunControls, RunPlan } from "./run-plan.ts";
import { startsOf } from "./run-plan.ts";

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

/** Who hears of every single request; may be left out. */
export type OnRequest = (request: SimulatedRequest) => void;

/** The users of one region of a run, simulated as far as was asked for. */
export class SimulatedRegion {
  readonly region: PlannedRegion;
  /** By interval; one in which nothing happened may be missing. */
  readonly intervals: (RunCounts | undefined)[] = [];
  /** When each user started, in rising order. */
  readonly starts: Float64Array;
  /** When each user finished; infinite while it runs. */
  readonly finishes: Float64Array;
  readonly iterations: Uint32Array;
  readonly #plan: RunPlan;
  readonly #next: Float64Array;
  readonly #seed: number;
  readonly #requests: readonly PreparedRequest[];
  readonly #usersAt: (ms: number) => number;
  readonly #onRequest: OnRequest | undefined;

  constructor(of: {
    readonly plan: RunPlan;
    readonly region: PlannedRegion;
    readonly controls: RunControls;
    /** Users of all regions, on whose number the answers of an overloaded target depend. */
    readonly usersAt: (ms: number) => number;
    readonly onRequest?: OnRequest | undefined;
  }) {
    this.#plan = of.plan;
    this.region = of.region;
    this.#usersAt = of.usersAt;
    this.#onRequest = of.onRequest;
    this.#seed = seedOf(`${of.plan.seed} region ${of.region.id}`);
    this.#requests = of.plan.iteration.requests.map(prepared);
    this.starts = startsOf(of.plan, of.region, of.controls);
    this.#next = this.starts.slice();
    this.finishes = new Float64Array(this.starts.length).fill(Number.POSITIVE_INFINITY);
    this.iterations = new Uint32Array(this.starts.length);
  }

  /** Simulates every iteration that begins before a moment, and none from `endMs` on. */
  advance(untilMs: number, endMs: number): void {
    const limit = Math.min(untilMs, endMs);
    const most = this.#mostIterations;
    for (let user = 0; user < this.starts.length; user++) {
      let at = this.#next[user] ?? Number.POSITIVE_INFINITY;
      while (at < limit) {
        const ended = this.#iterate(user, at);
        const done = (this.iterations[user] ?? 0) + 1;
        this.iterations[user] = done;
        if (done >= most || ended >= endMs) {
          this.finishes[user] = ended;
          at = Number.POSITIVE_INFINITY;
        } else at = Math.max(ended + this.#plan.sleepMs, at + 1);
      }
      // Who sleeps when the run ends does not begin again, and who did not start by then never does.
      if (at !== Number.POSITIVE_INFINITY && at >= endMs && untilMs >= endMs) {
        this.finishes[user] = this.iterations[user] === 0 ? 0 : endMs;
        at = Number.POSITIVE_INFINITY;
      }
      this.#next[user] = at;
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

  /** One iteration of one user; answers when it ended. */
  #iterate(user: number, startMs: number): number {
    const iteration = this.iterations[user] ?? 0;
    const count = this.#requests.length;
    let at = startMs;
    for (let index = 0; index < count; index++) {
      const request = this.#requests[index];
      if (request === undefined) continue;
      at += request.pauseMs;
      const bits = draw(this.#seed, user, iteration * count + index);
      const excess = request.capacity === null ? 0 : overload(request.capacity, this.#usersAt(at));
      const latency = latencyOf(request.latencies, bits) * (1 + excess);
      const failed = mixed(bits ^ 0x5bd1e995) / 0x100000000 < request.errorRate + excess / 10;
      const ended = at + latency * request.closeShare;
      const counts = this.#countsAt(ended).resources[index];
      counts?.timings.add(latency);
      if (failed && counts) counts.failures += 1;
      this.#onRequest?.({
        regionId: this.region.id,
        user,
        iteration,
        request: index,
        startMs: at,
        firstReceivedMs: latency,
        endedMs: ended,
        failed,
      });
      at = ended;
    }
    at += this.#plan.iteration.restMs;
    this.#countsAt(at).iterations += 1;
    return at;
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

interface PreparedRequest extends Pick<ModelRequest, "pauseMs" | "closeShare" | "errorRate" | "capacity"> {
  readonly latencies: Float64Array;
}

function prepared({ pauseMs, closeShare, errorRate, capacity, latencyMs }: ModelRequest): PreparedRequest {
  return { pauseMs, closeShare, errorRate, capacity, latencies: latencyTable(latencyMs) };
}

/** DECISION (API 2, Executions: how an overloaded target answers): beyond its capacity latency grows by `slope` times the share of users above it, and the share of failures by a tenth of that. */
function overload({ users, slope }: NonNullable<ModelRequest["capacity"]>, present: number): number {
  return present <= users ? 0 : slope * (users === 0 ? present : present / users - 1);
}
