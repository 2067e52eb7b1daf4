import type { RunPlan } from "../runs/run-plan.ts";

/** DECISION (API 2, Starting a run: how much real load is made): at most 50 users for 60 seconds, in two threads of 128 MB. */
export const loadLimits = { users: 50, ms: 60_000, workers: 2, heapMb: 128, growthMb: 768 } as const;

/** DECISION (API 2, Starting a run: a run that is really made and is larger than may be made): it is never made smaller, and never modelled instead. A call that starts it is 400 with the bound; one that a schedule starts fails with the bound in its log, and the schedule goes on. A BreakingPoint run counts with the account maximum, one of iterations with the time that it takes at least. */
export function beyondLimits(plan: RunPlan): string | undefined {
  const users = plan.regions.reduce((sum, region) => sum + region.users, 0);
  const secs = Math.round(leastMs(plan)) / 1000;
  const most = loadLimits.ms / 1000;
  const found = [
    ...(users > loadLimits.users ? [`found ${users} users, expected at most ${loadLimits.users}`] : []),
    ...(secs > most ? [`found ${secs} s with ramp-up, expected at most ${most} s`] : []),
  ];
  return found.length === 0 ? undefined : `real load is limited: ${found.join("; ")}`;
}

/** The least time from the first iteration to the beginning of the last one. */
function leastMs({ profile, regions, sleepMs, maxDurationMs }: RunPlan): number {
  const ramp = profile.type === "Flat" ? profile.rampupMs : 0;
  const users = Math.max(1, ...regions.map((region) => region.users));
  const iterations = profile.type === "Flat" ? (profile.iterations ?? 1) : 1;
  const planned =
    profile.durationMs === null ? (ramp * (users - 1)) / users + (iterations - 1) * sleepMs : ramp + profile.durationMs;
  return Math.min(planned, maxDurationMs ?? Number.POSITIVE_INFINITY);
}
