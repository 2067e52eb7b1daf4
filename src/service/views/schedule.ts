import type { JsonValue } from "../../api/routes.ts";
import { momentOf } from "../../model/recurrence.ts";
import type { Scope } from "../core/scope.ts";
import type { ScheduleRecord } from "../store/records.ts";
import type { View } from "./stamp.ts";
import { present } from "./stamp.ts";

const variantFields = ["recurringInterval", "minute", "hour", "week", "dayOfWeek", "month", "day"] as const;

/** Seed 1, Schedule. `nextScheduled` is the next run that no window excludes; null when paused, spent or none. */
export function viewSchedule(row: ScheduleRecord, scope: Scope): View {
  const view: Record<string, JsonValue> = {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    firstVersion: row.createdAt === row.updatedAt,
    scheduleType: row.scheduleType,
    nextScheduled: nextScheduled(row, scope),
    active: isActive(row, scope.now),
  };
  for (const name of variantFields) {
    const value = row[name];
    if (value !== undefined) view[name] = value;
  }
  if (row.exclusions) view["exclusions"] = row.exclusions.map((window) => present({ ...window }));
  return view;
}

/** When a schedule fires next, as ISO time. */
export function nextScheduled(row: ScheduleRecord, { runs, now }: Scope): string | null {
  const run = runs.after(row, now);
  return run === undefined ? null : new Date(run).toISOString();
}

/** A Single schedule whose moment has come is spent. */
export function isActive(row: ScheduleRecord, now: number): boolean {
  return row.active && !(row.scheduleType === "Single" && momentOf(row.nextScheduled) <= now);
}
