import type { Stored, TableName, Tables } from "./records.ts";
import type { Shape } from "./shape.ts";
import {
  anything,
  bagOf,
  flag,
  id,
  listOf,
  number,
  oneOf,
  optional,
  orNull,
  record,
  shape,
  text,
  time,
} from "./shape.ts";

type Members<R> = { readonly [K in keyof Required<R>]: Shape };

const stored: Members<Stored> = { id, createdAt: time, updatedAt: time };
const digests = bagOf(text);
const jsonText = shape("JSON text of an object", (value) => {
  try {
    const parsed: unknown = JSON.parse(String(value));
    return typeof value === "string" && typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
});
const count = optional(number);
const named = { id, name: text, latitude: number, longitude: number };
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

const schedule: Members<Tables["schedule"]> = {
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

const configuration: Members<Tables["configuration"]> = {
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

const scenario: Members<Tables["scenario"]> = {
  ...stored,
  testCaseId: id,
  name: text,
  main: text,
  init: orNull(text),
  teardown: orNull(text),
  scriptType: text,
  language: text,
  nodeVersion: text,
  paramsConfig: listOf(record({ name: text, required: flag, encrypted: flag, defaultValue: optional(text) })),
  tags: listOf(text),
  sourceType: text,
  sourceId: orNull(id),
  readonly: flag,
  secrets: digests,
};

const execution: Members<Tables["execution"]> = {
  ...stored,
  configurationId: id,
  startedAt: time,
  finishedAt: orNull(time),
  running: flag,
  allocated: flag,
  completed: flag,
  cancelledByUser: flag,
  success: orNull(flag),
  iterations: orNull(number),
  iterationSleepSecs: number,
  rampupSecs: orNull(number),
  concurrentClients: number,
  scriptParams: jsonText,
  tags: listOf(text),
  regions: listOf(record({ id, chunkId: id, regionId: orNull(id), regionName: text, concurrentClients: number })),
};

const gatewayKey: Members<Tables["gateway"]["keys"][number]> = { ...stored, key: text, url: text, isPrimary: flag };

const accounts = {
  organization: {
    ...stored,
    name: text,
    email: orNull(text),
    settings: bagOf(text),
    public: flag,
    shared: flag,
    active: flag,
  },
  user: {
    ...stored,
    name: text,
    email: orNull(text),
    lastLoggedIn: orNull(time),
    accessType: text,
    confirmed: flag,
    active: flag,
    authSource: text,
    secrets: digests,
  },
  grant: { ...stored, userId: id, organizationId: id, userRole: text },
} satisfies Partial<{ [T in TableName]: Members<Tables[T]> }>;

/** What every record of a table has; the compiler compares it with the records' types. */
const tables: { readonly [T in TableName]: Members<Tables[T]> } = {
  ...accounts,
  schedule,
  configuration,
  scenario,
  execution,
  testCase: { ...stored, organizationId: id, name: text, active: flag, description: orNull(text) },
  dataStore: {
    ...stored,
    scenarioId: id,
    name: text,
    contents: text,
    type: text,
    charset: orNull(text),
    size: number,
    numRows: orNull(number),
    headers: orNull(text),
  },
  gateway: { ...stored, testCaseId: id, name: text, active: flag, keys: listOf(record(gatewayKey)) },
  recording: {
    ...stored,
    gatewayId: id,
    name: text,
    running: flag,
    startedAt: time,
    finishedAt: orNull(time),
    limitBreached: flag,
    trafficSizeBytes: number,
    trafficConnections: number,
  },
  vcsRoot: {
    ...stored,
    organizationId: id,
    name: text,
    vcsType: text,
    url: text,
    branch: text,
    vcsAuthType: text,
    username: orNull(text),
    privateKeyName: orNull(text),
    secrets: digests,
  },
  provider: {
    ...stored,
    organizationId: orNull(id),
    name: text,
    public: flag,
    providerType: text,
    metadata: bagOf(anything),
    active: flag,
    secrets: digests,
  },
  region: {
    ...stored,
    providerId: id,
    name: text,
    description: orNull(text),
    active: flag,
    location: orNull(record(named)),
  },
  agent: {
    ...stored,
    organizationId: id,
    name: text,
    host: text,
    instanceId: text,
    active: flag,
    running: flag,
    version: text,
    regionIds: listOf(id),
  },
  tag: { ...stored, organizationId: id, name: text },
  shareLink: {
    ...stored,
    organizationId: id,
    configurationId: id,
    name: text,
    description: text,
    active: flag,
  },
  iterator: { ...stored, dataStoreId: id, name: text, position: id, usedAt: time },
};

/** The shape of a table's records. */
export function shapeOf(table: TableName): Shape {
  return record(tables[table]);
}
