import {
  daySeconds,
  offsetsOf,
  parseWeekSpans,
  secondOfWeek,
  stretches,
  type WeekSpan,
  weekSeconds,
} from "../model/limits.ts";
import type { Known } from "./watch-events.ts";
import type { SuspendWindow } from "./watched-project.ts";

/** A reason not to check a project now. */
interface Suspension {
  /** By hand, or the window as written. */
  readonly reason: string;
  /** The first moment without any; absent for one that lasts until somebody resumes the project. */
  readonly until?: number;
}

/** Windows that cover a whole week never end: their project asks again after so long. */
const horizonMs = 8 * daySeconds * 1000;

/**
 * The suspension of a project at a moment: by hand, or by a window of its hours. Hours are those of the zone's clocks: a window whose
 * end is skipped by them ends when they jump, one in a repeated hour covers both.
 */
export function suspensionAt({ project, memory }: Known, now: number): Suspension | undefined {
  const { suspendedUntil } = memory;
  const isByHand = suspendedUntil === null || (suspendedUntil !== undefined && suspendedUntil > now);
  const window = project.suspend.find((each) => isCovered(each, now));
  if (!isByHand && window === undefined) return undefined;
  const reason = isByHand || window === undefined ? handWords(suspendedUntil) : windowWords(window);
  if (suspendedUntil === null) return { reason };
  return { reason, until: firstFree(project.suspend, isByHand ? suspendedUntil : now, now + horizonMs) };
}

/** The first moment after `from` and before `to` at which a window begins; `to` where none does. None covers `from`. */
export function nextSuspension(windows: readonly SuspendWindow[], from: number, to: number): number {
  return Math.min(to, ...windows.flatMap((window) => startsWithin(window, from, to)));
}

/** The starts of a window between two moments; clocks that jump into it begin it too. */
function startsWithin(window: SuspendWindow, from: number, to: number): readonly number[] {
  const { spans } = clockOf(window);
  return stretches(window.timeZone, from, to).flatMap((same) => {
    const second = secondOfWeek(same.from, same.offset);
    const starts = spans.map(({ start }) => same.from + ((start - second + weekSeconds) % weekSeconds) * 1000);
    const jumped = same.from > from && isCovered(window, same.from) ? [same.from] : [];
    return [...jumped, ...starts.map(Math.ceil).filter((at) => at > from && at < same.to)];
  });
}

function handWords(until: number | null | undefined): string {
  return typeof until === "number" ? `by hand until ${new Date(until).toISOString()}` : "by hand";
}

function windowWords({ during, timeZone }: SuspendWindow): string {
  return `${during} ${timeZone}`;
}

/** The first moment from `from` on that no window covers; those after `limit` are not looked for. */
function firstFree(windows: readonly SuspendWindow[], from: number, limit: number): number {
  let at = from;
  while (at < limit) {
    const window = windows.find((each) => isCovered(each, at));
    if (window === undefined) return at;
    at = endOrChange(window, at);
  }
  return Math.max(at, from);
}

/** The end of a window that covers a moment, or the change of its zone's clocks before that: whichever is first. */
function endOrChange(window: SuspendWindow, at: number): number {
  const { spans, offsetAt } = clockOf(window);
  const second = secondOfWeek(at, offsetAt(at));
  const span = spans.find((each) => covers(each, second));
  if (span === undefined) return at + 1000;
  const left = (span.end - second) % weekSeconds;
  const [same] = stretches(window.timeZone, at, at + Math.ceil(left * 1000));
  return same?.to ?? at + 1000;
}

function isCovered(window: SuspendWindow, at: number): boolean {
  const { spans, offsetAt } = clockOf(window);
  const second = secondOfWeek(at, offsetAt(at));
  return spans.some((span) => covers(span, second));
}

/** A span may reach into the next week. */
function covers({ start, end }: WeekSpan, second: number): boolean {
  return (second >= start && second < end) || second + weekSeconds < end;
}

/** A window as it is looked up: its spans, and the offset of its zone to UTC. */
interface WindowClock {
  readonly spans: readonly WeekSpan[];
  readonly offsetAt: (at: number) => number;
}

/** Reading a window and opening its zone cost more than a thousand looks at it. */
const clocks = new WeakMap<SuspendWindow, WindowClock>();

function clockOf(window: SuspendWindow): WindowClock {
  const known = clocks.get(window);
  if (known !== undefined) return known;
  const clock = { spans: parseWeekSpans(window.during) ?? [], offsetAt: offsetsOf(window.timeZone) };
  clocks.set(window, clock);
  return clock;
}
