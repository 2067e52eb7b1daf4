import { getOrMake } from "../../model/group-by.ts";
import type { ScheduleRuns } from "./two-weeks.ts";

/** Users of all scheduled runs from a moment on. */
export type LoadStep = readonly [at: number, users: number];

/** Schedules whose runs are under way at the same time. */
interface Overlap {
  readonly addresses: readonly string[];
  /** Users of these runs together. */
  readonly users: number;
  /** The number of times it happens, and the first of them. */
  readonly times: number;
  readonly first: readonly [start: number, end: number];
}

/** The sweep over the scheduled runs of two weeks. */
export interface RunSweep {
  readonly steps: readonly LoadStep[];
  /** The largest first, no more than were asked for. */
  readonly overlaps: readonly Overlap[];
  /** The number of all overlaps. */
  readonly count: number;
}

/** Schedules that run at the same moments for the same time. */
interface Alike {
  readonly runs: readonly number[];
  readonly lengthMs: number;
  readonly rows: number[];
  users: number;
}

interface Meeting extends Pick<Overlap, "users" | "first"> {
  /** The runs under way of each of the alike. */
  readonly under: readonly number[];
  times: number;
}

const minuteMs = 60_000;

/**
 * Finds how many users are under way in two weeks, and which runs meet. A run that ends by iterations counts for the minute of its start.
 * Schedules may have a run each minute, so those that are alike are swept as one.
 */
export function sweepRuns(rows: readonly ScheduleRuns[], most: number): RunSweep {
  const alike = alikeRows(rows);
  const edges = edgesOf(alike);
  const moments = [...edges.keys()].sort((left, right) => left - right);
  const under = alike.map(() => 0);
  const found = new Map<string, Meeting>();
  const steps: LoadStep[] = [];
  let [users, runs] = [0, 0];
  for (const [index, at] of moments.entries()) {
    for (const { group, by } of edges.get(at) ?? []) {
      under[group] = (under[group] ?? 0) + by;
      users += by * (alike[group]?.users ?? 0);
      runs += by * (alike[group]?.rows.length ?? 0);
    }
    steps.push([at, users]);
    const next = moments[index + 1];
    if (next !== undefined && runs > 1) note(found, { under, users, first: [at, next] });
  }
  const largest = [...found.values()].sort((left, right) => right.users - left.users).slice(0, most);
  return { steps, overlaps: largest.map((meeting) => overlapOf(meeting, alike, rows)), count: found.size };
}

/** The most users that are under way at once. */
export function peakOf(steps: readonly LoadStep[]): number {
  return steps.reduce((most, [, users]) => Math.max(most, users), 0);
}

function alikeRows(rows: readonly ScheduleRuns[]): readonly Alike[] {
  const byRuns = new Map<readonly number[], Map<number, Alike>>();
  for (const [row, { runs, seconds, users = 0 }] of rows.entries()) {
    const lengthMs = seconds === undefined ? minuteMs : seconds * 1000;
    const byLength = getOrMake(byRuns, runs, () => new Map<number, Alike>());
    const alike = getOrMake(byLength, lengthMs, () => ({ runs, lengthMs, rows: [], users: 0 }));
    alike.rows.push(row);
    alike.users += users;
  }
  return [...byRuns.values()].flatMap((byLength) => [...byLength.values()]);
}

/** A run of one group that begins or ends. */
interface Edge {
  readonly group: number;
  readonly by: 1 | -1;
}

function edgesOf(alike: readonly Alike[]): ReadonlyMap<number, readonly Edge[]> {
  const edges = new Map<number, Edge[]>();
  for (const [group, { runs, lengthMs }] of alike.entries()) {
    const [start, end] = [{ group, by: 1 } as const, { group, by: -1 } as const];
    for (const at of runs) {
      getOrMake(edges, at, (): Edge[] => []).push(start);
      getOrMake(edges, at + lengthMs, (): Edge[] => []).push(end);
    }
  }
  return edges;
}

function note(found: Map<string, Meeting>, { under, users, first }: Omit<Meeting, "times">): void {
  const key = under.join(" ");
  const known = found.get(key);
  if (known) known.times++;
  else found.set(key, { under: [...under], users, first, times: 1 });
}

function overlapOf({ under, ...meeting }: Meeting, alike: readonly Alike[], rows: readonly ScheduleRuns[]): Overlap {
  const all = under.flatMap((times, group) =>
    times === 0 ? [] : (alike[group]?.rows ?? []).map((row) => ({ row, times })),
  );
  const addresses = all
    .sort((left, right) => left.row - right.row)
    .map(({ row, times }) => `${rows[row]?.address ?? ""}${times > 1 ? ` (${times} times)` : ""}`);
  return { ...meeting, addresses };
}
