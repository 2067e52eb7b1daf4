// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Expression } from "../expressions.ts";

/** A window in which scheduled runs are skipped. */
interface ScheduleExclusionsItem {
  /** How often the window comes. */
  readonly recurringInterval: "Month" | "Week" | "WeekDay" | "Day" | "Hour" | Expression;
  /** First day of the month. */
  readonly startDay?: number | Expression | null;
  /** Last day of the month. */
  readonly endDay?: number | Expression | null;
  /** First day of the week; 1 is Monday. */
  readonly startDayOfWeek?: number | Expression | null;
  /** Last day of the week; 1 is Monday. */
  readonly endDayOfWeek?: number | Expression | null;
  /** Hour at which it starts, UTC. Default: 0. */
  readonly startHour?: number | Expression | null;
  /** Hour at which it ends, UTC. Default: 0. */
  readonly endHour?: number | Expression | null;
  /** Minute at which it starts. Default: 0. */
  readonly startMinute?: number | Expression | null;
  /** Minute at which it ends. Default: 0. */
  readonly endMinute?: number | Expression | null;
}

/** A schedule: when a configuration runs by itself, once or again and again. All times are UTC. */
export interface ScheduleProps {
  /** Once, or again and again. */
  readonly scheduleType: "Single" | "Recurring" | Expression;
  /** When a Single schedule runs: ISO 8601, or epoch milliseconds. Once it has run it is spent and never sent again. */
  readonly nextScheduled?: string | number | Date | null;
  /** How often a Recurring schedule runs. */
  readonly recurringInterval?: "Minute" | "Hour" | "WeekDay" | "Day" | "Week" | "Month" | Expression | null;
  /** Minute of the hour; for Minute, the period in minutes. Default: 0. */
  readonly minute?: number | Expression | null;
  /** Hour of the day, UTC; for Hour, the period in hours. */
  readonly hour?: number | Expression | null;
  /** Period in weeks. Default: 1. */
  readonly week?: number | Expression | null;
  /** Day of the week; 1 is Monday. */
  readonly dayOfWeek?: number | Expression | null;
  /** Period in months. Default: 1. */
  readonly month?: number | Expression | null;
  /** Day of the month; past its end means its last day. Default: 1. */
  readonly day?: number | Expression | null;
  /** Windows in which runs are skipped. */
  readonly exclusions?: readonly ScheduleExclusionsItem[] | null;
  /** false pauses a Recurring schedule. Default: true. */
  readonly active?: boolean | Expression | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?:
    | readonly (
        | "scheduleType"
        | "nextScheduled"
        | "recurringInterval"
        | "minute"
        | "hour"
        | "week"
        | "dayOfWeek"
        | "month"
        | "day"
        | "exclusions"
        | "active"
      )[]
    | null;
}
