import { brokenKpi, satisfiedCheck } from "./evaluate-checks.ts";
import { merged, type RunCounts } from "./run-counts.ts";
import { endOf, type RunControls, type RunPlan } from "./run-plan.ts";
import { countUpTo, SimulatedCrowd } from "./simulate-crowd.ts";
import { intervalMs, type RunListener, SimulatedRegion } from "./simulate-region.ts";

/** Why a run ended before its end. */
export interface Stopped {
  readonly by: "trigger" | "kpi";
  /** From the start of the run. */
  readonly atMs: number;
  /** Users at that moment: the breaking point. */
  readonly users: number;
  /** The condition that was satisfied, or the KPI that failed, in words. */
  readonly reason: string;
}

/** No check is made before: what is measured in its first minute says little. */
const leastBeforeChecks = 60_000;

/**
 * A run in virtual time: a pure function of its plan and of what was done to it, computed as far as it is asked for.
 * Asking for more in small steps or in one gives the same numbers.
 */
export class SimulatedRun {
  readonly plan: RunPlan;
  readonly regions: readonly SimulatedRegion[];
  stopped: Stopped | undefined;
  readonly #controls: RunControls;
  /** Absent where nobody's answers depend on others: users are simulated one by one then. */
  readonly #crowd: SimulatedCrowd | undefined;
  readonly #risesOf = new Map<number | undefined, UserRises>();
  #doneMs = 0;

  constructor(plan: RunPlan, controls: RunControls, listener: RunListener = {}) {
    this.plan = plan;
    this.#controls = controls;
    this.regions = plan.regions.map((region) => new SimulatedRegion(plan, region, { controls, listener }));
    const isShared = plan.iteration.requests.some(({ capacity }) => capacity !== null);
    this.#crowd = isShared ? new SimulatedCrowd(this.regions) : undefined;
  }

  /** Up to which moment it was simulated. */
  get doneMs(): number {
    return this.#doneMs;
  }

  /** Simulates up to a moment, in milliseconds from the start of the run. */
  advance(untilMs: number): void {
    const hasChecks = this.#hasChecks;
    for (
      let next = this.#nextInterval;
      hasChecks && next <= untilMs && this.finishedMs === undefined;
      next = this.#nextInterval
    ) {
      this.#advanceTo(next);
      if (this.finishedMs === undefined) this.#check(next);
    }
    this.#advanceTo(untilMs);
  }

  /** When the last user finished; undefined while one runs at the moment that was simulated. */
  get finishedMs(): number | undefined {
    const finished = this.regions.reduce((last, region) => Math.max(last, region.finishedMs), 0);
    const ended = this.#endMs === undefined || finished > 0 ? finished : this.#endMs;
    return ended <= this.#doneMs ? ended : undefined;
  }

  /** The next moment after this one at which the run can end or be stopped, as far as is known without simulating it. */
  nextChange(afterMs: number): number {
    const end = this.#endMs;
    const boundary = (Math.floor(afterMs / intervalMs) + 1) * intervalMs;
    const least = end ?? this.#leastMs;
    const planned = afterMs < least ? least : Math.max(this.finish(), afterMs + 1);
    return this.#hasChecks ? Math.min(boundary, planned) : planned;
  }

  /** Simulates all of it: when it ends, unless something is done to it. A plan that never ends is given up after 30,000 years. */
  finish(): number {
    for (let step = Math.max(this.#endMs ?? 0, intervalMs); this.finishedMs === undefined && step < 1e15; step *= 2)
      this.advance(step);
    return this.finishedMs ?? this.#doneMs;
  }

  /** Counts of the intervals from one to another (exclusive), of these regions or all. */
  counts(from = 0, to = Number.POSITIVE_INFINITY, regionId?: number): RunCounts {
    const parts = this.regions
      .filter(({ region }) => regionId === undefined || region.id === regionId)
      .flatMap(({ intervals }) => intervals.slice(from, Math.min(to, intervals.length)))
      .filter((each) => each !== undefined);
    return merged(parts, this.plan.iteration.requests.length);
  }

  /** Users that run at a moment. */
  usersAt(ms: number, regionId?: number): number {
    return this.regions
      .filter(({ region }) => regionId === undefined || region.id === regionId)
      .reduce((sum, region) => sum + region.usersAt(ms), 0);
  }

  /** The most users that ran at once up to a moment, which lies in what was simulated. */
  maxUsers(untilMs: number, regionId?: number): number {
    const { moments, most } = this.#rises(regionId);
    return most[countUpTo(moments, untilMs) - 1] ?? 0;
  }

  /** Number of intervals up to the last one in which something ended, as far as it was simulated. */
  get lastInterval(): number {
    return this.regions.reduce((last, { intervals }) => Math.max(last, intervals.length), 0);
  }

  get #hasChecks(): boolean {
    return this.plan.checks.length > 0 || this.plan.kpis.some(({ breakOnFail }) => breakOnFail);
  }

  get #nextInterval(): number {
    return (Math.floor(this.#doneMs / intervalMs) + 1) * intervalMs;
  }

  get #endMs(): number | undefined {
    const end = endOf(this.plan, this.#controls);
    return this.stopped === undefined ? end : Math.min(end ?? Number.POSITIVE_INFINITY, this.stopped.atMs);
  }

  /** No run of a number of iterations is shorter. */
  get #leastMs(): number {
    const { profile, sleepMs } = this.plan;
    const iterations = profile.type === "Flat" ? (profile.iterations ?? 1) : 1;
    const lastMs = this.regions.reduce((last, { starts }) => Math.max(last, starts.at(-1) ?? 0), 0);
    return lastMs + (iterations - 1) * sleepMs;
  }

  /** Every interval of a report asks for them, so they are made once for what was simulated. */
  #rises(regionId: number | undefined): UserRises {
    const known = this.#risesOf.get(regionId);
    if (known) return known;
    const rises = userRises(this.regions.filter(({ region }) => regionId === undefined || region.id === regionId));
    this.#risesOf.set(regionId, rises);
    return rises;
  }

  #advanceTo(untilMs: number): void {
    if (untilMs <= this.#doneMs) return;
    this.#risesOf.clear();
    const end = this.#endMs ?? Number.POSITIVE_INFINITY;
    if (this.#crowd) this.#crowd.advance(untilMs, end);
    else for (const region of this.regions) region.advance(untilMs, end);
    this.#doneMs = untilMs;
  }

  /** DECISION (API 1, Trigger; API 2, KPIs: when they are evaluated): when an interval closes, from the end of the ramp-up and of the first minute on. */
  #check(atMs: number): void {
    const { profile } = this.plan;
    const ramp = profile.type === "Flat" ? profile.rampupMs : 0;
    const end = this.#endMs;
    if (this.stopped || atMs < Math.max(ramp, leastBeforeChecks) || (end !== undefined && atMs >= end)) return;
    const trigger = satisfiedCheck(this, atMs);
    const found = trigger ?? brokenKpi(this, atMs);
    if (found === undefined) return;
    this.stopped = { by: trigger === undefined ? "kpi" : "trigger", atMs, users: this.usersAt(atMs), reason: found };
  }
}

/** Moments at which a user starts, in rising order, and the most users that ran at once up to each. */
interface UserRises {
  readonly moments: Float64Array;
  readonly most: Float64Array;
}

function userRises(regions: readonly SimulatedRegion[]): UserRises {
  const users = regions.flatMap(({ starts, finishes, iterations }) =>
    Array.from(starts, (start, user) => ({ start, finish: finishes[user] ?? 0, iterations: iterations[user] ?? 0 })),
  );
  const begun = users.filter(({ start, finish, iterations }) => start < finish || iterations > 0);
  const moments = Float64Array.from(begun, ({ start }) => start).sort();
  // A user that was there for no time was there at its moment: a microsecond is the finest that is told.
  const ended = Float64Array.from(begun, ({ start, finish }) => Math.max(finish, start + 0.001)).sort();
  const most = new Float64Array(moments.length);
  let gone = 0;
  let greatest = 0;
  for (const [index, at] of moments.entries()) {
    while (gone < ended.length && (ended[gone] ?? 0) <= at) gone++;
    greatest = Math.max(greatest, index + 1 - gone);
    most[index] = greatest;
  }
  return { moments, most };
}
