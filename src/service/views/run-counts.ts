import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import type { View } from "./stamp.ts";

/** The fields of an execution that are counted by. */
type Run = Pick<ExecutionRecord, "id" | "createdAt" | "startedAt" | "finishedAt" | "phase" | "success">;

/** API 2, Region: what runs in it, waits for it and ran in it; made once per request, for every execution in a list shows its region. */
export function countRegionRuns(regionId: number, scope: Scope): View {
  const key = `runs in region ${regionId} ${scope.store.version("execution")}`;
  const known = scope.parts.get(key);
  if (known) return known;
  const runs = regionRuns(regionId, scope);
  const view = Object.freeze({
    runningExecutions: runs.filter((run) => run.phase === "running").map(({ id }) => id),
    currentQueuedExecutions: runs.filter(isQueued).map(({ id }) => id),
    currentQueuedExecutionCount: runs.filter(isQueued).length,
    successExecutions: runs.filter((run) => run.success === true).length,
    ...countQueue(runs, scope.now),
  });
  scope.parts.set(key, view);
  return view;
}

/** Ids of the executions that run in a region now. */
export function runningIn(regionId: number, scope: Scope): readonly number[] {
  return regionRuns(regionId, scope)
    .filter((run) => run.phase === "running")
    .map(({ id }) => id);
}

/** True while an execution in a region has not completed. */
export function isAtWork(regionId: number, scope: Scope): boolean {
  return regionRuns(regionId, scope).some((run) => run.phase !== "completed");
}

/** API 2, Organization: its account's counts. */
export function countOrganizationRuns(organizationId: number, scope: Scope): View {
  return countQueue(organizationRuns(organizationId, scope), scope.now);
}

/** API 2, Region: what ended today and yesterday. */
export function regionHistory(regionId: number, scope: Scope): View {
  return history(regionRuns(regionId, scope), scope.now);
}

/** API 2, Organization: what ended today and yesterday. */
export function organizationHistory(organizationId: number, scope: Scope): View {
  return history(organizationRuns(organizationId, scope), scope.now);
}

/**
 * DECISION (API 2, Region: queuedExecutions, totalQueuedTime, failedQueuedExecutions): executions that waited for runners, the milliseconds
 * that they waited so far, and those that ended without having started.
 */
function countQueue(runs: readonly Run[], now: number): View {
  const waits = runs.map((run) => waitOf(run, now));
  return {
    totalExecutions: runs.length,
    queuedExecutions: waits.filter((wait) => wait > 0).length,
    totalQueuedTime: waits.reduce((sum, wait) => sum + wait, 0),
    failedQueuedExecutions: runs.filter((run) => run.phase === "completed" && run.startedAt === null).length,
  };
}

function waitOf(run: Run, now: number): number {
  const end = isQueued(run) ? now : Date.parse(run.startedAt ?? run.finishedAt ?? run.createdAt);
  return Math.max(0, end - Date.parse(run.createdAt));
}

function isQueued(run: Run): boolean {
  return run.phase === "queued";
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** DECISION (API 2, Region: success history; entries not shown): per hour of the day in UTC in which an execution ended, how many did and how many of these succeeded; hours without are left out. */
function history(runs: readonly Run[], now: number): View {
  const today = now - (now % dayMs);
  return {
    todaySuccessHistory: hoursOf(runs, today),
    yesterdaySuccessHistory: hoursOf(runs, today - dayMs),
  };
}

function hoursOf(runs: readonly Run[], day: number): readonly View[] {
  const hours = Array.from({ length: 24 }, (_, index) => day + index * hourMs);
  return hours.flatMap((start) => {
    const ended = runs.filter((run) => run.phase === "completed" && isInHour(run.finishedAt, start));
    if (ended.length === 0) return [];
    const success = ended.filter((run) => run.success === true).length;
    const counts = { total: ended.length, success, failures: ended.length - success };
    return [{ hour: new Date(start).toISOString(), ...counts }];
  });
}

function isInHour(time: string | null, start: number): boolean {
  const at = time === null ? Number.NaN : Date.parse(time);
  return at >= start && at < start + hourMs;
}

function regionRuns(regionId: number, scope: Scope): readonly Run[] {
  const ids = runsByRegion(scope)[regionId];
  const inOrder = Array.isArray(ids) ? ids.map(Number).sort((left, right) => left - right) : [];
  return inOrder.flatMap((id) => scope.store.get("execution", id) ?? []);
}

/** Ids of executions by region, of the organizations that the caller may see. */
function runsByRegion(scope: Scope): View {
  const key = `runs by region ${scope.store.version("execution")}`;
  const known = scope.parts.get(key);
  if (known) return known;
  const found: Record<string, JsonValue[]> = {};
  for (const organization of openTo(scope))
    for (const run of organizationRuns(organization, scope))
      for (const regionId of new Set(run.regions.map((each) => each.regionId)))
        if (regionId !== null) addRun(found, regionId, run.id);
  scope.parts.set(key, found);
  return found;
}

function addRun(found: Record<string, JsonValue[]>, regionId: number, id: number): void {
  found[regionId] ??= [];
  found[regionId].push(id);
}

function openTo({ store, user }: Scope): readonly number[] {
  if (user === undefined) return store.all("organization").map(({ id }) => id);
  return store.where("grant", "userId", user.id).map((grant) => grant.organizationId);
}

function organizationRuns(organizationId: number, { store }: Scope): readonly ExecutionRecord[] {
  return store
    .where("testCase", "organizationId", organizationId)
    .flatMap((testCase) => store.where("configuration", "testCaseId", testCase.id))
    .flatMap((configuration) => store.where("execution", "configurationId", configuration.id));
}
