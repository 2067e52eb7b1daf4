/** When a configuration runs by itself (API 1, Schedule). Fields that do not belong to its interval are not read. */
export interface Recurrence {
  readonly scheduleType?: string | null;
  /** Single only: ISO 8601 or epoch milliseconds. */
  readonly nextScheduled?: number | string | null;
  readonly recurringInterval?: string | null;
  readonly minute?: number | null;
  readonly hour?: number | null;
  readonly week?: number | null;
  readonly dayOfWeek?: number | null;
  readonly month?: number | null;
  readonly day?: number | null;
  readonly exclusions?: readonly ExclusionWindow[] | null;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** 1970-01-05 was a Monday. */
const mondayMs = 4 * dayMs;

/** The search for a run that no window skips gives up after this many tries, or this far ahead. */
const maximumTries = 5_000;
const horizonMs = 400 * 366 * dayMs;

/**
 * The first run after a moment that no window skips, in epoch milliseconds; undefined when there is none.
 * The grid is anchored in `createdAt`, so a pause does not move it.
 */
export function nextRun(schedule: Recurrence, createdAt: number, after: number): number | undefined {
  if (schedule.scheduleType === "Single") {
    const at = momentOf(schedule.nextScheduled);
    return at > after ? at : undefined;
  }
  const windows = schedule.exclusions ?? [];
  const limit = Math.max(after, createdAt) + horizonMs;
  let from = Math.max(after, createdAt);
  for (let tries = 0; tries < maximumTries; tries++) {
    const run = gridRun(schedule, createdAt, from);
    // Amounts beyond any calendar give NaN.
    if (run === undefined || !(run <= limit)) return undefined;
    const window = windows.find((each) => windowEnd(each, run) !== undefined);
    if (window === undefined) return run;
    from = Math.max(run, (windowEnd(window, run) ?? run) - 1);
  }
  return undefined;
}

/** The next `count` runs after a moment that no window skips. */
export function nextRuns(schedule: Recurrence, createdAt: number, after: number, count: number): readonly number[] {
  const runs: number[] = [];
  let from = after;
  while (runs.length < count) {
    const run = nextRun(schedule, createdAt, from);
    if (run === undefined) return runs;
    runs.push(run);
    from = run;
  }
  return runs;
}

/** Index of the first window that skips a run at this moment. */
export function skippedBy(schedule: Recurrence, runTime: number): number | undefined {
  const index = (schedule.exclusions ?? []).findIndex((window) => windowEnd(window, runTime) !== undefined);
  return index < 0 ? undefined : index;
}

/** The stretches of time from one moment to another that windows cover, to the minute; a part of the first and the last. */
export function excludedSpans(
  { exclusions }: Pick<Recurrence, "exclusions">,
  from: number,
  to: number,
): readonly (readonly [start: number, end: number])[] {
  const spans: [number, number][] = [];
  for (const window of exclusions ?? [])
    for (let at = from; at < to; ) {
      const end = windowEnd(window, at);
      if (end !== undefined) spans.push([at, Math.min(end, to)]);
      at = end ?? at - modulo(at, minuteMs) + minuteMs;
    }
  return spans;
}

const iso = /^(\d{4}-\d\d-(\d\d))(?:[T ](\d\d:\d\d(?::\d\d)?)([.,]\d+)?(?:(Z)|([+-]\d\d):?(\d\d)?)?)?$/i;

/** The last moment of four digits for its year, as {@link iso} has them. */
const lastMoment = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A moment in epoch milliseconds, from these or from ISO 8601; NaN when it is none. Without a zone it is UTC, as all
 * times of the service (API 1, conventions 2, and Schedule), wherever the program runs.
 */
export function momentOf(value: unknown): number {
  const moment =
    typeof value === "number" ? new Date(value).getTime() : typeof value === "string" ? ofText(value) : Number.NaN;
  return Math.abs(moment) <= lastMoment ? moment : Number.NaN;
}

function ofText(value: string): number {
  if (/^\d+$/.test(value)) return new Date(Number(value)).getTime();
  const [, date = "", day, time = "00:00", fraction = "", , hours, minutes = "00"] = iso.exec(value.trim()) ?? [];
  const zone = hours === undefined ? "Z" : `${hours}:${minutes}`;
  const isDay = new Date(Date.parse(`${date}T00:00Z`)).getUTCDate() === Number(day);
  const seconds = time.length === 5 ? ":00" : "";
  return isDay ? Date.parse(`${date}T${time}${seconds}${fraction.replace(",", ".")}${zone}`) : Number.NaN;
}

/** The first run of the bare grid strictly after `after`, which is not before the anchor. */
function gridRun(schedule: Recurrence, anchor: number, after: number): number | undefined {
  const hour = (schedule.hour ?? 0) * hourMs;
  const minute = (schedule.minute ?? 0) * minuteMs;
  const midnight = anchor - (anchor % dayMs);
  switch (schedule.recurringInterval) {
    case "Minute": {
      const step = positive(schedule.minute) * minuteMs;
      return following(anchor - (anchor % minuteMs) + step, step, after);
    }
    case "Hour":
      return following(
        following(anchor - (anchor % hourMs) + minute, hourMs, anchor),
        positive(schedule.hour) * hourMs,
        after,
      );
    case "Day":
      return following(following(midnight + hour + minute, dayMs, anchor), dayMs, after);
    case "WeekDay": {
      const run = following(following(midnight + hour + minute, dayMs, anchor), dayMs, after);
      return weekdayOf(run) <= 5 ? run : run + (8 - weekdayOf(run)) * dayMs;
    }
    case "Week": {
      const toDay = ((schedule.dayOfWeek ?? 1) - weekdayOf(anchor)) * dayMs;
      const first = following(midnight + toDay + hour + minute, 7 * dayMs, anchor);
      return following(first, positive(schedule.week) * 7 * dayMs, after);
    }
    case "Month":
      return monthRun({ day: schedule.day ?? 1, time: hour + minute, period: positive(schedule.month) }, anchor, after);
    default:
      return undefined;
  }
}

const positive = (value: number | null | undefined) => Math.max(1, value ?? 1);

/** `first`, or the first later one of its grid that is strictly after a moment. */
function following(first: number, step: number, after: number): number {
  return first > after ? first : first + (Math.floor((after - first) / step) + 1) * step;
}

function monthRun(
  { day, time, period }: { readonly day: number; readonly time: number; readonly period: number },
  anchor: number,
  after: number,
): number {
  const at = (month: number) => dayOfMonth(month, day) + time;
  const anchored = monthOf(anchor);
  const first = at(anchored) > anchor ? anchored : anchored + 1;
  const passed = Math.max(0, Math.floor((monthOf(after) - first) / period));
  const month = first + passed * period;
  return at(month) > after ? at(month) : at(month + period);
}

/** A window in which scheduled runs are skipped (API 1, Schedule: Exclusion window). Times are UTC. */
interface ExclusionWindow {
  readonly recurringInterval?: string | null;
  readonly startDay?: number | null;
  readonly endDay?: number | null;
  readonly startDayOfWeek?: number | null;
  readonly endDayOfWeek?: number | null;
  readonly startHour?: number | null;
  readonly endHour?: number | null;
  readonly startMinute?: number | null;
  readonly endMinute?: number | null;
}

/**
 * Where the window that covers a moment ends; undefined outside of it. Windows are [start, end) and may wrap; a WeekDay
 * window belongs to the day it starts on.
 */
function windowEnd(window: ExclusionWindow, at: number): number | undefined {
  switch (window.recurringInterval) {
    case "Hour":
      return periodic({ start: minutes(window.startMinute), end: minutes(window.endMinute), period: hourMs }, at);
    case "Day":
      return periodic({ ...timesOfDay(window), period: dayMs }, at);
    case "WeekDay":
      return onWeekdays(timesOfDay(window), at);
    case "Week":
      return periodic({ ...timesOfWeek(window), period: weekMs }, at);
    case "Month":
      return monthly(window, at);
    default:
      return undefined;
  }
}

/** Start of the UTC day that is the `day`th of a month counted from year 0, or its last when the month is shorter. */
function dayOfMonth(month: number, day: number): number {
  const first = Date.UTC(Math.floor(month / 12), month % 12, 1);
  const next = Date.UTC(Math.floor((month + 1) / 12), (month + 1) % 12, 1);
  return first + (Math.min(day, Math.round((next - first) / dayMs)) - 1) * dayMs;
}

/** Month of a moment, counted from year 0. */
function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Day of the week of a moment; 1 is Monday. */
function weekdayOf(at: number): number {
  return Math.floor(modulo(at - mondayMs, weekMs) / dayMs) + 1;
}

interface Times {
  readonly start: number;
  readonly end: number;
}

const minutes = (value: number | null | undefined) => (value ?? 0) * minuteMs;

function timesOfDay(window: ExclusionWindow): Times {
  return {
    start: (window.startHour ?? 0) * hourMs + minutes(window.startMinute),
    end: (window.endHour ?? 0) * hourMs + minutes(window.endMinute),
  };
}

function timesOfWeek(window: ExclusionWindow): Times {
  const { start, end } = timesOfDay(window);
  return {
    start: modulo(mondayMs + ((window.startDayOfWeek ?? 1) - 1) * dayMs + start, weekMs),
    end: modulo(mondayMs + ((window.endDayOfWeek ?? 1) - 1) * dayMs + end, weekMs),
  };
}

function periodic({ start, end, period }: Times & { readonly period: number }, at: number): number | undefined {
  const began = at - modulo(at - start, period);
  const ends = began + modulo(end - start, period);
  return at < ends ? ends : undefined;
}

function onWeekdays(times: Times, at: number): number | undefined {
  const ends = periodic({ ...times, period: dayMs }, at);
  if (ends === undefined) return undefined;
  const began = at - modulo(at - times.start, dayMs);
  return weekdayOf(began) <= 5 ? ends : undefined;
}

function monthly(window: ExclusionWindow, at: number): number | undefined {
  const times = timesOfDay(window);
  const edges = { startDay: window.startDay ?? 1, endDay: window.endDay ?? 1 };
  const wraps = edges.endDay < edges.startDay || (edges.endDay === edges.startDay && times.end < times.start);
  const month = monthOf(at);
  const startsIn = dayOfMonth(month, edges.startDay) + times.start <= at ? month : month - 1;
  const ends = dayOfMonth(wraps ? startsIn + 1 : startsIn, edges.endDay) + times.end;
  return at < ends ? ends : undefined;
}

function modulo(value: number, period: number): number {
  return ((value % period) + period) % period;
}
