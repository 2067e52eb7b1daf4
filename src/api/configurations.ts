import { type RouteTable, stored } from "./descriptors.ts";

const period = { period: "recent|7d|1m|3m", start: "epoch", end: "epoch", limit: "int", offset: "int=0" } as const;

const conditionFields = {
  metric: "string",
  metricKey: "string",
  isPercentage: "boolean",
  operator: "GT|GTE|LT|LTE|EQ|NEQ",
  threshold: "number",
  timePeriod: "LastMinute|Execution",
  valueType: "Absolute|ChangeFromLastMinute|ChangeFromHistory",
} as const;

const scheduleFields = {
  scheduleType: "Single|Recurring",
  recurringInterval: "Minute|Hour|WeekDay|Day|Week|Month",
  minute: "int",
  hour: "int",
  week: "int",
  dayOfWeek: "int",
  month: "int",
  day: "int",
  exclusions: "@exclusion[]",
  active: "boolean",
} as const;

const configurationFields = {
  name: "string",
  profileType: "Flat|Step|BreakingPoint",
  durationSecs: "int",
  iterations: "int",
  iterationSleepSecs: "int",
  rampupSecs: "int",
  concurrentClients: "int",
  startConcurrentClients: "int",
  step: "int",
  scriptParams: "string",
  imageDiffMode: "None|PreviousExecution|ScenarioBaseline",
} as const;

/** API 1, Test configuration, Schedule, Share link. */
export const configurationShapes = {
  configuration: {
    ...stored,
    ...configurationFields,
    providers: "@providerConfiguration[]",
    triggers: "@trigger[]",
    schedules: "@schedule[]",
    isTryItOut: "boolean",
    active: "boolean",
    script: "@scenarioSummary",
    testType: "string",
    hasChanged: "boolean",
    expectedNumRegions: "int",
    expectedActualConcurrentClientRatio: "number",
    outputFileRetention: "string",
    outputFileMaxCount: "int",
    minCredits: "number",
    onlyCaptureFailure: "boolean",
    manualStart: "boolean",
    testCase: "@testCase",
    organization: "@organization",
    executions: "@execution[]",
    tokens: "@shareLink[]",
  },
  configurationInput: {
    ...configurationFields,
    scriptId: "int",
    providers: "@providerConfigurationInput[]",
    triggers: "@triggerInput[]",
    schedules: "@scheduleInput[]",
  },
  providerConfiguration: { id: "int!", numRegions: "int", params: "json", provider: "@provider" },
  providerConfigurationInput: { providerId: "int", params: "json", numRegions: "int" },
  trigger: { id: "int!", conditions: "@condition[]", actions: "@action[]" },
  triggerInput: { id: "int", conditions: "@conditionInput[]", actions: "@actionInput[]" },
  condition: { id: "int!", ...conditionFields },
  conditionInput: { id: "int", ...conditionFields },
  action: { id: "int!", actionType: "string" },
  actionInput: { id: "int", actionType: "StopExecution" },
  schedule: { ...stored, ...scheduleFields, nextScheduled: "time" },
  scheduleInput: { id: "int", ...scheduleFields, nextScheduled: "epoch" },
  exclusion: {
    recurringInterval: "Month|Week|WeekDay|Day|Hour",
    startDay: "int",
    endDay: "int",
    startDayOfWeek: "int",
    endDayOfWeek: "int",
    startHour: "int",
    endHour: "int",
    startMinute: "int",
    endMinute: "int",
  },
  scheduledEntry: {
    ...stored,
    nextScheduled: "time",
    scheduleType: "Single|Recurring",
    active: "boolean",
    configuration: "@configuration",
  },
  shareLink: {
    ...stored,
    name: "string",
    targetType: "string",
    targetId: "int",
    description: "string",
    active: "boolean",
    organization: "@organizationReference",
  },
} as const;

/** API 1, Test configurations. */
export const configurationRoutes = {
  "GET /test-cases/:testCaseId/confs": { section: "1 Test configurations", answer: "@configuration[]" },
  "GET /test-confs/:confId": {
    section: "1 Test configurations",
    query: { down: "boolean=false", up: "boolean=true", offset: "int=0", limit: "int=-1" },
    answer: "@configuration",
  },
  "POST /test-cases/:testCaseId/confs": {
    section: "1 Test configurations",
    body: {
      ...configurationShapes.configurationInput,
      name: "string!",
      scriptId: "int!",
      providers: "@providerConfigurationInput[]!",
    },
    answer: "@configuration",
  },
  "HEAD /test-confs/:confId": { section: "1 Test configurations", answer: "none" },
  "PUT /test-confs/:confId": {
    section: "1 Test configurations",
    body: { ...configurationShapes.configurationInput, deleteSchedule: "boolean" },
    answer: "@configuration",
    decision: "Omitted fields keep their value, null clears, lists are replaced whole.",
  },
  "DELETE /test-confs/:confId": { section: "1 Test configurations", answer: "@configuration" },
  "GET /test-confs/:confId/summary-history": {
    section: "1 Test configurations",
    query: { down: "boolean=false", region: "int", maxExecutionId: "int", ...period },
    answer: "@metricSummary[]",
  },
  "HEAD /test-schedules/:scheduleId": { section: "1 conventions 4", answer: "none" },
  "PUT /test-schedules/:scheduleId": {
    section: "1 Test configurations",
    summary: "Pauses or resumes a recurring schedule",
    body: { active: "boolean!" },
    answer: "none",
    decision: "409 on a Single schedule.",
  },
  "GET /test-confs/:confId/report.csv": { section: "1 Test configurations", query: period, answer: "text" },
  "POST /test-confs/:confId/share": {
    section: "1 Test configurations",
    body: { dashboardId: "int", tz: "string" },
    bodyOptional: true,
    answer: "@shareLink",
  },
  "GET /scheduled": { section: "1 Test configurations", answer: "@scheduledEntry[]" },
  "GET /orgs/:orgId/scheduled": { section: "1 Test configurations", answer: "@scheduledEntry[]" },
  "GET /p/:name": {
    section: "1 Test configurations",
    summary: "The latest run behind a share link",
    params: { name: "string" },
    answer: "text",
    open: "all",
  },
  "GET /p/:name/results.pdf": {
    section: "1 Test configurations",
    params: { name: "string" },
    answer: "binary",
    open: "all",
  },
} as const satisfies RouteTable;
