import type { Scope } from "../core/scope.ts";
import { type BegunExecution, elapsedNow, hasBegun } from "../core/simulations.ts";
import { Refusal } from "../refusal.ts";
import { endOf, longestRunMs, type RunControls, type RunPlan } from "../runs/run-plan.ts";
import { loadLimits } from "../scripts/load-limits.ts";
import type { ExecutionRecord, ExecutionRegionRecord } from "../store/records/executions.ts";
import { runOf } from "../views/run-figures.ts";
import { completeUnstarted, startExecution } from "./complete-execution.ts";
import { takeStep } from "./execution-steps.ts";
import { mostUsers, splitUsers } from "./split-users.ts";

/** API 2, PUT /executions/:id/manual-start: the run was allocated and waits. */
export function startManually(row: ExecutionRecord, scope: Scope): ExecutionRecord {
  if (row.phase !== "waiting") throw wrongState(row, "one that waits for its manual start");
  return startExecution(row, scope);
}

/** DECISION (API 2, PUT /executions/:id/stop): the run ends within the current iterations; one that had not started is completed at once. */
export function stopExecution(row: ExecutionRecord, scope: Scope): ExecutionRecord {
  if (row.phase === "completed") throw wrongState(row, "one that has not completed");
  const cancelled = scope.store.update("execution", row.id, { cancelledByUser: true });
  if (!hasBegun(cancelled)) return completeUnstarted(cancelled, scope);
  if (row.controls.stoppedAtMs !== null) return cancelled;
  const stoppedAtMs = elapsedNow(cancelled, scope);
  const stopped = scope.store.update("execution", row.id, { controls: { ...row.controls, stoppedAtMs } });
  return takeStep(stopped, scope);
}

/** DECISION (API 2, POST /executions/:id/live-extension): for runs of a duration only, until it has passed; else 409: users that had finished do not begin again. */
export function extendExecution(row: ExecutionRecord, secs: number, scope: Scope): ExecutionRecord {
  if (row.phase !== "running" || !hasBegun(row)) throw wrongState(row, "one that runs");
  const { profile } = row.plan;
  if (profile.durationMs === null)
    throw new Refusal(409, `execution ${row.id} ends with its iterations; expected one that runs for a duration`);
  refuseEnded(row, scope);
  const controls = { ...row.controls, extendedMs: row.controls.extendedMs + Math.round(secs * 1000) };
  refuseLonger(row.plan, controls);
  return scope.store.update("execution", row.id, { controls });
}

/** Refuses what a run cannot do any more that begins no iteration. */
function refuseEnded(row: BegunExecution, scope: Scope): void {
  const plannedMs = endOf(row.plan, row.controls) ?? Number.POSITIVE_INFINITY;
  const stoppedMs = runOf(row, scope).stopped?.atMs ?? Number.POSITIVE_INFINITY;
  if (Math.min(plannedMs, stoppedMs) > elapsedNow(row, scope)) return;
  const found = `execution ${row.id} is at its end and only finishes the iterations under way`;
  throw new Refusal(409, `${found}; expected one that still begins iterations`);
}

/** DECISION (API 2, POST /executions/:id/add-users): to one execution region, or split evenly over all; they start at once. 409 when the run begins no iterations any more. */
export function addUsers(
  row: ExecutionRecord,
  { users, regionId }: { readonly users: number; readonly regionId: number | undefined },
  scope: Scope,
): ExecutionRecord {
  if (row.phase !== "running" || !hasBegun(row)) throw wrongState(row, "one that runs");
  refuseEnded(row, scope);
  const chosen = row.regions.filter(({ id }) => regionId === undefined || id === regionId);
  refuseMore(row, users);
  const shares = splitUsers(
    users,
    chosen.map(() => 1),
  );
  const atMs = elapsedNow(row, scope);
  const added = chosen.map(({ id }, index) => ({ atMs, regionId: id, users: shares[index] ?? 0 }));
  const raised = row.regions.map((region) => raise(region, shares[chosen.indexOf(region)] ?? 0));
  return scope.store.update("execution", row.id, {
    controls: { ...row.controls, added: [...row.controls.added, ...added.filter((each) => each.users > 0)] },
    regions: raised,
    concurrentClients: row.concurrentClients + users,
  });
}

function refuseLonger(plan: RunPlan, controls: RunControls): void {
  const ms = endOf(plan, controls) ?? 0;
  const [most, ofWhat] = plan.measured ? [loadLimits.ms, " of real load"] : [longestRunMs, ""];
  if (ms <= most) return;
  const message = `found ${ms / 1000} s altogether; expected at most ${most / 1000} s${ofWhat}`;
  throw new Refusal(400, `durationSecs: ${message}`, { errors: [{ field: "durationSecs", message }] });
}

function refuseMore({ concurrentClients, plan }: BegunExecution, users: number): void {
  const [most, ofWhat] = plan.measured ? [loadLimits.users, "of real load "] : [mostUsers, ""];
  if (concurrentClients + users <= most) return;
  const message = `found ${users} beside ${concurrentClients}; expected at most ${most} users ${ofWhat}together`;
  throw new Refusal(400, `concurrentClients: ${message}`, { errors: [{ field: "concurrentClients", message }] });
}

/** Users that are added are the last chunk's. */
function raise(region: ExecutionRegionRecord, users: number): ExecutionRegionRecord {
  const last = region.chunks.length - 1;
  const chunks = region.chunks.map((chunk, index) =>
    index === last ? { ...chunk, concurrentClients: chunk.concurrentClients + users } : chunk,
  );
  return { ...region, concurrentClients: region.concurrentClients + users, chunks };
}

/** DECISION (API 2, Starting a run: control routes in the wrong state): such a call is 409 and changes nothing. */
function wrongState(row: ExecutionRecord, expected: string): Refusal {
  const states = {
    queued: "is queued",
    waiting: "waits for its manual start",
    running: "runs",
    completed: "has completed",
  };
  return new Refusal(409, `execution ${row.id} ${states[row.phase]}; expected ${expected}`);
}
