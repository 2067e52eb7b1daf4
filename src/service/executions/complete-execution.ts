import type { Scope } from "../core/scope.ts";
import { type BegunExecution, reachedMoment } from "../core/simulations.ts";
import { evaluateKpi } from "../runs/evaluate-kpi.ts";
import type { MeasuredRun } from "../runs/measured-run.ts";
import type { SimulatedRun } from "../runs/simulate-run.ts";
import type { ExecutionRecord, RegionResults, RunResults } from "../store/records/executions.ts";
import { figuresOfRun } from "../views/run-figures.ts";

/** A run that is no more queued and not waiting. */
export function startExecution(row: ExecutionRecord, scope: Scope): ExecutionRecord {
  if (row.plan?.measured) scope.loads.want(row.id);
  return scope.store.update("execution", row.id, { phase: "running", startedAt: momentIso(row, scope) });
}

/** A run that was stopped before it began. */
export function completeUnstarted(row: ExecutionRecord, scope: Scope): ExecutionRecord {
  return scope.store.update("execution", row.id, {
    phase: "completed",
    finishedAt: momentIso(row, scope),
    success: false,
  });
}

function momentIso(row: ExecutionRecord, { now }: Scope): string {
  return new Date(reachedMoment(row, now)).toISOString();
}

/** A run that is at its end: what was counted is kept. */
export function completeExecution(row: BegunExecution, run: SimulatedRun | MeasuredRun, scope: Scope): ExecutionRecord {
  const finishedMs = run.finishedMs ?? 0;
  const isBreakingPoint = row.plan.profile.type === "BreakingPoint";
  const isWhole = run.stopped === undefined && row.controls.stoppedAtMs === null && finishedMs > 0;
  const limitBreached = isBreakingPoint && isWhole;
  const results = resultsOf(row, run, limitBreached);
  const finished = scope.store.update("execution", row.id, {
    phase: "completed",
    finishedAt: new Date(Date.parse(row.startedAt) + Math.ceil(finishedMs)).toISOString(),
    limitBreached,
    results,
  });
  return scope.store.update("execution", row.id, { success: isSuccess(finished, run, scope) });
}

function resultsOf(row: BegunExecution, run: SimulatedRun | MeasuredRun, limitBreached: boolean): RunResults {
  const regions = row.regions.map(({ id, chunks }): RegionResults => {
    const counts = run.counts(0, Number.POSITIVE_INFINITY, id);
    const iterations = chunks.map((chunk) => counts.runners.get(chunk.id) ?? 0);
    return { id, counts: counts.toData(), maxUsers: run.maxUsers(Number.POSITIVE_INFINITY, id), iterations };
  });
  const maxUsers = run.maxUsers(Number.POSITIVE_INFINITY);
  const breakingPoint = run.stopped?.by === "trigger" ? run.stopped.users : limitBreached ? maxUsers : null;
  return { regions, maxUsers, breakingPoint, stoppedBy: run.stopped?.reason ?? null };
}

/** DECISION (API 2, Execution: success): all KPIs hold, none stopped the run, the probe iteration did not fail, logged nothing as fatal, and none of its tests failed. Of a run that is really made each iteration counts as that. */
function isSuccess(row: ExecutionRecord, run: SimulatedRun | MeasuredRun, scope: Scope): boolean {
  if (run.stopped?.by === "kpi" || row.probe?.failure) return false;
  if (row.probe?.logs.some(({ level }) => level === "Fatal")) return false;
  if (row.probe?.tests.some(({ state }) => state === "failed")) return false;
  const { metrics } = figuresOfRun(row, scope);
  return row.kpis.every(({ expr }) => {
    const result = evaluateKpi(expr, metrics);
    return "success" in result && result.success;
  });
}
