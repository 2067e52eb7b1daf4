import { loadLimits } from "../scripts/load-limits.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { ExecutionRegionRecord, ProbeRecord } from "../store/records/executions.ts";
import { splitUsers } from "./split-users.ts";

/** DECISION (API 2, Starting a run: a run that is really made and has more users than may be made): it has as many as may, split over its regions and chunks as those that were asked for; its log says so. */
export function withinLimits(regions: readonly ExecutionRegionRecord[]): readonly ExecutionRegionRecord[] {
  const asked = sumOf(regions);
  if (asked <= loadLimits.users) return regions;
  const shares = splitUsers(
    loadLimits.users,
    regions.map(({ concurrentClients }) => concurrentClients),
  );
  return regions.map((region, index) => {
    const users = shares[index] ?? 0;
    const even = splitUsers(
      users,
      region.chunks.map(() => 1),
    );
    const chunks = region.chunks.map((chunk, at) => ({ ...chunk, concurrentClients: even[at] ?? 0 }));
    return { ...region, concurrentClients: users, chunks };
  });
}

/** What a run that is really made begins with: how it was limited. */
export function limited(configuration: ConfigurationRecord): ProbeRecord {
  const lines = [...usersLine(configuration), ...timeLine(configuration)];
  const logs = lines.map((message) => ({ level: "Info", message, atMs: 0 }));
  return { logs, tests: [], files: [], durationMs: 0, failure: null };
}

function usersLine({ profileType, concurrentClients = 0, providers }: ConfigurationRecord): readonly string[] {
  const { users } = loadLimits;
  if (profileType === "BreakingPoint") return [`Real load is limited: this run rises to ${users} users`];
  const asked = providers.reduce(
    (sum, { params, numRegions }) =>
      sum + Number(params["concurrentClients"] ?? concurrentClients) * Math.max(1, numRegions),
    0,
  );
  return asked <= users
    ? []
    : [`Real load is limited: found ${asked} users, expected at most ${users}; ${users} are made`];
}

function timeLine({ durationSecs = 0, rampupSecs = 60, profileType }: ConfigurationRecord): readonly string[] {
  const secs = durationSecs + (profileType === "Flat" ? rampupSecs : 0);
  const most = loadLimits.ms / 1000;
  return secs <= most
    ? []
    : [`Real load is limited: found ${secs} s with ramp-up, expected at most ${most} s; it ends then`];
}

function sumOf(regions: readonly ExecutionRegionRecord[]): number {
  return regions.reduce((sum, { concurrentClients }) => sum + concurrentClients, 0);
}
