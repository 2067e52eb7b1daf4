import type { Scope } from "../core/scope.ts";
import { type BegunExecution, elapsed, elapsedNow, hasBegun } from "../core/simulations.ts";
import { type Load, type MeasuredMetric, measure } from "../runs/measure-run.ts";
import type { MeasuredRun } from "../runs/measured-run.ts";
import { merged, RunCounts } from "../runs/run-counts.ts";
import { intervalMs } from "../runs/simulate-region.ts";
import type { SimulatedRun } from "../runs/simulate-run.ts";
import type { ExecutionRecord, ExecutionRegionRecord } from "../store/records/executions.ts";

/** The figures of a run so far, or of a part of it. */
export interface RunFigures {
  readonly counts: RunCounts;
  readonly load: Load;
  readonly metrics: readonly MeasuredMetric[];
}

const nothing: RunFigures = {
  counts: new RunCounts(0),
  load: { users: 0, maxUsers: 0, maxOnRunner: 0, ms: 0 },
  metrics: [],
};

/** The figures so far, of all regions or one: while it runs, of the intervals that have closed. */
export function figuresOfRun(row: ExecutionRecord, scope: Scope, regionId?: number): RunFigures {
  if (!hasBegun(row)) return nothing;
  const { counts, maxUsers } = row.results ? kept(row, regionId) : countedSoFar(row, scope, regionId);
  const ms = row.finishedAt === null ? closedAt(row, scope) : elapsed(row, Date.parse(row.finishedAt));
  const breakingPoint = regionId === undefined ? row.results?.breakingPoint : undefined;
  const users = row.phase === "running" ? runOf(row, scope).usersAt(elapsedNow(row, scope), regionId) : 0;
  const load = { users, maxUsers, ms, maxOnRunner: maxOnRunner(row, maxUsers, regionId) };
  const whole = breakingPoint === undefined || breakingPoint === null ? load : { ...load, breakingPoint };
  return { counts, load: whole, metrics: measure(row.plan.iteration, counts, whole) };
}

/** The intervals that have closed, or all of a completed run: from the first of these to the last, exclusive. */
export function figuresOfInterval(
  row: BegunExecution,
  { index, regionId }: { readonly index: number; readonly regionId?: number | undefined },
  scope: Scope,
): RunFigures {
  const run = runOf(row, scope);
  // An event at this moment belongs to the next one.
  const end = (index + 1) * intervalMs;
  const counts = run.counts(index, index + 1, regionId);
  const users = run.usersAt(end - 1, regionId);
  const load = {
    users,
    maxUsers: run.maxUsers(end - 0.001, regionId),
    ms: intervalMs,
    maxOnRunner: maxOnRunner(row, users, regionId),
  };
  return { counts, load, metrics: measure(row.plan.iteration, counts, load) };
}

/** Number of closed intervals of a run; a completed one has all in which something happened. An event on the end of an interval belongs to the next. */
export function closedIntervals(row: BegunExecution, scope: Scope): number {
  if (row.finishedAt === null) return Math.floor(closedAt(row, scope) / intervalMs);
  const begun = Math.ceil(elapsed(row, Date.parse(row.finishedAt)) / intervalMs);
  return Math.max(1, begun, runOf(row, scope).lastInterval);
}

/** Iterations of each chunk of a region, as far as they were measured. */
export function iterationsOfChunks(
  row: ExecutionRecord,
  region: ExecutionRegionRecord,
  scope: Scope,
): readonly number[] {
  const known = row.results?.regions.find(({ id }) => id === region.id)?.iterations;
  if (known) return known;
  const { runners } = figuresOfRun(row, scope, region.id).counts;
  return region.chunks.map(({ id }) => runners.get(id) ?? 0);
}

/** The most requests of a second, by the busiest interval that has closed. */
export function peakPerSec(row: ExecutionRecord, scope: Scope): number {
  if (!hasBegun(row)) return 0;
  const run = runOf(row, scope);
  const intervals = Array.from(
    { length: closedIntervals(row, scope) },
    (_, index) => run.counts(index, index + 1).requests,
  );
  return Math.max(0, ...intervals) / (intervalMs / 1000);
}

/** A run, simulated up to now or to its end; what begins at that moment and takes no time belongs to it. */
export function runOf(row: BegunExecution, scope: Scope): SimulatedRun | MeasuredRun {
  const run = scope.simulations.of(row);
  const untilMs = row.finishedAt === null ? elapsedNow(row, scope) : elapsed(row, Date.parse(row.finishedAt));
  run.advance(untilMs + 1);
  return run;
}

/** When the last interval closed, in milliseconds from the start. */
function closedAt(row: BegunExecution, scope: Scope): number {
  return Math.floor(Math.max(0, elapsedNow(row, scope)) / intervalMs) * intervalMs;
}

interface Counted {
  readonly counts: RunCounts;
  readonly maxUsers: number;
}

function countedSoFar(row: BegunExecution, scope: Scope, regionId: number | undefined): Counted {
  const run = runOf(row, scope);
  const closed = closedAt(row, scope);
  return {
    counts: run.counts(0, closed / intervalMs, regionId),
    maxUsers: run.maxUsers(elapsedNow(row, scope), regionId),
  };
}

function kept(row: BegunExecution, regionId: number | undefined): Counted {
  const regions = row.results?.regions.filter(({ id }) => regionId === undefined || id === regionId) ?? [];
  const counts = merged(
    regions.map((each) => RunCounts.of(each.counts)),
    row.plan.iteration.requests.length,
  );
  const maxUsers = regionId === undefined ? (row.results?.maxUsers ?? 0) : (regions[0]?.maxUsers ?? 0);
  return { counts, maxUsers };
}

/** The most users of one runner, in proportion to those that are there. */
function maxOnRunner({ plan }: BegunExecution, users: number, regionId: number | undefined): number {
  const regions = plan.regions.filter(({ id }) => regionId === undefined || id === regionId);
  const planned = regions.reduce((sum, region) => sum + region.users, 0);
  const largest = Math.max(0, ...regions.flatMap(({ chunks }) => chunks.map((chunk) => chunk.users)));
  return planned === 0 ? 0 : Math.ceil((largest * users) / planned);
}
