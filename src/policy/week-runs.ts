import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { daySeconds, secondOfWeek, weekSeconds } from "../model/limits.ts";
import { momentOf, nextRun, type Recurrence } from "../model/recurrence.ts";
import type { DeclaredSchedule } from "./declared-loads.ts";

/** The runs of a schedule as they may come in any week, in UTC. */
export interface WeekRuns {
  /** Seconds of the week at which a run may begin, in order. */
  readonly starts: readonly number[];
  /** As the peak takes them: every minute that no exclusion takes away where it is not known in which of them a run begins. */
  readonly peakStarts: readonly number[];
  /** Seconds between two runs, at least. */
  readonly period: number;
  /** The most runs of seven days. */
  readonly most: number;
}

const minute = 60;
const hour = 60 * minute;
const weekMinutes = weekSeconds / minute;

/** Every minute of the week, shared by all schedules that may begin in any. */
export const everyMinute: readonly number[] = Array.from({ length: weekMinutes }, (_, index) => index * minute);

const none: WeekRuns = { starts: [], peakStarts: [], period: weekSeconds, most: 0 };

/** The runs of a schedule whose runs take so many seconds. */
export type RunsOf = (schedule: DeclaredSchedule, seconds: number) => WeekRuns;

/** Works out the runs of schedules at a moment, once for all that are alike. */
export function runsReader(now: number): RunsOf {
  const known = new Map<string, WeekRuns>();
  return ({ fields }, seconds) => {
    const text = `${seconds} ${JSON.stringify(fields)}`;
    const runs = known.get(text) ?? weekRuns(fields, { now, seconds });
    known.set(text, runs);
    return runs;
  };
}

/** The runs in a week, less those that exclusions take away; none of a schedule that is paused, or finished by now. */
function weekRuns(fields: JsonObject, at: { readonly now: number; readonly seconds: number }): WeekRuns {
  if (fields.active === false) return none;
  if (fields.scheduleType === "Single") return singleRun(momentOf(fields.nextScheduled), at);
  const excluded = excludedMinutes(fields.exclusions);
  const isFree = (start: number) => excluded?.[start / minute] !== 1;
  const time = number(fields.hour, 0) * hour + number(fields.minute, 0) * minute;
  switch (fields.recurringInterval) {
    case "Minute":
      return unknownPhase(everyMinute, { period: number(fields.minute, 1) * minute, step: minute, excluded });
    case "Hour":
      return hourlyRuns(fields, excluded);
    case "Day":
      return knownPhase(daily(7, time).filter(isFree), daySeconds);
    case "WeekDay":
      return knownPhase(daily(5, time).filter(isFree), daySeconds);
    case "Week": {
      const start = (number(fields.dayOfWeek, 1) - 1) * daySeconds + time;
      return knownPhase([start].filter(isFree), number(fields.week, 1) * weekSeconds);
    }
    case "Month": {
      const starts = runsInSomeMonth(fields, at.now) ? daily(7, time).filter(isFree) : [];
      const period = number(fields.month, 1) * 28 * daySeconds;
      return { ...knownPhase(starts, period), most: Math.min(1, starts.length) };
    }
    default:
      return none;
  }
}

function singleRun(moment: number, { now, seconds }: { readonly now: number; readonly seconds: number }): WeekRuns {
  if (!(moment + seconds * 1000 > now)) return none;
  return knownPhase([secondOfWeek(moment)], Number.POSITIVE_INFINITY);
}

function hourlyRuns(fields: JsonObject, excluded: Uint8Array | undefined): WeekRuns {
  const hours = number(fields.hour, 1);
  const ofHour = number(fields.minute, 0) * minute;
  const starts = Array.from({ length: 168 }, (_, index) => index * hour + ofHour);
  if (hours === 1)
    return knownPhase(
      starts.filter((start) => excluded?.[start / minute] !== 1),
      hour,
    );
  return unknownPhase(starts, { period: hours * hour, step: hour, excluded });
}

function knownPhase(starts: readonly number[], period: number): WeekRuns {
  return { starts, peakStarts: starts, period, most: starts.length };
}

/** A grid of which only the period is known: its runs may begin at any free place. */
function unknownPhase(
  grid: readonly number[],
  {
    period,
    step,
    excluded,
  }: { readonly period: number; readonly step: number; readonly excluded: Uint8Array | undefined },
): WeekRuns {
  if (excluded === undefined)
    return { starts: grid, peakStarts: everyMinute, period, most: Math.ceil(weekSeconds / period) };
  const isFree = (start: number) => excluded[start / minute] !== 1;
  const free = Uint8Array.from(grid, (start) => (isFree(start) ? 1 : 0));
  return {
    starts: grid.filter(isFree),
    peakStarts: everyMinute.filter(isFree),
    period,
    most: mostRuns(free, period / step),
  };
}

/** The most runs of any seven days: one place in so many is taken, from any on, and those that are not free (0) are skipped. */
function mostRuns(free: Uint8Array, every: number): number {
  const runs = Math.ceil(free.length / every);
  const at = (place: number) => free[place % free.length] ?? 0;
  const seen = new Uint8Array(free.length);
  let most = 0;
  for (let first = 0; first < free.length; first++) {
    let count = 0;
    for (let run = 0; run < runs && seen[first] === 0; run++) count += at(first + run * every);
    // The next seven days begin one run later.
    for (let place = first; seen[place] === 0; place = (place + every) % free.length) {
      seen[place] = 1;
      most = Math.max(most, count);
      count += at(place + runs * every) - at(place);
    }
  }
  return most;
}

const daily = (days: number, time: number) => Array.from({ length: days }, (_, day) => day * daySeconds + time);

/** A Month schedule whose every run an exclusion takes away never runs; windows of a week are looked at by day. */
function runsInSomeMonth(fields: JsonObject, now: number): boolean {
  const windows = windowsOf(fields.exclusions).filter(({ recurringInterval }) => recurringInterval === "Month");
  if (windows.length === 0) return true;
  return nextRun({ ...fields, exclusions: windows } as unknown as Recurrence, now, now) !== undefined;
}

/** Minutes of the week in which no run begins; those of a Month are not the same in each week, and take away none. */
function excludedMinutes(exclusions: Json | undefined): Uint8Array | undefined {
  const windows = windowsOf(exclusions);
  if (windows.length === 0) return undefined;
  const excluded = new Uint8Array(weekMinutes);
  for (const window of windows)
    for (const [start, length] of windowSpans(window))
      for (let each = 0; each < length; each++) excluded[(start + each) % weekMinutes] = 1;
  return excluded;
}

function windowsOf(exclusions: Json | undefined): readonly JsonObject[] {
  return Array.isArray(exclusions) ? exclusions.filter(isObject) : [];
}

/** Starts and lengths, in minutes, of a window in a week (API 1, Schedule: Exclusion window). */
function windowSpans(window: JsonObject): readonly (readonly [start: number, length: number])[] {
  const from = number(window.startHour, 0) * 60 + number(window.startMinute, 0);
  const to = number(window.endHour, 0) * 60 + number(window.endMinute, 0);
  const lengthIn = (period: number, start: number, end: number) => (((end - start) % period) + period) % period;
  const repeated = (times: number, every: number, start: number, length: number) =>
    Array.from({ length: times }, (_, index) => [index * every + start, length] as const);
  switch (window.recurringInterval) {
    case "Hour": {
      const [start, end] = [number(window.startMinute, 0), number(window.endMinute, 0)];
      return repeated(168, 60, start, lengthIn(60, start, end));
    }
    case "Day":
      return repeated(7, 1440, from, lengthIn(1440, from, to));
    case "WeekDay":
      return repeated(5, 1440, from, lengthIn(1440, from, to));
    case "Week": {
      const start = (number(window.startDayOfWeek, 1) - 1) * 1440 + from;
      const end = (number(window.endDayOfWeek, 1) - 1) * 1440 + to;
      return [[start, lengthIn(weekMinutes, start, end)]];
    }
    default:
      return [];
  }
}

function number(value: Json | undefined, standard: number): number {
  return typeof value === "number" ? value : standard;
}
