import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "../../api/routes.ts";
import { isJsonObject } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import type { ScheduleFields, ScheduleRecord } from "../store/records.ts";
import { readSchedule } from "./read-schedule.ts";

/** A schedule as it will be written: with its record when it keeps its id. */
export interface ScheduleDraft {
  readonly former: ScheduleRecord | undefined;
  readonly fields: ScheduleFields;
}

/**
 * DECISION (seed 1, Test configurations): the list is replaced whole; an item with an id of this configuration keeps id,
 * createdAt and active, one without is new and active; a foreign id is 400.
 */
export function readSchedules(
  value: JsonValue | undefined,
  formers: readonly ScheduleRecord[],
  scope: Scope,
): readonly ScheduleDraft[] | undefined {
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
export function writeSchedules(drafts: readonly ScheduleDraft[], configurationId: number, scope: Scope): void {
  const { store } = scope;
  const kept = new Set(drafts.map(({ former }) => former?.id));
  for (const { id } of store.where("schedule", "configurationId", configurationId))
    if (!kept.has(id)) store.remove("schedule", id);
  for (const { former, fields } of drafts)
    if (former) keep(former, fields, scope);
    else store.insert("schedule", { ...fields, configurationId, active: true });
}

function keep(former: ScheduleRecord, fields: ScheduleFields, { store }: Scope): void {
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
