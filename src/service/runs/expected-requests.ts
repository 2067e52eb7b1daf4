import { endOf, type IterationModel, type RunControls, type RunPlan, startOfRequest } from "./run-plan.ts";

/** About how many requests a run makes from one moment to another, in milliseconds from its start. */
export function expectedRequests(
  plan: RunPlan,
  controls: RunControls,
  [fromMs, toMs]: readonly [number, number],
): number {
  const { profile, iteration, sleepMs } = plan;
  const ms = Math.max(0, Math.min(toMs, endOf(plan, controls) ?? toMs) - fromMs);
  const most = profile.type === "Flat" ? (profile.iterations ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const each = Math.min(most, ms / (sleepMs + iterationMs(iteration)));
  return allUsers(plan, controls) * each * Math.max(1, iteration.requests.length);
}

function allUsers({ regions }: RunPlan, { added }: RunControls): number {
  return [...regions, ...added].reduce((sum, { users }) => sum + users, 0);
}

function iterationMs({ requests, restMs }: IterationModel): number {
  const ends: number[] = [];
  let endMs = 0;
  for (const request of requests) {
    const end = startOfRequest(request, { startMs: 0, ends, endMs }) + request.latencyMs.p50 * request.closeShare;
    ends.push(end);
    endMs = Math.max(endMs, end);
  }
  return endMs + restMs;
}
