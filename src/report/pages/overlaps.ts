import type { ScheduleRuns } from "./two-weeks.ts";

/** Users of all scheduled runs from a moment on. */
export type LoadStep = readonly [at: number, users: number];

/** Schedules whose runs are under way at the same time. */
export interface Overlap {
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
  /** The largest first. */
  readonly overlaps: readonly Overlap[];
}

interface Edge {
  readonly at: number;
  readonly row: number;
  readonly by: 1 | -1;
}

const minuteMs = 60_000;

/** Finds how many users are under way in two weeks, and which runs meet. A run that ends by iterations counts for the minute of its start. */
export function sweepRuns(rows: readonly ScheduleRuns[]): RunSweep {
  const edges = rows.flatMap(({ runs, seconds }, row) => {
    const length = seconds === undefined ? minuteMs : seconds * 1000;
    return runs.flatMap((at): readonly Edge[] => [
      { at, row, by: 1 },
      { at: at + length, row, by: -1 },
    ]);
  });
  const under = new Map<number, number>();
  const found = new Map<string, Overlap>();
  const steps: LoadStep[] = [];
  let users = 0;
  const sorted = edges.sort((left, right) => left.at - right.at);
  for (const [index, { at, row, by }] of sorted.entries()) {
    users += by * (rows[row]?.users ?? 0);
    const times = (under.get(row) ?? 0) + by;
    if (times === 0) under.delete(row);
    else under.set(row, times);
    const next = sorted[index + 1]?.at;
    if (next === at) continue;
    steps.push([at, users]);
    if (next !== undefined && isMeeting(under)) note(found, { under, users, span: [at, next] }, rows);
  }
  return { steps, overlaps: [...found.values()].sort((left, right) => right.users - left.users) };
}

function isMeeting(under: ReadonlyMap<number, number>): boolean {
  return under.size > 1 || [...under.values()].some((times) => times > 1);
}

function note(
  found: Map<string, Overlap>,
  {
    under,
    users,
    span,
  }: { readonly under: ReadonlyMap<number, number>; readonly users: number; readonly span: Overlap["first"] },
  rows: readonly ScheduleRuns[],
): void {
  const all = [...under].sort(([left], [right]) => left - right);
  const key = JSON.stringify(all);
  const addresses = all.flatMap(([row, times]) => {
    const address = rows[row]?.address ?? "";
    return times > 1 ? [`${address} (${times} times)`] : [address];
  });
  const known = found.get(key);
  found.set(key, known ? { ...known, times: known.times + 1 } : { addresses, users, times: 1, first: span });
}
