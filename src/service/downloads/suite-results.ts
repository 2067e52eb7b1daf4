import type { Scope } from "../core/scope.ts";
import { hasBegun } from "../core/simulations.ts";
import { replayIterations } from "../runs/replay-run.ts";
import type { RunTestRecord } from "../store/records/executions.ts";
import { figuresOfRun } from "../views/run-figures.ts";
import type { View } from "../views/stamp.ts";
import { type DownloadedPart, type DownloadQuery, endOfPage, mostRows, replayedRun } from "./downloaded-run.ts";
import { RunClients } from "./run-clients.ts";

/** Columns of the tests of suites: what a script's FinishSuiteTest tells, then whose it was. */
export const suiteColumns: readonly string[] = [
  ...["suiteUuid", "suiteName", "uuid", "name", "state", "started", "finished", "duration"],
  ...["errorType", "error", "errorTrace", "threadId", "iterationId"],
];

/** Columns of the summaries of suites. */
export const summaryColumns: readonly string[] = [
  ...["suiteName", "name", "total", "passed", "failed", "skipped"],
  ...["durationP50", "durationP95", "durationMax"],
];

/** Columns of the errors of suites. */
export const errorColumns: readonly string[] = ["suiteName", "name", "errorType", "error", "count"];

/**
 * DECISION (API 2, download routes: suite-results): every iteration that ended repeats the tests of the probe iteration, at the
 * times that they had in it, in epoch milliseconds; iterations are in the order in which they ended.
 */
export function suiteResults(
  { row, regionId }: DownloadedPart,
  query: Pick<DownloadQuery, "threadId" | "limit" | "offset"> & { readonly isFailed?: true },
  scope: Scope,
): readonly View[] {
  const { threadId, isFailed } = query;
  const tests = (row.probe?.tests ?? []).filter(({ state }) => !isFailed || state === "failed");
  if (!hasBegun(row) || tests.length === 0) return [];
  const clients = new RunClients(row);
  const start = Date.parse(row.startedAt);
  if (row.plan.measured) return happened(tests, { start, clients, regionId, threadId });
  const iterations = replayIterations(replayedRun(row, scope), {
    most: Math.ceil(endOfPage(query) / tests.length),
    isWanted: (region, user) =>
      (regionId === undefined || region === regionId) &&
      (threadId === undefined || clients.of(region, user).threadId === threadId),
  });
  const rows = iterations.flatMap((each) => {
    const of = {
      start: start + each.startMs,
      threadId: clients.of(each.regionId, each.user).threadId,
      iterationId: clients.iterationId(each),
    };
    return tests.map((test) => viewTest(test, of));
  });
  return rows.slice(0, mostRows);
}

/** The tests of a run that was really made: each is of an iteration of its own. */
function happened(
  tests: readonly RunTestRecord[],
  of: {
    readonly start: number;
    readonly clients: RunClients;
    readonly regionId: number | undefined;
    readonly threadId: string | undefined;
  },
): readonly View[] {
  return tests.flatMap((test) => {
    if (test.of === undefined || (of.regionId ?? test.of.regionId) !== test.of.regionId) return [];
    const { threadId } = of.clients.of(test.of.regionId, test.of.user);
    if ((of.threadId ?? threadId) !== threadId) return [];
    return [viewTest(test, { start: of.start, threadId, iterationId: of.clients.iterationId(test.of) })];
  });
}

/** The tests of suites, counted: as often as iterations ended in the intervals that the summary of the run counts. */
export function suiteSummaries(
  part: DownloadedPart,
  { includeErrors }: Pick<DownloadQuery, "includeErrors">,
  scope: Scope,
): readonly View[] {
  const times = iterationsOf(part, scope);
  return groupsOf(testsOf(part), ({ suiteName, name }) => [suiteName, name], times).map((tests) => {
    const count = (state: string) => times * tests.filter((test) => test.state === state).length;
    const durations = tests.map(testMs).sort((left, right) => left - right);
    const percentile = (share: number) => durations[Math.ceil(share * durations.length) - 1] ?? 0;
    const view = {
      suiteName: tests[0]?.suiteName ?? "",
      name: tests[0]?.name ?? "",
      total: times * tests.length,
      passed: count("passed"),
      failed: count("failed"),
      skipped: count("skipped"),
      durationP50: percentile(0.5),
      durationP95: percentile(0.95),
      durationMax: percentile(1),
    };
    return includeErrors ? { ...view, errors: errorsOf(tests, times).map(withoutTest) } : view;
  });
}

/** The errors of failed tests, counted like their summaries. */
export function suiteErrors(part: DownloadedPart, scope: Scope): readonly View[] {
  return errorsOf(testsOf(part), iterationsOf(part, scope));
}

function errorsOf(tests: readonly RunTestRecord[], times: number): readonly View[] {
  const failed = tests.filter(({ state }) => state === "failed");
  return groupsOf(
    failed,
    ({ suiteName, name, errorType, error }) => [suiteName, name, errorType, error],
    times,
  ).flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { suiteName, name, errorType, error } = first;
    return [{ suiteName, name, errorType, error, count: times * same.length }];
  });
}

function withoutTest({ errorType = null, error = null, count = 0 }: View): View {
  return { errorType, error, count };
}

function viewTest(
  test: RunTestRecord,
  { start, threadId, iterationId }: { readonly start: number; readonly threadId: string; readonly iterationId: string },
): View {
  const { suiteUuid, suiteName, uuid, name, state, errorType, error, errorTrace } = test;
  return {
    suiteUuid,
    suiteName,
    uuid,
    name,
    state,
    started: Math.round(start + test.startedMs),
    finished: Math.round(start + test.finishedMs),
    duration: testMs(test),
    errorType,
    error,
    errorTrace,
    threadId,
    iterationId,
  };
}

/** Milliseconds, rounded to microseconds. */
function testMs({ startedMs, finishedMs }: RunTestRecord): number {
  return Math.round((finishedMs - startedMs) * 1000) / 1000;
}

function testsOf({ row, regionId }: DownloadedPart): readonly RunTestRecord[] {
  const tests = row.probe?.tests ?? [];
  return tests.filter(({ of }) => of === undefined || regionId === undefined || of.regionId === regionId);
}

/** Number of times that each stored test counts: those that really happened are stored one by one. */
function iterationsOf({ row, regionId }: DownloadedPart, scope: Scope): number {
  if (row.plan?.measured) return 1;
  return figuresOfRun(row, scope, regionId).counts.iterations;
}

/** Tests with the same key, in the order of the first of each; none before an iteration has ended. */
function groupsOf(
  tests: readonly RunTestRecord[],
  keyOf: (test: RunTestRecord) => readonly (string | null)[],
  times: number,
): readonly (readonly RunTestRecord[])[] {
  const groups = new Map<string, readonly RunTestRecord[]>();
  if (times === 0) return [];
  for (const test of tests) {
    const key = JSON.stringify(keyOf(test));
    groups.set(key, [...(groups.get(key) ?? []), test]);
  }
  return [...groups.values()];
}
