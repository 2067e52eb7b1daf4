/** Bounds of the load that a project may declare, as written under `limits`. */
export interface Limits {
  readonly users?: {
    readonly atPeak?: number;
    readonly perRegion?: number;
    /** So many users does a BreakingPoint run count, in all its regions together. */
    readonly breakingPoint?: number;
  };
  readonly userHours?: { readonly perRun?: number; readonly perWeek?: number };
  readonly hours?: readonly DeniedHours[];
  readonly regions?: { readonly allow?: readonly string[] };
  readonly enforce?: "error" | "warn";
}

/** Hours of the week in which nothing may run, such as `Mon-Fri 08:00-18:00`. */
export interface DeniedHours {
  readonly deny: string;
  /** A name of the IANA database; default UTC. */
  readonly timeZone?: string;
}

/** A part of a week, [start, end), in seconds from Monday 00:00; the end may be beyond that of the week. */
export interface WeekSpan {
  readonly start: number;
  readonly end: number;
}

export const daySeconds = 86_400;
export const weekSeconds = 7 * daySeconds;
/** 1970-01-05 was a Monday. */
const mondaySeconds = 4 * daySeconds;

/** The days of a week, the first of which is Monday. */
export const dayNames: readonly string[] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Second of its week of a moment in epoch milliseconds, and of one in another zone by its offset in seconds. */
export function secondOfWeek(at: number, offset = 0): number {
  const seconds = at / 1000 - mondaySeconds + offset;
  return ((seconds % weekSeconds) + weekSeconds) % weekSeconds;
}

const form = /^([a-z]{3}(?:\s*[-,]\s*[a-z]{3})*)\s+([01]\d|2[0-3]):([0-5]\d)\s*-\s*([01]\d|2[0-3]):([0-5]\d)$/i;

/** The spans of `DAYS HH:MM-HH:MM`, one for each day; undefined for any other text. An end not after its start is that of the next day. */
export function parseWeekSpans(text: string): readonly WeekSpan[] | undefined {
  const [, days = "", ...times] = form.exec(text.trim()) ?? [];
  const [startHour = 0, startMinute = 0, endHour = 0, endMinute = 0] = times.map(Number);
  const [start, end] = [startHour * 3600 + startMinute * 60, endHour * 3600 + endMinute * 60];
  const length = end > start ? end - start : end + daySeconds - start;
  const found = new Set<number>();
  for (const part of days.split(",")) {
    const [first = -1, last = first] = part.split("-").map(dayIndex);
    if (first < 0 || last < 0 || part.split("-").length > 2) return undefined;
    for (let day = first; ; day = (day + 1) % 7) {
      found.add(day);
      if (day === last) break;
    }
  }
  return [...found].sort().map((day) => ({
    start: day * daySeconds + start,
    end: day * daySeconds + start + length,
  }));
}

function dayIndex(name: string): number {
  const word = name.trim().toLowerCase();
  return dayNames.findIndex((day) => day.toLowerCase() === word);
}

/** True for a time zone that this system knows. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Parts of a span of time in which a zone has one offset, to the second. */
export function stretches(
  zone: string,
  from: number,
  to: number,
): readonly { readonly from: number; readonly to: number; readonly offset: number }[] {
  const offsetAt = offsetsOf(zone);
  const found: { from: number; to: number; offset: number }[] = [];
  for (let at = from; at < to; ) {
    const offset = offsetAt(at);
    let [same, next] = [at, Math.min(to, at + daySeconds * 1000)];
    if (offsetAt(next) !== offset) {
      while (next - same > 1) {
        const middle = Math.floor((same + next) / 2);
        if (offsetAt(middle) === offset) same = middle;
        else next = middle;
      }
    }
    found.push({ from: at, to: next, offset });
    at = next;
  }
  return found;
}

/** The offset of a zone to UTC at a moment, in seconds. */
export function offsetsOf(zone: string): (at: number) => number {
  if (zone === "UTC") return () => 0;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return (at) => {
    const [, sign = "+", hours = "0", minutes = "0", seconds = "0"] =
      /GMT([+-])(\d\d):?(\d\d)?:?(\d\d)?/.exec(format.format(at)) ?? [];
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === "-" ? -size : size;
  };
}
