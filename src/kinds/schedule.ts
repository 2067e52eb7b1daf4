import { choice, flag, integer, list, text, time } from "../model/field.ts";
import type { JsonObject } from "../model/json.ts";
import { defineKind, type NextTime } from "../model/kind.ts";
import { nextRuns, type Recurrence, skippedBy } from "../model/recurrence.ts";
import { exclusion } from "./exclusion.ts";
import { childList, set } from "./remote-calls.ts";
import { pastMoment, scheduleRules, scheduleVariants } from "./schedule-rules.ts";

/** API 1, Schedule: when a configuration runs by itself. Written inside its configuration. */
export const schedule = defineKind({
  name: "schedule",
  plural: "schedules",
  parent: "configuration",
  description: "A schedule: when a configuration runs by itself, once or again and again. All times are UTC.",
  fields: {
    scheduleType: choice(["Single", "Recurring"], { description: "Once, or again and again.", required: true }),
    nextScheduled: time({
      description:
        "When a Single schedule runs: ISO 8601, or epoch milliseconds. Once it has run, only another moment is sent.",
      examples: ["2027-01-15T02:00:00Z"],
      // A Recurring schedule's next run is computed, not declared.
      wire: { read: (wire) => (wire["scheduleType"] === "Single" ? (wire["nextScheduled"] ?? undefined) : undefined) },
    }),
    recurringInterval: choice(["Minute", "Hour", "WeekDay", "Day", "Week", "Month"], {
      description: "How often a Recurring schedule runs.",
    }),
    minute: integer({ description: "Minute of the hour; for Minute, the period in minutes.", minimum: 0, default: 0 }),
    hour: integer({
      description: "Hour of the day, UTC; for Hour, the period in hours.",
      filledIn: true,
      minimum: 0,
      sense: ({ recurringInterval }) => (recurringInterval === "Hour" ? "period" : "time"),
    }),
    week: integer({ description: "Period in weeks.", minimum: 1, origin: "decision", default: 1 }),
    dayOfWeek: integer({ description: "Day of the week; 1 is Monday.", minimum: 1, maximum: 7, origin: "decision" }),
    month: integer({ description: "Period in months.", minimum: 1, origin: "decision", default: 1 }),
    day: integer({
      description: "Day of the month; past its end means its last day.",
      minimum: 1,
      maximum: 31,
      origin: "decision",
      default: 1,
    }),
    exclusions: list(exclusion, {
      description: "Windows in which runs are skipped.",
      default: [],
      set: true,
      examples: [[{ recurringInterval: "Day", startHour: 22, endHour: 2 }]],
    }),
    active: flag({ description: "false pauses a Recurring schedule.", default: true, separateRequest: true }),
  },
  variants: scheduleVariants,
  inline: { member: "schedules", clear: { deleteSchedule: true } },
  facts: {
    active: flag({ description: "Whether it will run." }),
    nextScheduled: time({ description: "When it runs next." }),
    scheduleType: text({ description: "Once, or again and again." }),
  },
  rules: scheduleRules,
  pause: { field: "active", applies: ({ scheduleType }) => scheduleType === "Recurring" },
  nextTimes,
  beforeCreate: pastMoment,
  finished: (live, facts) => live.scheduleType === "Single" && facts.active === false,
  remote: {
    within: childList("schedules"),
    set: set("PUT /test-schedules/:scheduleId", ({ id }) => ({ scheduleId: id })),
  },
});

/** Number of next runs that a plan shows. */
const shown = 3;

/** The next moments at which a schedule fires, and the windows that skip those in between. */
function nextTimes(fields: JsonObject, at: { readonly createdAt: number; readonly now: number }): readonly NextTime[] {
  if (fields.active === false) return [];
  const recurrence = { exclusions: [], ...fields } as unknown as Recurrence;
  const open = nextRuns(recurrence, at.createdAt, at.now, shown);
  return open.map((moment) => {
    const window = skippedBy(recurrence, moment);
    return window === undefined ? { at: moment } : { at: moment, skippedBy: window };
  });
}
