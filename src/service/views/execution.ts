import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { elapsed, elapsedNow, hasBegun } from "../core/simulations.ts";
import type { ExecutionRecord, ExecutionRegionRecord } from "../store/records/executions.ts";
import { viewSummary } from "./metric-summary.ts";
import { viewOrganizationBrief } from "./organization.ts";
import { iterationsOfChunks, runOf } from "./run-figures.ts";
import { viewRegion } from "./runners.ts";
import { testCaseReference, viewScenarioSummary } from "./scenario.ts";
import { stamp, type View } from "./stamp.ts";

/** Options of an execution's view (API 2, Executions). */
export interface ExecutionFlags {
  readonly down: boolean;
  readonly up: boolean;
  readonly includeScript: boolean;
  readonly includeSummary: boolean;
}

/** API 2, Execution. DECISION (API 2, Execution: expectedResultCount): how many chunks report results. */
export function viewExecution(row: ExecutionRecord, flags: ExecutionFlags, scope: Scope): View {
  const view: Record<string, JsonValue> = {
    ...stamp(row),
    ...runState(row),
    actualConcurrentClients: usersNow(row, scope),
    allocated: row.phase !== "queued" && (row.phase !== "completed" || row.startedAt !== null || row.manualStart),
    cancelledByUser: row.cancelledByUser,
    summaryCalculated: row.phase === "completed",
    limitBreached: row.limitBreached,
    success: row.success,
    expectedResultCount: row.regions.reduce((sum, { chunks }) => sum + chunks.length, 0),
    scriptParams: row.scriptParams,
    browsersExecuted: [],
    tags: tagsOf(row, scope),
  };
  if (flags.down) view["regions"] = row.regions.map((region) => viewExecutionRegion(row, region, scope));
  if (flags.up) Object.assign(view, above(row, scope));
  if (flags.includeScript) view["script"] = scriptOf(row, scope);
  if (flags.includeSummary) view["summary"] = viewSummary(row, scope);
  return view;
}

function runState(row: ExecutionRecord): View {
  return {
    running: row.phase === "running",
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    completed: row.phase === "completed",
    iterations: row.iterations,
    iterationSleepSecs: row.iterationSleepSecs,
    rampupSecs: row.rampupSecs,
    concurrentClients: row.concurrentClients,
  };
}

/** Users that run now: 0 once it has finished. */
function usersNow(row: ExecutionRecord, scope: Scope, regionId?: number): number {
  if (row.phase !== "running" || !hasBegun(row)) return 0;
  return runOf(row, scope).usersAt(elapsedNow(row, scope), regionId);
}

function viewExecutionRegion(row: ExecutionRecord, region: ExecutionRegionRecord, scope: Scope): View {
  const record = region.regionId === null ? undefined : scope.store.get("region", region.regionId);
  return {
    id: region.id,
    running: row.phase === "running",
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    completed: row.phase === "completed",
    concurrentClients: region.concurrentClients,
    actualConcurrentClients: usersNow(row, scope, region.id),
    expectedResultCount: region.chunks.length,
    region: record ? viewRegion(record, scope) : { id: 0, name: region.regionName },
    summary: viewSummary(row, scope, region.id),
    chunks: viewChunks(row, region, scope),
  };
}

/** API 2, Chunk: what its share of the region's users has done so far. */
function viewChunks(row: ExecutionRecord, region: ExecutionRegionRecord, scope: Scope): readonly View[] {
  const iterations = iterationsOfChunks(row, region, scope);
  const users = usersNow(row, scope, region.id);
  return region.chunks.map((chunk, index) => ({
    id: chunk.id,
    executionType: "Main",
    agent: chunk.agent,
    ...runState(row),
    concurrentClients: chunk.concurrentClients,
    actualConcurrentClients: Math.min(chunk.concurrentClients, Math.max(0, users - usersBefore(region, index))),
    completedDurationSecs: secondsSoFar(row, scope),
    completedIterations: iterations[index] ?? 0,
  }));
}

function usersBefore({ chunks }: ExecutionRegionRecord, index: number): number {
  return chunks.slice(0, index).reduce((sum, each) => sum + each.concurrentClients, 0);
}

function secondsSoFar(row: ExecutionRecord, scope: Scope): number {
  if (!hasBegun(row)) return 0;
  const ms = row.finishedAt === null ? elapsedNow(row, scope) : elapsed(row, Date.parse(row.finishedAt));
  return Math.max(0, Math.floor(ms / 1000));
}

/** The tags of an execution as objects. */
export function tagsOf(row: ExecutionRecord, scope: Scope): readonly View[] {
  const testCaseId = scope.store.get("configuration", row.configurationId)?.testCaseId ?? -1;
  const organization = scope.store.get("testCase", testCaseId)?.organizationId ?? -1;
  return tagsNamed(row.tags, organization, scope);
}

/** The tags of an organization that have these names. */
export function tagsNamed(names: readonly string[], organizationId: number, { store }: Scope): readonly View[] {
  const tags = store.where("tag", "organizationId", organizationId);
  return names.flatMap((name) => tags.filter((tag) => tag.name === name)).map(viewTag);
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
