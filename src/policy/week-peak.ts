import { groupBy } from "../model/group-by.ts";
import type { DeclaredLoad, DeclaredSchedule } from "./declared-loads.ts";
import type { LimitInput } from "./limit-finding.ts";
import { everyMinute, type RunsOf, type WeekRuns } from "./week-runs.ts";

const weekMinutes = everyMinute.length;

/** The largest number of users in a minute of a week. */
export interface Peak {
  readonly users: number;
  /** Minute of the week, from Monday 00:00 UTC. */
  readonly minute: number;
  /** Asked for only where a limit is broken. */
  readonly parts: () => readonly PeakPart[];
}

/** A part of a peak: a schedule's runs, or a configuration that a gate runs or that is always under way. */
interface PeakPart {
  readonly address: string;
  readonly times: number;
  readonly users: number;
  readonly isHidden: boolean;
}

/** Runs of one kind, and how often they are under way in each minute. */
interface Running {
  readonly load: DeclaredLoad;
  readonly address: string;
  readonly runs: Footprint;
}

/** The minutes that runs touch: `always` in each, and in ranges, or in minutes counted one by one. */
interface Footprint {
  readonly always: number;
  readonly ranges: readonly number[];
  /** Length of every range in minutes. */
  readonly length: number;
  readonly counts?: Int32Array;
}

/** The sweep over the minutes of a week, done once for all regions together and for each by itself. */
export interface WeekSweep {
  /** The peak of the users that `usersOf` counts of each configuration. */
  readonly peak: (usersOf: (load: DeclaredLoad) => number) => Peak;
}

/** Finds what runs in each minute of a week: schedules, gates that are not under way, and iterations. */
export function sweepWeek({ loads, gates }: Pick<LimitInput, "loads" | "gates">, runsOf: RunsOf): WeekSweep {
  const known = new Map<WeekRuns, Footprint>();
  const footprintOf = (runs: WeekRuns, seconds: number) => {
    const found = known.get(runs) ?? footprint(runs, seconds);
    known.set(runs, found);
    return found;
  };
  const running = loads.flatMap((load) =>
    runningOf(load, (schedule, seconds) => footprintOf(runsOf(schedule, seconds), seconds)),
  );
  const byLoad = groupBy(running, ({ load }) => load);
  const gated = new Set(gates);
  const gateRuns = loads
    .filter(({ address }) => gated.has(address))
    .map((load): Running => ({ load, address: load.address, runs: notUnderWay(byLoad.get(load) ?? []) }));
  const all = [...running, ...gateRuns];
  return { peak: (usersOf) => peakOf(all, usersOf) };
}

function runningOf(
  load: DeclaredLoad,
  footprintOf: (schedule: DeclaredSchedule, seconds: number) => Footprint,
): readonly Running[] {
  const { seconds, address } = load;
  const active = load.schedules.filter(({ fields }) => fields.active !== false);
  if (seconds !== undefined)
    return active.map((schedule) => ({ load, address: schedule.address, runs: footprintOf(schedule, seconds) }));
  const owners = active.length === 0 ? [address] : active.map((schedule) => schedule.address);
  return owners.map((owner) => ({ load, address: owner, runs: always(1) }));
}

const always = (times: number): Footprint => ({ always: times, ranges: [], length: 0 });

/** The minutes of a week that runs of so many seconds touch. */
function footprint({ peakStarts: starts, period }: WeekRuns, seconds: number): Footprint {
  const [first] = starts;
  if (first === undefined) return always(0);
  // All starts of a schedule have the same second of their minute.
  const length = Math.ceil(((first % 60) + seconds) / 60);
  // Runs that begin at least a period apart touch a minute so often at most, whatever the week shows of them.
  const most = Math.ceil((length * 60) / period) || 1;
  if (starts === everyMinute) return always(most);
  const wraps = Math.floor(length / weekMinutes) * starts.length;
  const ranges = { ranges: starts.map((start) => Math.floor(start / 60)), length: length % weekMinutes };
  const gap = smallestGap(starts);
  if (gap >= period || length * 60 <= gap) return { always: wraps, ...ranges };
  return { ...always(0), counts: phaseCounts(ranges, { most, wraps, period: period / 60 }) };
}

/**
 * Runs under way in each minute when only their period is known: of the starts within the length of a run before it, which are free
 * in so many stretches, those of one grid.
 */
function phaseCounts(
  { ranges, length }: Pick<Footprint, "ranges" | "length">,
  { most, wraps, period }: { readonly most: number; readonly wraps: number; readonly period: number },
): Int32Array {
  const free = new Uint8Array(weekMinutes);
  for (const start of ranges) free[start] = 1;
  const before = (minute: number) => free[(minute + weekMinutes) % weekMinutes] === 1;
  const counts = new Int32Array(weekMinutes);
  const begun = new Int32Array(weekMinutes);
  addRanges(counts, { ranges, length }, 1);
  addRanges(begun, { ranges: ranges.filter((start) => !before(start - 1)), length }, 1);
  return counts.map((count, minute) => {
    if (wraps > 0) return Math.min(most, count + wraps);
    const isCut = before(minute - length) && before(minute - length + 1);
    const stretches = (begun[minute] ?? 0) + (isCut ? 1 : 0);
    return Math.min(most, Math.floor((count + stretches * (period - 1)) / period));
  });
}

/** Seconds between two starts that are next to each other, the last of a week and the first of the next included. */
function smallestGap(starts: readonly number[]): number {
  let last = (starts.at(-1) ?? 0) - weekMinutes * 60;
  let gap = Number.POSITIVE_INFINITY;
  for (const start of starts) {
    gap = Math.min(gap, start - last);
    last = start;
  }
  return gap;
}

/** Adds an amount in each minute of the ranges, in one pass for all of them. */
function addRanges(
  sums: Int32Array | Float64Array,
  { ranges, length }: Pick<Footprint, "ranges" | "length">,
  amount: number,
): void {
  if (ranges.length === 0 || length === 0) return;
  const changes = new Float64Array(weekMinutes);
  addChanges(changes, { ranges, length }, amount);
  addUp(sums, changes);
}

/** Notes where the ranges begin and end; one that crosses the end of the week continues at its start. */
function addChanges(
  changes: Float64Array,
  { ranges, length }: Pick<Footprint, "ranges" | "length">,
  amount: number,
): void {
  for (const from of length === 0 ? [] : ranges) {
    const to = from + length;
    changes[from] = (changes[from] ?? 0) + amount;
    if (to < weekMinutes) changes[to] = (changes[to] ?? 0) - amount;
    else if (to > weekMinutes) {
      changes[0] = (changes[0] ?? 0) + amount;
      changes[to - weekMinutes] = (changes[to - weekMinutes] ?? 0) - amount;
    }
  }
}

function addUp(sums: Int32Array | Float64Array, changes: Float64Array): void {
  let running = 0;
  for (let minute = 0; minute < weekMinutes; minute++) {
    running += changes[minute] ?? 0;
    sums[minute] = (sums[minute] ?? 0) + running;
  }
}

/** A gate's run in every minute in which its configuration is not under way. */
function notUnderWay(running: readonly Running[]): Footprint {
  if (running.some(({ runs }) => runs.always > 0)) return always(0);
  const counts = new Int32Array(weekMinutes);
  for (const { runs } of running) {
    addRanges(counts, runs, 1);
    for (const [minute, count] of runs.counts?.entries() ?? []) counts[minute] = (counts[minute] ?? 0) + count;
  }
  return { ...always(0), counts: counts.map((count) => (count === 0 ? 1 : 0)) };
}

function peakOf(running: readonly Running[], usersOf: (load: DeclaredLoad) => number): Peak {
  const changes = new Float64Array(weekMinutes);
  const sums = new Float64Array(weekMinutes);
  let constant = 0;
  for (const [runs, users] of usersByRuns(running, usersOf)) {
    constant += runs.always * users;
    addChanges(changes, runs, users);
    const { counts } = runs;
    if (counts !== undefined)
      for (let minute = 0; minute < weekMinutes; minute++)
        sums[minute] = (sums[minute] ?? 0) + (counts[minute] ?? 0) * users;
  }
  addUp(sums, changes);
  let peak = 0;
  for (let minute = 1; minute < weekMinutes; minute++) if ((sums[minute] ?? 0) > (sums[peak] ?? 0)) peak = minute;
  return { users: constant + (sums[peak] ?? 0), minute: peak, parts: () => partsAt(running, peak, usersOf) };
}

/** Users of all runs that touch the same minutes. */
function usersByRuns(
  running: readonly Running[],
  usersOf: (load: DeclaredLoad) => number,
): ReadonlyMap<Footprint, number> {
  const users = new Map<Footprint, number>();
  for (const { load, runs } of running) users.set(runs, (users.get(runs) ?? 0) + usersOf(load));
  return users;
}

function partsAt(
  running: readonly Running[],
  minute: number,
  usersOf: (load: DeclaredLoad) => number,
): readonly PeakPart[] {
  return running.flatMap(({ load, address, runs }) => {
    const times = timesAt(runs, minute);
    const users = times * usersOf(load);
    return users === 0 ? [] : [{ address, times, users, isHidden: load.isHidden === true }];
  });
}

function timesAt({ always: times, ranges, length, counts }: Footprint, minute: number): number {
  const within = ranges.filter((from) => (minute - from + weekMinutes) % weekMinutes < length).length;
  return times + within + (counts?.[minute] ?? 0);
}

/** Users of a run in all its regions; those of a BreakingPoint are so many as the limits say, none where they do not. */
export function usersOf({ isBreakingPoint, regions }: DeclaredLoad, breakingPoint: number | undefined): number {
  if (isBreakingPoint) return breakingPoint ?? 0;
  return regions.reduce((sum, { users, count }) => sum + users * count, 0);
}

/** Users in one region. One that the service chooses may be any, so it counts in each. */
export function usersInRegion(load: DeclaredLoad, name: string | undefined, breakingPoint: number | undefined): number {
  const regions = load.isBreakingPoint ? evenly(load, breakingPoint ?? 0) : load.regions;
  return regions.reduce((sum, region) => {
    return region.name === undefined || region.name === name ? sum + region.users : sum;
  }, 0);
}

/** The users of a BreakingPoint in its regions, the first of which have one more where they do not divide. */
function evenly({ regions }: DeclaredLoad, total: number): DeclaredLoad["regions"] {
  const places = regions.reduce((sum, { count }) => sum + count, 0);
  const [whole, rest] = [Math.floor(total / places), total % places];
  let before = 0;
  return regions.map((region) => {
    const users = whole + (before < rest ? 1 : 0);
    before += region.count;
    return { ...region, users };
  });
}
