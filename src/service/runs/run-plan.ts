/** The load profile of a run. Times are milliseconds from its start. */
export type Profile =
  | {
      readonly type: "Flat";
      readonly rampupMs: number;
      readonly durationMs: number | null;
      readonly iterations: number | null;
    }
  | { readonly type: "Step"; readonly durationMs: number; readonly startUsers: number; readonly step: number }
  | { readonly type: "BreakingPoint"; readonly durationMs: number };

/** A request of the iteration that every user repeats. */
export interface ModelRequest {
  /** `METHOD url` without query. */
  readonly resource: string;
  readonly url: string;
  /** Status of a successful answer. */
  readonly status: number;
  readonly contentType: string;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /**
   * After which it begins: the end of a request before it in the list, by its index, or the start of the iteration. Absent: the end of
   * all before it.
   */
  readonly after?: number | "start";
  /** Milliseconds between that and its own start. */
  readonly pauseMs: number;
  /** Shares of the time to the first byte at which the name is resolved, the connection open, the answer complete. */
  readonly dnsShare: number;
  readonly openShare: number;
  readonly closeShare: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number };
  /** Share of requests that fail, 0 to 1. */
  readonly errorRate: number;
  readonly capacity: { readonly users: number; readonly slope: number } | null;
  /** Its result in the probe iteration, which each iteration repeats with the figures of that answer. Absent where the target decides. */
  readonly verdict?: "success" | "failure";
  /** Its answers were measured: their figures are in its counts, and each had its status (0: no answer). */
  readonly measured?: true;
}

/** A value that each iteration reports by itself; equal reports of one iteration are one, with `times`. */
export interface ModelMetric {
  readonly metricType: "Counter" | "Timing" | "Histogram" | "Metered";
  readonly namespace: string;
  readonly name: string;
  readonly key: string | null;
  readonly value: number;
  readonly units: string;
  readonly times: number;
}

/** The iteration that every user repeats. */
export interface IterationModel {
  readonly requests: readonly ModelRequest[];
  /** Milliseconds after the end of all requests. */
  readonly restMs: number;
  readonly metrics: readonly ModelMetric[];
}

/** A condition at which a run is stopped. */
export interface PlannedCheck {
  /** The metric that is compared, named as in the expression of a KPI. */
  readonly metric: string;
  readonly key: string | null;
  readonly isPercentage: boolean;
  readonly operator: "GT" | "GTE" | "LT" | "LTE" | "EQ" | "NEQ";
  readonly threshold: number;
  readonly timePeriod: "LastMinute" | "Execution";
  readonly valueType: "Absolute" | "ChangeFromLastMinute" | "ChangeFromHistory";
  /** The weighted average of earlier runs; null when there is none. */
  readonly history: number | null;
}

/** A key performance indicator of a run. */
export interface PlannedKpi {
  readonly expr: string;
  readonly breakOnFail: boolean;
}

/** Users of one region, and how they are split over its chunks. */
export interface PlannedRegion {
  readonly id: number;
  /** Its name in draws: that of the region, which another region of the run does not change. Absent in older states: its id. */
  readonly key?: string;
  /** The final number of users. */
  readonly users: number;
  readonly chunks: readonly { readonly id: number; readonly users: number }[];
}

/** All that the numbers of a run depend on, as plain data. */
export interface RunPlan {
  /** Draws depend on it, and on the name of the region, the user, the iteration and the request. */
  readonly seed: string;
  readonly profile: Profile;
  readonly sleepMs: number;
  readonly maxDurationMs: number | null;
  readonly regions: readonly PlannedRegion[];
  readonly iteration: IterationModel;
  readonly checks: readonly PlannedCheck[];
  readonly kpis: readonly PlannedKpi[];
  /** Its load is really made: its numbers are measured, not computed. */
  readonly measured?: true;
}

/** Interventions in a run: its stop, its extension, users that were added. Times are milliseconds from its start. */
export interface RunControls {
  readonly stoppedAtMs: number | null;
  readonly extendedMs: number;
  readonly added: readonly { readonly atMs: number; readonly regionId: number; readonly users: number }[];
}

/** A run that nothing was done to. */
export const untouched: RunControls = { stoppedAtMs: null, extendedMs: 0, added: [] };

/** Ten years: the intervals of a run are told one by one, and there is no end of those of a thousand. */
export const longestRunMs = 10 * 366 * 24 * 3_600_000;

/** Most rises of Step and BreakingPoint (API 1, Limits). */
const mostRises = 50;

/** When the users of a region start, in milliseconds from the start of the run, in rising order. */
export function startsOf(
  { profile }: Pick<RunPlan, "profile">,
  region: PlannedRegion,
  controls: RunControls,
): Float64Array {
  const added = controls.added
    .filter(({ regionId }) => regionId === region.id)
    .flatMap(({ atMs, users }) => Array<number>(users).fill(atMs));
  const planned = Array.from({ length: region.users }, (_, user) => startOfUser(profile, user, region.users));
  return Float64Array.from([...planned, ...added]).sort();
}

function startOfUser(profile: Profile, user: number, users: number): number {
  // DECISION (API 1, Test configuration: how users ramp up): in a Flat run user i of C (from 0) starts at rampupSecs × i / C.
  if (profile.type === "Flat") return (profile.rampupMs * user) / users;
  if (profile.type === "Step") {
    // DECISION (API 1, Test configuration: how long a step lasts): the first level is one too, and each holds the duration divided by the number of levels.
    const rises = Math.min(mostRises, Math.max(0, Math.ceil((users - profile.startUsers) / profile.step)));
    const level = Math.max(0, Math.ceil((user + 1 - profile.startUsers) / profile.step));
    return (Math.min(level, rises) * profile.durationMs) / (rises + 1);
  }
  // DECISION (API 1, Test configuration: how a BreakingPoint run rises): from one user to the account maximum in 50 equal rises, each level of as long as another.
  const level = users <= 1 ? 0 : Math.ceil((user * mostRises) / (users - 1) - 1e-9);
  return (level * profile.durationMs) / (mostRises + 1);
}

/** When the last iteration may begin; undefined for a run that ends with its iterations. */
export function endOf(
  { profile, maxDurationMs }: RunPlan,
  { stoppedAtMs, extendedMs }: RunControls,
): number | undefined {
  const ramp = profile.type === "Flat" ? profile.rampupMs : 0;
  const ends = [
    ...(profile.durationMs === null ? [] : [ramp + profile.durationMs + extendedMs]),
    ...(maxDurationMs === null ? [] : [maxDurationMs]),
    ...(stoppedAtMs === null ? [] : [stoppedAtMs]),
  ];
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** When a request of an iteration begins, given when those before it in the list ended, and the last of these. */
export function startOfRequest(
  { after, pauseMs }: Pick<ModelRequest, "after" | "pauseMs">,
  { startMs, ends, endMs }: { readonly startMs: number; readonly ends: readonly number[]; readonly endMs: number },
): number {
  if (after === undefined) return endMs + pauseMs;
  return (after === "start" ? startMs : (ends[after] ?? endMs)) + pauseMs;
}

/** The ids of the chunks of so many users of a region; users added later are the last chunk's. */
export function chunksOfUsers({ chunks }: Pick<PlannedRegion, "chunks">, users: number): Uint32Array {
  const ids = new Uint32Array(users);
  let from = 0;
  for (const [place, chunk] of chunks.entries()) {
    const to = place === chunks.length - 1 ? users : from + chunk.users;
    ids.fill(chunk.id, from, to);
    from = to;
  }
  return ids;
}

/** Seed of a region's draws for one purpose. */
export function regionSeed({ seed, regions }: Pick<RunPlan, "seed" | "regions">, purpose: string, id: number): string {
  return `${seed} ${purpose} ${regions.find((each) => each.id === id)?.key ?? id}`;
}
