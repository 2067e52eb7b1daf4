import { flat } from "./rig.ts";

/** A trigger that is accepted. */
export const trigger = {
  conditions: [{ metric: "firstReceivedMs", metricKey: "p95", operator: "GTE", threshold: 800 }],
  actions: [{ actionType: "StopExecution" }],
};
const step = { ...flat, profileType: "Step", startConcurrentClients: 1, step: 1 };
const { durationSecs: _, ...noBasis } = flat;
const { concurrentClients: __, ...noUsers } = flat;
/** A schedule that is accepted. */
export const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 2 };
const withSchedule = (schedule: object) => ({ ...flat, schedules: [schedule] });
const withWindow = (window: object) => withSchedule({ ...daily, exclusions: [window] });
const withParams = (params: object) => ({ ...flat, providers: [{ providerId: 0, params }] });

interface Refused {
  readonly rule: string;
  readonly body: object;
  readonly fields: readonly string[];
}

/** Bodies that are refused, with the fields that are named. */
export const refused: readonly Refused[] = [
  { rule: "API: name is required", body: { ...flat, name: undefined }, fields: ["name"] },
  { rule: "DECISION a name is not blank", body: { ...flat, name: "  " }, fields: ["name"] },
  { rule: "DECISION a name has at most 255 characters", body: { ...flat, name: "x".repeat(256) }, fields: ["name"] },
  { rule: "API: scriptId is required", body: { ...flat, scriptId: undefined }, fields: ["scriptId"] },
  { rule: "a scenario that does not exist", body: { ...flat, scriptId: 9 }, fields: ["scriptId"] },
  { rule: "API: providers are required", body: { ...flat, providers: undefined }, fields: ["providers"] },
  { rule: "DECISION at least one provider", body: { ...flat, providers: [] }, fields: ["providers"] },
  {
    rule: "a provider that does not exist",
    body: { ...flat, providers: [{ providerId: 9 }] },
    fields: ["providers[0].providerId"],
  },
  {
    rule: "DECISION regions of a Shared provider exist",
    body: withParams({ regions: "mars" }),
    fields: ["providers[0].params.regions"],
  },
  { rule: "DECISION params are strings", body: withParams({ regions: 1 }), fields: ["providers[0].params.regions"] },
  {
    rule: "DECISION users per region is a count",
    body: withParams({ concurrentClients: "many" }),
    fields: ["providers[0].params.concurrentClients"],
  },
  {
    rule: "DECISION weights are one per region",
    body: withParams({ regions: "cloud-us-east-1", weight: "1,2" }),
    fields: ["providers[0].params.weight"],
  },
  {
    rule: "DECISION weights can be added up",
    body: withParams({ regions: "cloud-us-east-1", weight: "Infinity" }),
    fields: ["providers[0].params.weight"],
  },
  {
    rule: "DECISION numRegions is at least 1",
    body: { ...flat, providers: [{ providerId: 0, numRegions: 0 }] },
    fields: ["providers[0].numRegions"],
  },
  { rule: "API: profileType is closed", body: { ...flat, profileType: "Wave" }, fields: ["profileType"] },
  { rule: "API: one of durationSecs or iterations", body: noBasis, fields: ["durationSecs"] },
  { rule: "API: not both bases", body: { ...flat, iterations: 3 }, fields: ["iterations"] },
  {
    rule: "API: iterations are for Flat",
    body: { ...step, durationSecs: undefined, iterations: 3 },
    fields: ["durationSecs"],
  },
  { rule: "API: users are required for Flat", body: noUsers, fields: ["concurrentClients"] },
  {
    rule: "API: users are required for Step",
    body: { ...step, concurrentClients: undefined },
    fields: ["concurrentClients"],
  },
  {
    rule: "API: Step needs its fields",
    body: { ...flat, profileType: "Step" },
    fields: ["startConcurrentClients", "step"],
  },
  { rule: "API: at most 50 steps", body: { ...step, concurrentClients: 52 }, fields: ["step"] },
  { rule: "DECISION Step rises", body: { ...step, startConcurrentClients: 30 }, fields: ["startConcurrentClients"] },
  { rule: "API: BreakingPoint needs triggers", body: { ...flat, profileType: "BreakingPoint" }, fields: ["triggers"] },
  {
    rule: "API: BreakingPoint is duration based",
    body: { ...noBasis, profileType: "BreakingPoint", iterations: 1, triggers: [trigger] },
    fields: ["durationSecs"],
  },
  {
    rule: "API: iterationSleepSecs at least 1",
    body: { ...flat, iterationSleepSecs: 0 },
    fields: ["iterationSleepSecs"],
  },
  { rule: "API: rampupSecs at least 0", body: { ...flat, rampupSecs: -1 }, fields: ["rampupSecs"] },
  { rule: "DECISION durationSecs at least 1", body: { ...flat, durationSecs: 0 }, fields: ["durationSecs"] },
  { rule: "numbers are whole", body: { ...flat, concurrentClients: 1.5 }, fields: ["concurrentClients"] },
  { rule: "API: imageDiffMode is closed", body: { ...flat, imageDiffMode: "Some" }, fields: ["imageDiffMode"] },
  {
    rule: "API: scriptParams is the text of an object",
    body: { ...flat, scriptParams: "[1]" },
    fields: ["scriptParams"],
  },
  {
    rule: "API: StopExecution is the only action",
    body: { ...flat, triggers: [{ ...trigger, actions: [{ actionType: "Mail" }] }] },
    fields: ["triggers[0].actions[0].actionType"],
  },
  {
    rule: "DECISION a trigger has conditions",
    body: { ...flat, triggers: [{ ...trigger, conditions: [] }] },
    fields: ["triggers[0].conditions"],
  },
  {
    rule: "DECISION operators are closed",
    body: { ...flat, triggers: [{ ...trigger, conditions: [{ metric: "m", operator: "NEAR", threshold: 1 }] }] },
    fields: ["triggers[0].conditions[0].operator"],
  },
  {
    rule: "DECISION a condition has a threshold",
    body: { ...flat, triggers: [{ ...trigger, conditions: [{ metric: "m", operator: "GT" }] }] },
    fields: ["triggers[0].conditions[0].threshold"],
  },
  {
    rule: "a foreign id of a trigger",
    body: { ...flat, triggers: [{ ...trigger, id: 9 }] },
    fields: ["triggers[0].id"],
  },
  {
    rule: "an id of two triggers",
    body: { ...flat, triggers: [trigger, trigger].map((each) => ({ ...each, id: 9 })) },
    fields: ["triggers[1].id", "triggers[0].id"],
  },
  {
    rule: "API: scheduleType is closed",
    body: withSchedule({ scheduleType: "Often" }),
    fields: ["schedules[0].scheduleType"],
  },
  {
    rule: "DECISION a Single needs its moment",
    body: withSchedule({ scheduleType: "Single" }),
    fields: ["schedules[0].nextScheduled"],
  },
  {
    rule: "DECISION a new Single lies in the future",
    body: withSchedule({ scheduleType: "Single", nextScheduled: "2026-11-20T10:00:00Z" }),
    fields: ["schedules[0].nextScheduled"],
  },
  {
    rule: "nextScheduled is a moment",
    body: withSchedule({ scheduleType: "Single", nextScheduled: "soon" }),
    fields: ["schedules[0].nextScheduled"],
  },
  {
    rule: "API: Recurring needs its interval",
    body: withSchedule({ scheduleType: "Recurring" }),
    fields: ["schedules[0].recurringInterval"],
  },
  {
    rule: "API: Minute needs minute",
    body: withSchedule({ ...daily, recurringInterval: "Minute" }),
    fields: ["schedules[0].minute"],
  },
  {
    rule: "DECISION minute at least 1 for Minute",
    body: withSchedule({ ...daily, recurringInterval: "Minute", minute: 0 }),
    fields: ["schedules[0].minute"],
  },
  {
    rule: "API: Week needs dayOfWeek",
    body: withSchedule({ ...daily, recurringInterval: "Week" }),
    fields: ["schedules[0].dayOfWeek"],
  },
  { rule: "DECISION hours of a day", body: withSchedule({ ...daily, hour: 24 }), fields: ["schedules[0].hour"] },
  {
    rule: "DECISION minutes of an hour",
    body: withSchedule({ ...daily, minute: 60 }),
    fields: ["schedules[0].minute"],
  },
  {
    rule: "DECISION days of a month",
    body: withSchedule({ ...daily, recurringInterval: "Month", day: 32 }),
    fields: ["schedules[0].day"],
  },
  { rule: "a foreign id of a schedule", body: withSchedule({ ...daily, id: 77 }), fields: ["schedules[0].id"] },
  {
    rule: "API: a window's interval is closed",
    body: withWindow({ recurringInterval: "Minute" }),
    fields: ["schedules[0].exclusions[0].recurringInterval"],
  },
  {
    rule: "DECISION a window is not empty",
    body: withWindow({ recurringInterval: "Day", startHour: 2, endHour: 2 }),
    fields: ["schedules[0].exclusions[0]"],
  },
  {
    rule: "DECISION a Month window has days",
    body: withWindow({ recurringInterval: "Month", startDay: 1 }),
    fields: ["schedules[0].exclusions[0].endDay"],
  },
  {
    rule: "DECISION hours of a window",
    body: withWindow({ recurringInterval: "Day", startHour: 25, endHour: 2 }),
    fields: ["schedules[0].exclusions[0].startHour"],
  },
];

/** Bodies that are accepted, with what is answered. */
export const accepted: readonly { readonly rule: string; readonly body: object; readonly answer: object }[] = [
  {
    rule: "defaults",
    body: flat,
    answer: {
      profileType: "Flat",
      rampupSecs: 60,
      iterationSleepSecs: 10,
      scriptParams: "{}",
      imageDiffMode: "None",
      triggers: [],
      schedules: [],
    },
  },
  { rule: "iterations", body: { ...noBasis, iterations: 3 }, answer: { iterations: 3 } },
  { rule: "50 steps", body: { ...step, concurrentClients: 51 }, answer: { step: 1, concurrentClients: 51 } },
  {
    rule: "BreakingPoint without users",
    body: { ...noUsers, profileType: "BreakingPoint", triggers: [trigger] },
    answer: { profileType: "BreakingPoint" },
  },
  { rule: "names are trimmed", body: { ...flat, name: "  Smoke " }, answer: { name: "Smoke" } },
  {
    rule: "regions by id",
    body: withParams({ regions: "1, 2", weight: "1,3" }),
    answer: {
      providers: [
        { numRegions: 2, params: { regions: "1, 2", weight: "1,3" }, provider: { id: 0, name: "Public Shared Grid" } },
      ],
    },
  },
  {
    rule: "other params pass through",
    body: withParams({ zone: "a" }),
    answer: { providers: [{ numRegions: 1, params: { zone: "a" } }] },
  },
  {
    rule: "scriptParams as given",
    body: { ...flat, scriptParams: '{ "b": 1, "a": "x" }' },
    answer: { scriptParams: '{ "b": 1, "a": "x" }' },
  },
  {
    rule: "a trigger with ids",
    body: { ...flat, triggers: [trigger] },
    answer: {
      triggers: [{ id: 1, conditions: [{ id: 1, isPercentage: false, threshold: 800 }], actions: [{ id: 1 }] }],
    },
  },
  {
    rule: "a Single as epoch, answered as ISO",
    body: withSchedule({ scheduleType: "Single", nextScheduled: Date.parse("2026-11-21T00:00:00Z") }),
    answer: { schedules: [{ nextScheduled: "2026-11-21T00:00:00.000Z", active: true }] },
  },
  {
    rule: "defaults of an Hour schedule",
    body: withSchedule({ scheduleType: "Recurring", recurringInterval: "Hour" }),
    answer: { schedules: [{ hour: 1, minute: 0, exclusions: [], nextScheduled: "2026-11-20T11:00:00.000Z" }] },
  },
  {
    rule: "defaults of a Month schedule",
    body: withSchedule({ scheduleType: "Recurring", recurringInterval: "Month" }),
    answer: { schedules: [{ month: 1, day: 1, hour: 0, minute: 0 }] },
  },
  {
    rule: "a window that wraps",
    body: withWindow({ recurringInterval: "Day", startHour: 22, endHour: 2 }),
    answer: {
      schedules: [
        { exclusions: [{ recurringInterval: "Day", startHour: 22, startMinute: 0, endHour: 2, endMinute: 0 }] },
      ],
    },
  },
];
