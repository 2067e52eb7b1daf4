import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { ConfigurationRecord, TriggerRecord } from "../store/records.ts";
import { viewExecution } from "./execution.ts";
import { viewOrganizationBrief } from "./organization.ts";
import { viewProviderBrief } from "./provider.ts";
import { viewScenarioSummary } from "./scenario-summary.ts";
import { viewSchedule } from "./schedule.ts";
import { viewShareLink } from "./share-link.ts";
import type { View } from "./stamp.ts";

/** How a configuration is shown (seed 1, Test configurations). */
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

/** Seed 1, Test configuration. Fields foreign to its variant are absent. */
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
    view["executions"] = page(store.where("execution", "configurationId", row.id), flags).map((each) =>
      viewExecution(each, { down: false, up: false, includeScript: false, includeSummary: false }, scope),
    );
    view["tokens"] = store.where("shareLink", "configurationId", row.id).map(viewShareLink);
  }
  return view;
}

/** The additional fields of the scheduled listing (seed 1, Test configuration). */
export function listedFields(row: ConfigurationRecord, scope: Scope): View {
  const { store } = scope;
  const runs = store.where("execution", "configurationId", row.id);
  const testCase = store.get("testCase", row.testCaseId);
  return {
    testType: "Load",
    hasChanged: false,
    expectedNumRegions: row.providers.reduce((sum, runner) => sum + runner.numRegions, 0),
    expectedActualConcurrentClientRatio: 1,
    outputFileRetention: "IntelligentSampling",
    outputFileMaxCount: 0,
    minCredits: 0,
    onlyCaptureFailure: false,
    manualStart: false,
    testCase: testCase
      ? {
          id: testCase.id,
          name: testCase.name,
          active: testCase.active,
          ...viewLastRun(testCase.id, scope),
          tags: [],
        }
      : null,
    executions: newestFirst(runs).map((each) =>
      viewExecution(each, { down: false, up: false, includeScript: false, includeSummary: false }, scope),
    ),
  };
}

function viewTrigger(row: TriggerRecord): View {
  return {
    id: row.id,
    conditions: row.conditions.map((each) => ({ ...each })),
    actions: row.actions.map((each) => ({ ...each })),
  };
}

/** When a test case ran last, and in which execution (seed 1, Test configuration: the scheduled listing). */
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

function page<R extends { readonly id: number }>(
  rows: readonly R[],
  { offset = 0, limit = -1 }: ConfigurationFlags,
): readonly R[] {
  const start = Math.max(0, offset);
  return newestFirst(rows).slice(start, limit < 0 ? undefined : start + limit);
}
