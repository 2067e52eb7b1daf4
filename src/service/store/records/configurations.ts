import { bagOf, flag, id, listOf, number, oneOf, optional, orNull, record, text, time } from "../shape.ts";
import { type Bag, count, type Digests, digests, jsonText, type Members, type Stored, stored } from "./stored.ts";

export interface RunnerRecord {
  readonly id: number;
  readonly providerId: number;
  readonly numRegions: number;
  readonly params: Readonly<Record<string, string>>;
}

export interface TriggerRecord {
  readonly id: number;
  readonly conditions: readonly (Bag & { readonly id: number })[];
  readonly actions: readonly (Bag & { readonly id: number })[];
}

/** The fields of a configuration that are neither lists nor references. */
export interface LoadFields {
  readonly name: string;
  readonly profileType: string;
  readonly durationSecs?: number;
  readonly iterations?: number;
  readonly iterationSleepSecs: number;
  readonly rampupSecs?: number;
  readonly concurrentClients?: number;
  readonly startConcurrentClients?: number;
  readonly step?: number;
  readonly scriptParams: string;
  readonly imageDiffMode: string;
}

export interface ConfigurationRecord extends Stored, LoadFields {
  readonly testCaseId: number;
  readonly scriptId: number;
  readonly providers: readonly RunnerRecord[];
  readonly triggers: readonly TriggerRecord[];
  readonly secrets: Digests;
}

export interface WindowRecord {
  readonly recurringInterval: string;
  readonly startDay?: number;
  readonly endDay?: number;
  readonly startDayOfWeek?: number;
  readonly endDayOfWeek?: number;
  readonly startHour?: number;
  readonly endHour?: number;
  readonly startMinute: number;
  readonly endMinute: number;
}

/** A schedule without its identity. */
export interface ScheduleFields {
  readonly scheduleType: string;
  readonly nextScheduled?: string;
  readonly recurringInterval?: string;
  readonly minute?: number;
  readonly hour?: number;
  readonly week?: number;
  readonly dayOfWeek?: number;
  readonly month?: number;
  readonly day?: number;
  readonly exclusions?: readonly WindowRecord[];
}

export interface ScheduleRecord extends Stored, ScheduleFields {
  readonly configurationId: number;
  readonly active: boolean;
}

export interface ShareLinkRecord extends Stored {
  readonly organizationId: number;
  readonly configurationId: number;
  /** The one execution that it shows; null for the latest. */
  readonly executionId: number | null;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
}

const withId = record({ id });

const window = record({
  recurringInterval: text,
  startDay: optional(id),
  endDay: optional(id),
  startDayOfWeek: optional(id),
  endDayOfWeek: optional(id),
  startHour: optional(id),
  endHour: optional(id),
  startMinute: id,
  endMinute: id,
});

const configuration: Members<ConfigurationRecord> = {
  ...stored,
  testCaseId: id,
  scriptId: id,
  name: text,
  profileType: text,
  durationSecs: count,
  iterations: count,
  iterationSleepSecs: number,
  rampupSecs: count,
  concurrentClients: count,
  startConcurrentClients: count,
  step: count,
  scriptParams: jsonText,
  imageDiffMode: text,
  providers: listOf(record({ id, providerId: id, numRegions: number, params: bagOf(text) })),
  triggers: listOf(record({ id, conditions: listOf(withId), actions: listOf(withId) })),
  secrets: digests,
};

const schedule: Members<ScheduleRecord> = {
  ...stored,
  configurationId: id,
  active: flag,
  scheduleType: oneOf("Single", "Recurring"),
  nextScheduled: optional(time),
  recurringInterval: optional(oneOf("Minute", "Hour", "WeekDay", "Day", "Week", "Month")),
  minute: optional(id),
  hour: optional(id),
  week: optional(id),
  dayOfWeek: optional(id),
  month: optional(id),
  day: optional(id),
  exclusions: optional(listOf(window)),
};

const shareLink: Members<ShareLinkRecord> = {
  ...stored,
  organizationId: id,
  configurationId: id,
  executionId: orNull(id),
  name: text,
  description: text,
  active: flag,
};

/** Members of the records of these tables. API 1, Test configurations. */
export const configurationMembers = { configuration, schedule, shareLink };
