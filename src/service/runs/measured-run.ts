import { brokenKpi, satisfiedCheck } from "./evaluate-checks.ts";
import {
  type MeasuredData,
  type MeasuredIteration,
  type MeasuredRequest,
  MeasuredResources,
  type MeasuredUser,
  mostKept,
} from "./measured-data.ts";
import type { ReplayedRequest } from "./replay-run.ts";
import { merged, RunCounts } from "./run-counts.ts";
import { chunksOfUsers, type RunPlan } from "./run-plan.ts";
import { intervalMs, type SimulatedIteration } from "./simulate-region.ts";
import type { Stopped } from "./simulate-run.ts";

/** A run whose load is really made: what was heard of it so far. All times are milliseconds from its start. */
export class MeasuredRun {
  stopped: Stopped | undefined;
  /** Progress of the run, from its start. */
  progressMs = 0;
  /** The first of its requests and iterations that ended. */
  readonly requests: ReplayedRequest[] = [];
  readonly iterations: SimulatedIteration[] = [];
  readonly #plan: RunPlan;
  readonly #resources: MeasuredResources;
  readonly #intervals = new Map<number, RunCounts[]>();
  readonly #users = new Map<number, MeasuredUser[]>();
  #finishedMs: number | undefined;

  constructor(plan: RunPlan) {
    this.#plan = plan;
    this.#resources = new MeasuredResources(plan.iteration.requests);
  }

  /** With the requests that were met. */
  get plan(): RunPlan {
    const { requests } = this.#resources;
    return { ...this.#plan, iteration: { requests, restMs: 0, metrics: [] } };
  }

  /** When it finished; undefined while it runs. */
  get finishedMs(): number | undefined {
    return this.#finishedMs;
  }

  /** When the last user finished; undefined while there is none that did. */
  get lastMs(): number | undefined {
    const ends = this.#spans(undefined).flatMap(({ finishMs }) => (finishMs === null ? [] : [finishMs]));
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  iterationsOf(regionId: number, user: number): number {
    return this.#usersOf(regionId)[user]?.iterations ?? 0;
  }

  begin(regionId: number, user: number, atMs: number): void {
    this.#usersOf(regionId)[user] ??= { startMs: atMs, finishMs: null, iterations: 0 };
  }

  leave(regionId: number, user: number, atMs: number): void {
    const users = this.#usersOf(regionId);
    const known = users[user];
    if (known && known.finishMs === null) users[user] = { ...known, finishMs: Math.max(atMs, known.startMs) };
  }

  /** An iteration that ended, with its requests: each counts in the interval in which it ended. */
  add(iteration: MeasuredIteration): void {
    const { regionId, user, startMs, endedMs } = iteration;
    for (const request of iteration.requests) this.#addRequest(iteration, request);
    const counts = this.#countsAt(regionId, endedMs);
    const chunk = this.#chunkOf(regionId, user);
    counts.iterated(chunk);
    for (const value of iteration.metrics) counts.report(value, chunk);
    const users = this.#usersOf(regionId);
    const known = users[user] ?? { startMs, finishMs: null, iterations: 0 };
    users[user] = { ...known, iterations: known.iterations + 1 };
    if (this.iterations.length < mostKept.iterations)
      this.iterations.push({ regionId, user, iteration: iteration.iteration, startMs, endedMs });
  }

  /** All that is heard of it has been heard. */
  finish(atMs: number): void {
    for (const [regionId, users] of this.#users) for (const user of users.keys()) this.leave(regionId, user, atMs);
    this.progressMs = Math.max(this.progressMs, atMs);
    this.#finishedMs = atMs;
  }

  /** DECISION (API 1, Trigger; API 2, KPIs: when they are evaluated in a run that is really made): there too when an interval closes, from the end of the ramp-up on: such a run has no minute to wait for. */
  check(atMs: number): void {
    const { profile } = this.#plan;
    if (this.stopped || atMs < (profile.type === "Flat" ? profile.rampupMs : 0)) return;
    const trigger = satisfiedCheck(this, atMs);
    const reason = trigger ?? brokenKpi(this, atMs);
    if (reason !== undefined)
      this.stopped = { by: trigger === undefined ? "kpi" : "trigger", atMs, users: this.usersAt(atMs), reason };
  }

  /** Nothing is computed: time passes by itself. */
  advance(_untilMs: number): void {}

  /** Counts of the intervals from one to another (exclusive), of these regions or all. */
  counts(from = 0, to = Number.POSITIVE_INFINITY, regionId?: number): RunCounts {
    const parts = [...this.#intervals]
      .filter(([id]) => regionId === undefined || id === regionId)
      .flatMap(([, intervals]) => intervals.slice(from, Math.min(to, intervals.length)))
      .filter((each) => each !== undefined);
    return merged(parts, this.#resources.requests.length);
  }

  usersAt(ms: number, regionId?: number): number {
    return this.#spans(regionId).filter(({ startMs, finishMs }) => startMs <= ms && ms < (finishMs ?? Infinity)).length;
  }

  maxUsers(untilMs: number, regionId?: number): number {
    const starts = this.#spans(regionId).map(({ startMs }) => startMs);
    return Math.max(0, ...starts.filter((at) => at <= untilMs).map((at) => this.usersAt(at, regionId)));
  }

  /** Number of intervals up to the last one in which something ended. */
  get lastInterval(): number {
    return [...this.#intervals.values()].reduce((last, { length }) => Math.max(last, length), 0);
  }

  toData(): MeasuredData {
    const { iterations, requests, stopped } = this;
    const regions = this.#plan.regions.map(({ id }) => ({
      id,
      users: Array.from(this.#usersOf(id), (user) => user ?? null),
      intervals: Array.from(this.#intervals.get(id) ?? [], (counts) => counts?.toData() ?? null),
    }));
    return { regions, iterations, requests, stopped: stopped ?? null, finishedMs: this.#finishedMs ?? 0 };
  }

  /** A run that finished, of a plan with the requests that were met. */
  static of(plan: RunPlan, data: MeasuredData): MeasuredRun {
    const run = new MeasuredRun(plan);
    for (const { id, users, intervals } of data.regions) {
      run.#users.set(id, []);
      for (const [index, user] of users.entries()) if (user) run.#usersOf(id)[index] = user;
      run.#intervals.set(
        id,
        intervals.map((counts) => (counts ? RunCounts.of(counts) : new RunCounts(0))),
      );
    }
    run.requests.push(...data.requests);
    run.iterations.push(...data.iterations);
    run.stopped = data.stopped ?? undefined;
    run.#finishedMs = data.finishedMs;
    run.progressMs = data.finishedMs;
    return run;
  }

  #addRequest(of: MeasuredIteration, request: MeasuredRequest): void {
    const { regionId, user, iteration } = of;
    const index = this.#resources.indexOf(request);
    const endedMs = request.startMs + request.closeMs;
    const counts = this.#countsAt(regionId, endedMs).resource(index);
    counts.timings.add(request.firstReceivedMs);
    if (!request.success) counts.failures += 1;
    const { measured } = counts;
    measured.bytesSent += request.bytesSent;
    measured.bytesReceived += request.bytesReceived;
    if (request.openMs !== null) measured.opens.add(request.openMs);
    measured.closes.add(request.closeMs);
    if (this.requests.length >= mostKept.requests) return;
    const { startMs, firstReceivedMs, success, url, connectionId, openMs, closeMs, bytesSent, bytesReceived } = request;
    const answer = { url, connectionId, openMs, closeMs, bytesSent, bytesReceived };
    const place = { regionId, user, iteration, request: index };
    this.requests.push({ ...place, startMs, firstReceivedMs, failed: !success, endedMs, answer });
  }

  #chunkOf(regionId: number, user: number): number {
    const region = this.#plan.regions.find(({ id }) => id === regionId);
    return region ? (chunksOfUsers(region, user + 1)[user] ?? 0) : 0;
  }

  #countsAt(regionId: number, ms: number): RunCounts {
    const index = Math.max(0, Math.floor(ms / intervalMs));
    const intervals = this.#intervals.get(regionId) ?? [];
    this.#intervals.set(regionId, intervals);
    intervals[index] ??= new RunCounts(this.#resources.requests.length);
    return intervals[index];
  }

  #usersOf(regionId: number): MeasuredUser[] {
    const known = this.#users.get(regionId) ?? [];
    this.#users.set(regionId, known);
    return known;
  }

  #spans(regionId: number | undefined): readonly MeasuredUser[] {
    const all = [...this.#users].filter(([id]) => regionId === undefined || id === regionId);
    return all.flatMap(([, users]) => users.filter((user) => user !== undefined));
  }
}
