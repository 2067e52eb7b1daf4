import type { Scope } from "../core/scope.ts";
import { elapsedNow, hasBegun } from "../core/simulations.ts";
import { Refusal } from "../refusal.ts";
import { loadLimits } from "../scripts/run-worker.ts";
import type { ExecutionRecord, ExecutionRegionRecord } from "../store/records/executions.ts";
import { completeUnstarted, startExecution } from "./complete-execution.ts";
import { takeStep } from "./execution-steps.ts";
import { splitUsers } from "./split-users.ts";

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

/** DECISION (API 2, POST /executions/:id/live-extension): for runs of a duration only, while they run; else 409. */
export function extendExecution(row: ExecutionRecord, secs: number, scope: Scope): ExecutionRecord {
  if (row.phase !== "running" || !hasBegun(row)) throw wrongState(row, "one that runs");
  const { profile } = row.plan;
  if (profile.durationMs === null)
    throw new Refusal(409, `execution ${row.id} ends with its iterations; expected one that runs for a duration`);
  const controls = { ...row.controls, extendedMs: row.controls.extendedMs + Math.round(secs * 1000) };
  return scope.store.update("execution", row.id, { controls });
}

/** DECISION (API 2, POST /executions/:id/add-users): to one execution region, or split evenly over all; they start at once. */
export function addUsers(
  row: ExecutionRecord,
  { users, regionId }: { readonly users: number; readonly regionId: number | undefined },
  scope: Scope,
): ExecutionRecord {
  if (row.phase !== "running" || !hasBegun(row)) throw wrongState(row, "one that runs");
  const chosen = row.regions.filter(({ id }) => regionId === undefined || id === regionId);
  if (chosen.length === 0) {
    const known = row.regions.map(({ id }) => id).join(", ");
    const message = `found ${regionId}; expected one of the execution's regions: ${known}`;
    throw new Refusal(400, `regionId: ${message}`, { errors: [{ field: "regionId", message }] });
  }
  if (row.plan.measured) refuseMore(row, users);
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

function refuseMore({ concurrentClients }: ExecutionRecord, users: number): void {
  if (concurrentClients + users <= loadLimits.users) return;
  const message = `found ${users} beside ${concurrentClients}; expected at most ${loadLimits.users} users of real load together`;
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
