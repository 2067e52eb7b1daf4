import { type JsonObject, mappingsIn } from "../model/json.ts";
import type { Rule, RuleFinding, Variant } from "../model/kind.ts";
import { momentOf } from "../model/recurrence.ts";
import { inactiveFields } from "../model/variant.ts";
import { exclusion, foreignMembers } from "./exclusion.ts";
import { finding, isSet } from "./field-parts.ts";

/** Which fields belong to which schedule. */
export const scheduleVariants: readonly Variant[] = [
  {
    by: "scheduleType",
    owns: {
      Single: ["nextScheduled"],
      Recurring: ["recurringInterval", "minute", "hour", "week", "dayOfWeek", "month", "day", "exclusions", "active"],
    },
  },
  {
    by: "recurringInterval",
    owns: {
      Minute: ["minute"],
      Hour: ["hour", "minute"],
      WeekDay: ["hour", "minute"],
      Day: ["hour", "minute"],
      Week: ["week", "dayOfWeek", "hour", "minute"],
      Month: ["month", "day", "hour", "minute"],
    },
  },
];

/** Rules of the service for schedules (API 1, Schedule). */
export const scheduleRules: readonly Rule[] = [
  { origin: "documented", section: "1 Schedule", check: intervalRequired },
  { origin: "decision", section: "service 1.2.2", check: momentRequired },
  { origin: "decision", section: "service 1.2.10", check: readableMoment },
  { origin: "decision", section: "service 1.2.2", check: requiredPerInterval },
  { origin: "decision", section: "service 1.2.2", check: (fields) => outOfRange(fields, periodsOf) },
  { origin: "documented", section: "1 Schedule", check: (fields) => outOfRange(fields, timesOf, timeOfDay) },
  { origin: "decision", section: "service 1.2.2", check: foreignToInterval },
  { origin: "decision", section: "service 9", check: emptyWindows },
  { origin: "decision", section: "service 1.2.2", check: windowsFitInterval },
  { origin: "decision", section: "service 1.2.10", check: pauseOnlyRecurring },
];

function intervalRequired(fields: JsonObject): readonly RuleFinding[] {
  if (fields.scheduleType !== "Recurring" || isSet(fields.recurringInterval)) return [];
  const detail = "A Recurring schedule needs Minute, Hour, WeekDay, Day, Week or Month";
  return [finding(["scheduleType"], "recurringInterval is missing", detail)];
}

function momentRequired(fields: JsonObject): readonly RuleFinding[] {
  if (fields.scheduleType !== "Single" || isSet(fields.nextScheduled)) return [];
  const detail = "A Single schedule needs the moment of its run, in ISO 8601 or epoch milliseconds";
  return [finding(["scheduleType"], "nextScheduled is missing", detail)];
}

function readableMoment(fields: JsonObject): readonly RuleFinding[] {
  const moment = fields.nextScheduled;
  if (fields.scheduleType !== "Single" || !isSet(moment)) return [];
  if (!Number.isNaN(momentOf(moment))) return [];
  const detail = `${JSON.stringify(moment)} is neither ISO 8601 nor epoch milliseconds`;
  return [finding(["nextScheduled"], "nextScheduled is not a moment", detail)];
}

/** A new Single must be in the future; a bound one that has fired is finished, which is no error. */
export function pastMoment(fields: JsonObject, now: number): readonly RuleFinding[] {
  const at = momentOf(fields.nextScheduled);
  if (fields.scheduleType !== "Single" || !(at <= now)) return [];
  const detail = `${new Date(at).toISOString()} has passed: set a moment in the future`;
  return [finding(["nextScheduled"], "a new Single schedule is in the past", detail)];
}

function requiredPerInterval(fields: JsonObject): readonly RuleFinding[] {
  if (fields.scheduleType !== "Recurring") return [];
  const needed = { Minute: "minute", Week: "dayOfWeek" }[String(fields.recurringInterval)];
  if (needed === undefined || isSet(fields[needed])) return [];
  const detail = `recurringInterval ${String(fields.recurringInterval)} needs ${needed}`;
  return [finding(["recurringInterval"], `${needed} is missing`, detail)];
}

type Bounds = readonly [minimum: number, maximum: number];
type FieldBounds = Readonly<Record<string, Bounds>>;

/** Which fields are a time: a day has 24 hours and an hour 60 minutes, whatever the service makes of others. */
const timeOfDay: FieldBounds = { hour: [0, 23], minute: [0, 59] };
const timesOf: Readonly<Record<string, FieldBounds>> = { Minute: {}, Hour: { minute: [0, 59] } };

/** Which are a period; the documents do not say what 0 means. */
const periodsOf: Readonly<Record<string, FieldBounds>> = {
  Minute: { minute: [1, Number.POSITIVE_INFINITY] },
  Hour: { hour: [1, Number.POSITIVE_INFINITY] },
};

function outOfRange(fields: JsonObject, of: Readonly<Record<string, FieldBounds>>, others: FieldBounds = {}) {
  const interval = fields.recurringInterval;
  if (fields.scheduleType !== "Recurring" || typeof interval !== "string") return [];
  return Object.entries(of[interval] ?? others).flatMap(([name, [minimum, maximum]]) => {
    const value = fields[name];
    // A value below 0 is refused by the field itself, whatever the interval.
    if (typeof value !== "number" || value < 0 || (value >= minimum && value <= maximum)) return [];
    const expected = maximum === Number.POSITIVE_INFINITY ? `at least ${minimum}` : `${minimum} to ${maximum}`;
    const detail = `It is ${value}. With recurringInterval ${interval} it may be ${expected}`;
    return [finding([name], `${name} is out of range`, detail)];
  });
}

function foreignToInterval(fields: JsonObject): readonly RuleFinding[] {
  const isSingle = fields.scheduleType === "Single" || !isSet(fields.recurringInterval);
  const chosen = isSingle
    ? `scheduleType ${String(fields.scheduleType)}`
    : `recurringInterval ${String(fields.recurringInterval)}`;
  return [...inactiveFields(scheduleVariants, fields)]
    .filter((name) => isSet(fields[name]) && name !== "active")
    .map((name) => finding([name], `${name} has no effect`, `It has no meaning with ${chosen}: remove it`));
}

function pauseOnlyRecurring(fields: JsonObject): readonly RuleFinding[] {
  if (fields.scheduleType !== "Single" || !isSet(fields.active)) return [];
  const detail = "active belongs to Recurring schedules: remove it";
  return [finding(["active"], "a Single schedule cannot be paused", detail)];
}

const edge = (window: JsonObject, prefix: string) =>
  ["Day", "DayOfWeek", "Hour", "Minute"].map(
    (part) => window[prefix + part] ?? (part === "Day" || part === "DayOfWeek" ? null : 0),
  );

function emptyWindows(fields: JsonObject): readonly RuleFinding[] {
  return mappingsIn(fields.exclusions)
    .filter(([, window]) => JSON.stringify(edge(window, "start")) === JSON.stringify(edge(window, "end")))
    .map(([index]) =>
      finding(["exclusions", index], "an exclusion window is empty", "Its end is the same as its start"),
    );
}

const ofInterval: Readonly<Record<string, readonly string[]>> = {
  Month: ["startDay", "endDay"],
  Week: ["startDayOfWeek", "endDayOfWeek"],
};

const intervals = exclusion.fields?.recurringInterval?.values ?? [];

function windowsFitInterval(fields: JsonObject): readonly RuleFinding[] {
  return mappingsIn(fields.exclusions).flatMap(([index, window]) => {
    const interval = String(window.recurringInterval);
    if (!intervals.includes(interval)) return [];
    const missing = (ofInterval[interval] ?? []).filter((member) => !isSet(window[member]));
    return [
      ...missing.map((member) =>
        finding(["exclusions", index], `${member} is missing`, `A window of interval ${interval} needs ${member}`),
      ),
      ...foreignMembers(window).map((member) => {
        const detail = `It has no meaning in a window of interval ${interval}: remove it`;
        return finding(["exclusions", index, member], `${member} has no effect`, detail);
      }),
    ];
  });
}
