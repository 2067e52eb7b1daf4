import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "../../api/routes.ts";
import { momentOf } from "../../model/recurrence.ts";
import type { Scope } from "../core/scope.ts";
import { isJsonObject } from "../store/json-values.ts";
import type { ScheduleFields, ScheduleRecord, WindowRecord } from "../store/records/configurations.ts";

/** A schedule as it will be written: with its record when it keeps its id. */
export interface ScheduleWrite {
  readonly former: ScheduleRecord | undefined;
  readonly fields: ScheduleFields;
}

/**
 * DECISION (API 1, Test configurations): the list is replaced whole; an item with an id of this configuration keeps id,
 * createdAt and active, one without is new and active; a foreign id is 400.
 */
export function readSchedules(
  value: JsonValue | undefined,
  formers: readonly ScheduleRecord[],
  scope: Scope,
): readonly ScheduleWrite[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return [];
  const taken = new Set<number>();
  return value.filter(isJsonObject).map((item, index) => {
    const at = `schedules[${index}]`;
    const former = formers.find((each) => each.id === item["id"]);
    if (typeof item["id"] === "number" && (former === undefined || taken.has(item["id"])))
      scope.findings.add(
        `${at}.id`,
        `found ${item["id"]}; expected no id, or that of one schedule of this configuration`,
      );
    if (former) taken.add(former.id);
    return {
      former: scope.settings.scheduleIds === "new" ? undefined : former,
      fields: readSchedule(item, { at, former, scope }),
    };
  });
}

/** Writes the schedules of a configuration; those left out are removed. */
export function writeSchedules(writes: readonly ScheduleWrite[], configurationId: number, scope: Scope): void {
  const { store } = scope;
  const remaining = new Set(writes.map(({ former }) => former?.id));
  for (const { id } of store.where("schedule", "configurationId", configurationId))
    if (!remaining.has(id)) store.remove("schedule", id);
  for (const { former, fields } of writes)
    if (former) replaceSchedule(former, fields, scope);
    else store.insert("schedule", { ...fields, configurationId, active: true });
}

function replaceSchedule(former: ScheduleRecord, fields: ScheduleFields, { store }: Scope): void {
  const { id, createdAt, updatedAt, configurationId, active, ...known } = former;
  if (isDeepStrictEqual(known, fields)) return;
  // A Single that has run and gets another moment runs again.
  const rearmed = fields.scheduleType === "Single" && fields.nextScheduled !== known.nextScheduled;
  store.replace("schedule", {
    ...fields,
    id,
    createdAt,
    configurationId,
    updatedAt: store.now(),
    active: active || rearmed,
  });
}

type ScheduleBody = Readonly<Record<string, JsonValue>>;
type Member = "minute" | "hour" | "week" | "dayOfWeek" | "month" | "day";
type Range = readonly [minimum: number, maximum: number, standard: number | undefined];

const hourOfDay: Range = [0, 23, 0];
const minuteOfHour: Range = [0, 59, 0];
const period: Range = [1, Number.MAX_SAFE_INTEGER, 1];

/** API 1, Schedule: table of intervals; DECISION (API 1, Schedule): ranges, defaults and `day`. */
const intervalMembers: Readonly<Record<string, Readonly<Partial<Record<Member, Range>>>>> = {
  Minute: { minute: [1, Number.MAX_SAFE_INTEGER, undefined] },
  Hour: { hour: period, minute: minuteOfHour },
  WeekDay: { hour: hourOfDay, minute: minuteOfHour },
  Day: { hour: hourOfDay, minute: minuteOfHour },
  Week: { week: period, dayOfWeek: [1, 7, undefined], hour: hourOfDay, minute: minuteOfHour },
  Month: { month: period, day: [1, 31, 1], hour: hourOfDay, minute: minuteOfHour },
};

const recurringMembers = ["recurringInterval", "minute", "hour", "week", "dayOfWeek", "month", "day", "exclusions"];

/** A schedule within a body, and the one that it replaces. */
interface ScheduleItem {
  readonly at: string;
  readonly former: ScheduleRecord | undefined;
  readonly scope: Scope;
}

/** The fields of a schedule in a body (API 1, Schedule). */
function readSchedule(item: ScheduleBody, place: ScheduleItem): ScheduleFields {
  const { at, scope } = place;
  const scheduleType = item["scheduleType"];
  if (scheduleType === "Single") return readSingle(item, place);
  if (scheduleType === "Recurring") return readRecurring(item, place);
  scope.findings.add(`${at}.scheduleType`, "found none; expected Single or Recurring");
  return { scheduleType: "" };
}

/** DECISION (API 1, Schedule): a new Single lies in the future; one that has run remains as it is. */
function readSingle(item: ScheduleBody, { at, former, scope }: ScheduleItem): ScheduleFields {
  reportForeign(item, recurringMembers, { at, scope });
  const known = former?.scheduleType === "Single" ? former.nextScheduled : undefined;
  const given = item["nextScheduled"];
  // One that has run shows null, and may be sent back as it is read.
  const isAsRead = given === undefined || (given === null && momentOf(known) <= scope.now);
  if (isAsRead && known !== undefined) return { scheduleType: "Single", nextScheduled: known };
  const moment = momentOf(given ?? undefined);
  if (given === undefined || given === null)
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

function readRecurring(item: ScheduleBody, place: ScheduleItem): ScheduleFields {
  const { at, scope, former } = place;
  // A schedule read from the service carries its next run: sent back with its id it is no mistake.
  if (former === undefined) reportForeign(item, ["nextScheduled"], place);
  const recurringInterval = String(item["recurringInterval"] ?? "");
  const own = intervalMembers[recurringInterval];
  if (own === undefined) {
    scope.findings.add(
      `${at}.recurringInterval`,
      `found none; expected one of ${Object.keys(intervalMembers).join(", ")}`,
    );
    return { scheduleType: "Recurring" };
  }
  reportForeign(
    item,
    Object.keys(intervalMembers["Month"] ?? {})
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
  item: ScheduleBody,
  names: readonly string[],
  { at, scope }: { readonly at: string; readonly scope: Scope },
): void {
  for (const name of names) if (item[name] !== undefined && item[name] !== null) scope.unknown.push(`${at}.${name}`);
}

type WindowMember = Exclude<keyof WindowRecord, "recurringInterval">;

const minutes: readonly WindowMember[] = ["startMinute", "endMinute"];
const hours: readonly WindowMember[] = ["startHour", "endHour", ...minutes];

/** API 1, Exclusion window: which fields a window of an interval has. */
const windowMembers: Readonly<Record<string, readonly WindowMember[]>> = {
  Month: ["startDay", "endDay", ...hours],
  Week: ["startDayOfWeek", "endDayOfWeek", ...hours],
  WeekDay: hours,
  Day: hours,
  Hour: minutes,
};

/** DECISION (API 1, Exclusion window): ranges as for schedules; days have no default. */
const windowRanges: Readonly<Record<WindowMember, readonly [number, number, number | undefined]>> = {
  startDay: [1, 31, undefined],
  endDay: [1, 31, undefined],
  startDayOfWeek: [1, 7, undefined],
  endDayOfWeek: [1, 7, undefined],
  startHour: [0, 23, 0],
  endHour: [0, 23, 0],
  startMinute: [0, 59, 0],
  endMinute: [0, 59, 0],
};

/** Windows in which a Recurring schedule skips its runs (API 1, Schedule). */
function readExclusions(value: JsonValue | undefined, at: string, scope: Scope): readonly WindowRecord[] {
  const items = Array.isArray(value) ? value.filter(isJsonObject) : [];
  return items.map((item, index) => readWindow(item, `${at}[${index}]`, scope));
}

function readWindow(item: Readonly<Record<string, JsonValue>>, at: string, scope: Scope): WindowRecord {
  const recurringInterval = String(item["recurringInterval"] ?? "");
  const own = windowMembers[recurringInterval];
  if (own === undefined)
    scope.findings.add(
      `${at}.recurringInterval`,
      `found none; expected one of ${Object.keys(windowMembers).join(", ")}`,
    );
  const window: Partial<Record<WindowMember, number>> = {};
  for (const name of own ?? []) {
    const value = readMember(item[name], name, { at, scope });
    if (value !== undefined) window[name] = value;
  }
  for (const name of Object.keys(windowRanges))
    if (item[name] !== undefined && item[name] !== null && !own?.some((each) => each === name))
      scope.unknown.push(`${at}.${name}`);
  refuseEmpty(window, own ?? [], { at, scope });
  return { recurringInterval, startMinute: 0, endMinute: 0, ...window };
}

function readMember(
  value: JsonValue | undefined,
  name: WindowMember,
  { at, scope }: { readonly at: string; readonly scope: Scope },
): number | undefined {
  const [minimum, maximum, standard] = windowRanges[name];
  const given = value ?? standard;
  if (typeof given === "number" && given >= minimum && given <= maximum) return given;
  scope.findings.add(`${at}.${name}`, `found ${JSON.stringify(given) ?? "none"}; expected ${minimum} to ${maximum}`);
  return undefined;
}

/** DECISION (API 1, Exclusion window): a window whose start equals its end is 400. */
function refuseEmpty(
  window: Partial<Record<WindowMember, number>>,
  own: readonly WindowMember[],
  { at, scope }: { readonly at: string; readonly scope: Scope },
): void {
  const starts = own.filter((name) => name.startsWith("start"));
  const empty =
    starts.length > 0 && starts.every((name) => window[name] === window[name.replace("start", "end") as WindowMember]);
  if (empty) scope.findings.add(at, "found a window whose start equals its end; expected some time in it");
}
