import type { JsonValue } from "../../api/routes.ts";
import { momentOf } from "../../model/recurrence.ts";
import type { Scope } from "../core/scope.ts";
import type { ScheduleFields, ScheduleRecord } from "../store/records.ts";
import { readExclusions } from "./read-exclusions.ts";

type Item = Readonly<Record<string, JsonValue>>;
type Member = "minute" | "hour" | "week" | "dayOfWeek" | "month" | "day";
type Range = readonly [minimum: number, maximum: number, standard: number | undefined];

const hourOfDay: Range = [0, 23, 0];
const minuteOfHour: Range = [0, 59, 0];
const period: Range = [1, Number.MAX_SAFE_INTEGER, 1];

/** Seed 1, Schedule (table of intervals); DECISION (seed 1, Schedule): ranges, defaults and `day`. */
const members: Readonly<Record<string, Readonly<Partial<Record<Member, Range>>>>> = {
  Minute: { minute: [1, Number.MAX_SAFE_INTEGER, undefined] },
  Hour: { hour: period, minute: minuteOfHour },
  WeekDay: { hour: hourOfDay, minute: minuteOfHour },
  Day: { hour: hourOfDay, minute: minuteOfHour },
  Week: { week: period, dayOfWeek: [1, 7, undefined], hour: hourOfDay, minute: minuteOfHour },
  Month: { month: period, day: [1, 31, 1], hour: hourOfDay, minute: minuteOfHour },
};

const recurringMembers = ["recurringInterval", "minute", "hour", "week", "dayOfWeek", "month", "day", "exclusions"];

/** Where a schedule stands in a body, and what stood there before. */
interface Place {
  readonly at: string;
  readonly former: ScheduleRecord | undefined;
  readonly scope: Scope;
}

/** What a schedule in a body says (seed 1, Schedule). */
export function readSchedule(item: Item, place: Place): ScheduleFields {
  const { at, scope } = place;
  const scheduleType = item["scheduleType"];
  if (scheduleType === "Single") return readSingle(item, place);
  if (scheduleType === "Recurring") return readRecurring(item, place);
  scope.findings.add(`${at}.scheduleType`, "found none; expected Single or Recurring");
  return { scheduleType: "" };
}

/** DECISION (seed 1, Schedule): a new Single lies in the future; one that has run stays as it is. */
function readSingle(item: Item, { at, former, scope }: Place): ScheduleFields {
  reportForeign(item, recurringMembers, { at, scope });
  const known = former?.scheduleType === "Single" ? former.nextScheduled : undefined;
  const given = item["nextScheduled"] ?? undefined;
  if (given === undefined && known !== undefined) return { scheduleType: "Single", nextScheduled: known };
  const moment = momentOf(given);
  if (given === undefined)
    scope.findings.add(`${at}.nextScheduled`, "found none; expected when to run: epoch milliseconds or ISO 8601");
  if (Number.isNaN(moment)) return { scheduleType: "Single" };
  const nextScheduled = new Date(moment).toISOString();
  if (moment <= scope.now && nextScheduled !== known)
    scope.findings.add(
      `${at}.nextScheduled`,
      `found ${nextScheduled}, which has passed; expected a time after ${new Date(scope.now).toISOString()}`,
    );
  return { scheduleType: "Single", nextScheduled };
}

function readRecurring(item: Item, place: Place): ScheduleFields {
  const { at, scope, former } = place;
  // A schedule read from the service carries its next run: sent back with its id it is no mistake.
  if (former === undefined) reportForeign(item, ["nextScheduled"], place);
  const recurringInterval = String(item["recurringInterval"] ?? "");
  const own = members[recurringInterval];
  if (own === undefined) {
    scope.findings.add(`${at}.recurringInterval`, `found none; expected one of ${Object.keys(members).join(", ")}`);
    return { scheduleType: "Recurring" };
  }
  reportForeign(
    item,
    Object.keys(members["Month"] ?? {})
      .concat("week", "dayOfWeek")
      .filter((name) => !(name in own)),
    place,
  );
  const fields: Partial<Record<Member, number>> = {};
  for (const [name, range] of Object.entries(own) as [Member, Range][]) {
    const value = readNumber(item[name], range, `${at}.${name}`, scope);
    if (value !== undefined) fields[name] = value;
  }
  return {
    scheduleType: "Recurring",
    recurringInterval,
    ...fields,
    exclusions: readExclusions(item["exclusions"], `${at}.exclusions`, scope),
  };
}

function readNumber(
  value: JsonValue | undefined,
  [minimum, maximum, standard]: Range,
  at: string,
  scope: Scope,
): number | undefined {
  const given = value ?? standard;
  if (typeof given === "number" && given >= minimum && given <= maximum) return given;
  const expected = maximum === Number.MAX_SAFE_INTEGER ? `at least ${minimum}` : `${minimum} to ${maximum}`;
  scope.findings.add(at, `found ${JSON.stringify(given) ?? "none"}; expected ${expected}`);
  return undefined;
}

function reportForeign(
  item: Item,
  names: readonly string[],
  { at, scope }: { readonly at: string; readonly scope: Scope },
): void {
  for (const name of names) if (item[name] !== undefined && item[name] !== null) scope.unknown.push(`${at}.${name}`);
}
