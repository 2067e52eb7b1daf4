import type { ProjectMemory } from "./project-memory.ts";
import type { WatchClock } from "./watch-events.ts";
import type { WatchedProject } from "./watched-project.ts";

const minuteMs = 60_000;
/** Errors in a row never make a project wait longer. */
const longestBackOffMs = 15 * minuteMs;
/** An object that was postponed for a run is looked at again so soon, so that neither a run's end nor the five minutes before one are missed. */
const soonMs = 2 * minuteMs;

/**
 * The moment of the next check: an interval later, ±10 %. Each error in a row doubles the interval up to 15 minutes, of which up
 * to a quarter is taken off by chance, so that projects that failed together do not try together; a longer interval is cut to that.
 * Soon where something was postponed, or the healing was interrupted: `isUnfinished`.
 */
export function nextCheckAfter(
  project: WatchedProject,
  end: Pick<ProjectMemory, "failures"> & { readonly isUnfinished: boolean },
  { now, random }: WatchClock,
): number {
  const interval = project.intervalSecs * 1000;
  if (end.failures > 0) {
    const doubled = Math.min(longestBackOffMs, interval * 2 ** Math.min(end.failures, 20));
    return Math.round(now + doubled * (0.75 + 0.25 * random()));
  }
  const usual = end.isUnfinished ? Math.min(interval, soonMs) : interval;
  return Math.round(now + usual * (0.9 + 0.2 * random()));
}

/** The moment of the first check after a suspension: up to a tenth of an interval later, so that not all projects of a window begin together. */
export function nextCheckAfterSuspension(
  project: WatchedProject,
  until: number | undefined,
  { random }: WatchClock,
): number | undefined {
  return until === undefined ? undefined : Math.round(until + project.intervalSecs * 100 * random());
}
