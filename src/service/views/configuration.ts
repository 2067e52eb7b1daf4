import type { JsonValue } from "../../api/routes.ts";
import { momentOf } from "../../model/recurrence.ts";
import type { Scope } from "../core/scope.ts";
import { standardStart } from "../core/start-options.ts";
import type { ConfigurationRecord, ScheduleRecord, TriggerRecord } from "../store/records/configurations.ts";
import type { TestCaseRecord } from "../store/records/scenarios.ts";
import { tagsNamed, viewExecution } from "./execution.ts";
import { viewOrganizationBrief, viewShareLink } from "./organization.ts";
import { viewProviderBrief } from "./runners.ts";
import { viewScenarioSummary } from "./scenario.ts";
import { present, type View } from "./stamp.ts";

/** Options of a configuration's view (API 1, Test configurations). */
export interface ConfigurationFlags {
  /** Executions and tokens. */
  readonly down: boolean;
  /** Organization. */
  readonly up: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

const variantFields = [
  "durationSecs",
  "iterations",
  "rampupSecs",
  "concurrentClients",
  "startConcurrentClients",
  "step",
] as const;

/** API 1, Test configuration. Fields foreign to its variant are absent. */
export function viewConfiguration(row: ConfigurationRecord, flags: ConfigurationFlags, scope: Scope): View {
  const { store } = scope;
  const scenario = store.get("scenario", row.scriptId);
  // Spelled out: trees of thousands of configurations are made of it, and spreading costs five times as much.
  const view: Record<string, JsonValue> = {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    firstVersion: row.createdAt === row.updatedAt,
    name: row.name,
    profileType: row.profileType,
    iterationSleepSecs: row.iterationSleepSecs,
    scriptParams: row.scriptParams,
    imageDiffMode: row.imageDiffMode,
    providers: row.providers.map((runner) => ({
      id: runner.id,
      numRegions: runner.numRegions,
      params: { ...runner.params },
      provider: viewProviderBrief(runner.providerId, scope),
    })),
    triggers: row.triggers.map(viewTrigger),
    schedules: store.where("schedule", "configurationId", row.id).map((schedule) => viewSchedule(schedule, scope)),
    isTryItOut: false,
    active: true,
    script: scenario ? viewScenarioSummary(scenario) : null,
  };
  for (const name of variantFields) {
    const value = row[name];
    if (value !== undefined) view[name] = value;
  }
  if (flags.up)
    view["organization"] = viewOrganizationBrief(store.get("testCase", row.testCaseId)?.organizationId, scope);
  if (flags.down) {
    view["executions"] = newestPage(store.where("execution", "configurationId", row.id), flags).map((each) =>
      viewExecution(each, { down: false, up: false, includeScript: false, includeSummary: false }, scope),
    );
    view["tokens"] = store.where("shareLink", "configurationId", row.id).map(viewShareLink);
  }
  return view;
}

/** The additional fields of the scheduled listing (API 1, Test configuration): what a start by schedule takes among them. */
export function listedFields(row: ConfigurationRecord, scope: Scope): View {
  const { store } = scope;
  const runs = store.where("execution", "configurationId", row.id);
  const testCase = store.get("testCase", row.testCaseId);
  const { testType, onlyCaptureFailure, manualStart } = standardStart(testCase?.organizationId, scope);
  return {
    testType,
    hasChanged: hasChanged(row, runs, scope),
    expectedNumRegions: row.providers.reduce((sum, runner) => sum + runner.numRegions, 0),
    expectedActualConcurrentClientRatio: 1,
    outputFileRetention: "IntelligentSampling",
    outputFileMaxCount: 0,
    minCredits: creditsOf(row),
    onlyCaptureFailure,
    manualStart,
    testCase: testCase
      ? {
          id: testCase.id,
          name: testCase.name,
          active: testCase.active,
          ...viewLastRun(testCase.id, scope),
          tags: tagsOfScenarios(testCase, scope),
        }
      : null,
    executions: newestFirst(runs).map((each) =>
      viewExecution(each, { down: false, up: false, includeScript: false, includeSummary: false }, scope),
    ),
  };
}

/** DECISION (API 1, Test configuration: tags of the test case in the scheduled listing): those of its scenarios, each once. */
function tagsOfScenarios({ id, organizationId }: TestCaseRecord, scope: Scope): readonly View[] {
  const names = scope.store.where("scenario", "testCaseId", id).flatMap(({ tags }) => tags);
  return tagsNamed([...new Set(names)], organizationId, scope);
}

/** DECISION (API 1, Test configuration: hasChanged): whether the configuration or its scenario was written since the latest run was created. */
function hasChanged(
  row: ConfigurationRecord,
  runs: readonly { readonly id: number; readonly createdAt: string }[],
  { store }: Scope,
): boolean {
  const [latest] = newestFirst(runs);
  const written = [row.updatedAt, store.get("scenario", row.scriptId)?.updatedAt ?? ""];
  return latest !== undefined && written.some((at) => at > latest.createdAt);
}

/** DECISION (API 1, Test configuration: minCredits): one credit for each user and hour that the duration takes; 0 for a run of iterations. */
function creditsOf({ concurrentClients = 0, durationSecs = 0, providers }: ConfigurationRecord): number {
  const regions = providers.reduce((sum, { numRegions }) => sum + numRegions, 0);
  return Math.round(((concurrentClients * regions * durationSecs) / 3600) * 100) / 100;
}

function viewTrigger(row: TriggerRecord): View {
  return {
    id: row.id,
    conditions: row.conditions.map((each) => ({ ...each })),
    actions: row.actions.map((each) => ({ ...each })),
  };
}

/** When a test case ran last, and in which execution (API 1, Test configuration: the scheduled listing). */
export function viewLastRun(testCaseId: number, scope: Scope): View {
  const runs = scope.store
    .where("configuration", "testCaseId", testCaseId)
    .flatMap((each) => scope.store.where("execution", "configurationId", each.id));
  const [last] = newestFirst(runs);
  return { lastRunAt: last?.startedAt ?? null, lastRunExecutionId: last?.id ?? null };
}

/** Executions newest first. */
export function newestFirst<R extends { readonly id: number }>(rows: readonly R[]): readonly R[] {
  return [...rows].sort((left, right) => right.id - left.id);
}

function newestPage<R extends { readonly id: number }>(
  rows: readonly R[],
  { offset = 0, limit = -1 }: ConfigurationFlags,
): readonly R[] {
  const start = Math.max(0, offset);
  return newestFirst(rows).slice(start, limit < 0 ? undefined : start + limit);
}

const scheduleFields = ["recurringInterval", "minute", "hour", "week", "dayOfWeek", "month", "day"] as const;

/** API 1, Schedule. `nextScheduled` is the next run that no window excludes; null when paused, finished or none. */
function viewSchedule(row: ScheduleRecord, scope: Scope): View {
  const view: Record<string, JsonValue> = {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    firstVersion: row.createdAt === row.updatedAt,
    scheduleType: row.scheduleType,
    nextScheduled: nextScheduled(row, scope),
    active: isActive(row, scope.now),
  };
  for (const name of scheduleFields) {
    const value = row[name];
    if (value !== undefined) view[name] = value;
  }
  if (row.exclusions) view["exclusions"] = row.exclusions.map((window) => present({ ...window }));
  return view;
}

/** When a schedule fires next, as ISO time. */
export function nextScheduled(row: ScheduleRecord, { runs, now }: Scope): string | null {
  const run = runs.after(row, now);
  return run === undefined ? null : new Date(run).toISOString();
}

/** A Single schedule whose moment has passed is finished. */
export function isActive(row: ScheduleRecord, now: number): boolean {
  return row.active && !(row.scheduleType === "Single" && momentOf(row.nextScheduled) <= now);
}
