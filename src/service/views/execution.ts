import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { ExecutionRecord, ExecutionRegionRecord } from "../store/records/executions.ts";
import { viewOrganizationBrief } from "./organization.ts";
import { viewRegion } from "./runners.ts";
import { testCaseReference, viewScenarioSummary } from "./scenario.ts";
import type { View } from "./stamp.ts";
import { stamp } from "./stamp.ts";

/** How an execution is shown (API 2, Executions). */
export interface ExecutionFlags {
  readonly down: boolean;
  readonly up: boolean;
  readonly includeScript: boolean;
  readonly includeSummary: boolean;
}

/** API 2, Execution. It completed when it was made, so nothing was measured and its summary is empty. */
export function viewExecution(row: ExecutionRecord, flags: ExecutionFlags, scope: Scope): View {
  const view: Record<string, JsonValue> = {
    ...stamp(row),
    ...runState(row),
    allocated: row.allocated,
    cancelledByUser: row.cancelledByUser,
    summaryCalculated: row.completed,
    limitBreached: false,
    success: row.success,
    expectedResultCount: 0,
    scriptParams: row.scriptParams,
    browsersExecuted: [],
    tags: tagsOf(row, scope),
  };
  if (flags.down) view["regions"] = row.regions.map((region) => viewExecutionRegion(row, region, scope));
  if (flags.up) Object.assign(view, above(row, scope));
  if (flags.includeScript) view["script"] = scriptOf(row, scope);
  if (flags.includeSummary) view["summary"] = emptySummary(row, null);
  return view;
}

function runState(row: ExecutionRecord): View {
  return {
    running: row.running,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    completed: row.completed,
    iterations: row.iterations,
    iterationSleepSecs: row.iterationSleepSecs,
    rampupSecs: row.rampupSecs,
    concurrentClients: row.concurrentClients,
    actualConcurrentClients: 0,
  };
}

function viewExecutionRegion(row: ExecutionRecord, region: ExecutionRegionRecord, scope: Scope): View {
  const record = region.regionId === null ? undefined : scope.store.get("region", region.regionId);
  const state = { ...runState(row), concurrentClients: region.concurrentClients };
  const chunk = {
    id: region.chunkId,
    executionType: "Main",
    agent: null,
    ...state,
    completedDurationSecs: 0,
    completedIterations: 0,
  };
  return {
    id: region.id,
    running: row.running,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    completed: row.completed,
    concurrentClients: region.concurrentClients,
    actualConcurrentClients: 0,
    expectedResultCount: 0,
    region: record ? viewRegion(record, scope) : { id: 0, name: region.regionName },
    summary: emptySummary(row, region.id),
    chunks: [chunk],
  };
}

function emptySummary(row: ExecutionRecord, regionId: number | null): View {
  return {
    id: regionId ?? row.id,
    executionId: row.id,
    executionRegionId: regionId,
    intervalStart: row.startedAt,
    iterationsExecuted: 0,
    count: 0,
    concurrentClients: row.concurrentClients,
    actualConcurrentClients: 0,
    maxConcurrentClients: 0,
    memory: 0,
    cpu: 0,
    timespan: 0,
    metrics: [],
  };
}

/** The tags of an execution as objects. */
export function tagsOf(row: ExecutionRecord, scope: Scope): readonly View[] {
  const testCaseId = scope.store.get("configuration", row.configurationId)?.testCaseId ?? -1;
  const organization = scope.store.get("testCase", testCaseId)?.organizationId ?? -1;
  const tags = scope.store.where("tag", "organizationId", organization);
  return row.tags.flatMap((name) => tags.filter((tag) => tag.name === name)).map(viewTag);
}

/** API 2, Tag. */
export function viewTag(row: {
  readonly id: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
}): View {
  return { ...stamp(row), name: row.name, inherited: false };
}

function scriptOf(row: ExecutionRecord, { store }: Scope): View | null {
  const scenario = store.get("scenario", store.get("configuration", row.configurationId)?.scriptId ?? -1);
  return scenario ? viewScenarioSummary(scenario) : null;
}

function above(row: ExecutionRecord, scope: Scope): View {
  const configuration = scope.store.get("configuration", row.configurationId);
  const testCase = scope.store.get("testCase", configuration?.testCaseId ?? -1);
  return {
    configuration: configuration ? { ...stamp(configuration), name: configuration.name } : null,
    testCase: testCase ? testCaseReference(testCase.id, scope) : null,
    organization: viewOrganizationBrief(testCase?.organizationId, scope),
  };
}
