/** A window in which scheduled runs are skipped (seed 1, Schedule: Exclusion window). Times are UTC. */
export interface ExclusionWindow {
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

/** Spans of time in milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** 1970-01-05 was a Monday. */
const mondayMs = 4 * dayMs;

/**
 * Where the window that covers a moment ends; undefined outside of it. Windows are [start, end) and may wrap; a WeekDay
 * window belongs to the day it starts on.
 */
export function windowEnd(window: ExclusionWindow, at: number): number | undefined {
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
export function dayOfMonth(month: number, day: number): number {
  const first = Date.UTC(Math.floor(month / 12), month % 12, 1);
  const next = Date.UTC(Math.floor((month + 1) / 12), (month + 1) % 12, 1);
  return first + (Math.min(day, Math.round((next - first) / dayMs)) - 1) * dayMs;
}

/** Month of a moment, counted from year 0. */
export function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Day of the week of a moment; 1 is Monday. */
export function weekdayOf(at: number): number {
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
