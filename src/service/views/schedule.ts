import { momentOf, nextRun } from "../../model/recurrence.ts";
import type { Scope } from "../core/scope.ts";
import type { ScheduleRecord } from "../store/records.ts";
import type { View } from "./stamp.ts";
import { present, stamp } from "./stamp.ts";

/** Seed 1, Schedule. `nextScheduled` is the next run that no window excludes; null when paused, spent or none (service.md 9). */
export function viewSchedule(row: ScheduleRecord, scope: Scope): View {
  const { id, createdAt, updatedAt, configurationId: _, exclusions, nextScheduled: __, active: ___, ...fields } = row;
  return {
    ...stamp({ id, createdAt, updatedAt }),
    ...present({ ...fields, exclusions: exclusions?.map((window) => present({ ...window })) }),
    nextScheduled: nextScheduled(row, scope.now),
    active: isActive(row, scope.now),
  };
}

/** When a schedule fires next, as ISO time. */
export function nextScheduled(row: ScheduleRecord, now: number): string | null {
  if (!row.active) return null;
  const run = nextRun(row, Date.parse(row.createdAt), now);
  return run === undefined ? null : new Date(run).toISOString();
}

/** A Single schedule whose moment has come is spent (service.md 1.2.10). */
export function isActive(row: ScheduleRecord, now: number): boolean {
  return row.active && !(row.scheduleType === "Single" && momentOf(row.nextScheduled) <= now);
}
