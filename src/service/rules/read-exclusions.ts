import type { JsonValue } from "../../api/routes.ts";
import { isJsonObject } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import type { WindowRecord } from "../store/records.ts";

type Member = Exclude<keyof WindowRecord, "recurringInterval">;

const minutes: readonly Member[] = ["startMinute", "endMinute"];
const hours: readonly Member[] = ["startHour", "endHour", ...minutes];

/** Seed 1, Exclusion window: which fields a window of an interval has. */
const members: Readonly<Record<string, readonly Member[]>> = {
  Month: ["startDay", "endDay", ...hours],
  Week: ["startDayOfWeek", "endDayOfWeek", ...hours],
  WeekDay: hours,
  Day: hours,
  Hour: minutes,
};

/** DECISION (seed 1, Exclusion window): ranges as for schedules; days have no default. */
const ranges: Readonly<Record<Member, readonly [number, number, number | undefined]>> = {
  startDay: [1, 31, undefined],
  endDay: [1, 31, undefined],
  startDayOfWeek: [1, 7, undefined],
  endDayOfWeek: [1, 7, undefined],
  startHour: [0, 23, 0],
  endHour: [0, 23, 0],
  startMinute: [0, 59, 0],
  endMinute: [0, 59, 0],
};

/** Windows in which a Recurring schedule skips its runs (seed 1, Schedule). */
export function readExclusions(value: JsonValue | undefined, at: string, scope: Scope): readonly WindowRecord[] {
  const items = Array.isArray(value) ? value.filter(isJsonObject) : [];
  return items.map((item, index) => readWindow(item, `${at}[${index}]`, scope));
}

function readWindow(item: Readonly<Record<string, JsonValue>>, at: string, scope: Scope): WindowRecord {
  const recurringInterval = String(item["recurringInterval"] ?? "");
  const own = members[recurringInterval];
  if (own === undefined)
    scope.findings.add(`${at}.recurringInterval`, `found none; expected one of ${Object.keys(members).join(", ")}`);
  const window: Partial<Record<Member, number>> = {};
  for (const name of own ?? []) {
    const value = readMember(item[name], name, { at, scope });
    if (value !== undefined) window[name] = value;
  }
  for (const name of Object.keys(ranges))
    if (item[name] !== undefined && item[name] !== null && !own?.some((each) => each === name))
      scope.unknown.push(`${at}.${name}`);
  refuseEmpty(window, own ?? [], { at, scope });
  return { recurringInterval, startMinute: 0, endMinute: 0, ...window };
}

function readMember(
  value: JsonValue | undefined,
  name: Member,
  { at, scope }: { readonly at: string; readonly scope: Scope },
): number | undefined {
  const [minimum, maximum, standard] = ranges[name];
  const given = value ?? standard;
  if (typeof given === "number" && given >= minimum && given <= maximum) return given;
  scope.findings.add(`${at}.${name}`, `found ${JSON.stringify(given) ?? "none"}; expected ${minimum} to ${maximum}`);
  return undefined;
}

/** DECISION (seed 1, Exclusion window): a window whose start equals its end is 400. */
function refuseEmpty(
  window: Partial<Record<Member, number>>,
  own: readonly Member[],
  { at, scope }: { readonly at: string; readonly scope: Scope },
): void {
  const starts = own.filter((name) => name.startsWith("start"));
  const empty =
    starts.length > 0 && starts.every((name) => window[name] === window[name.replace("start", "end") as Member]);
  if (empty) scope.findings.add(at, "found a window whose start equals its end; expected some time in it");
}
