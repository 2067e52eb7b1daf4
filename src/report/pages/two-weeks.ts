import { plannedSeconds } from "../../model/configuration-load.ts";
import { holdsSecret } from "../../model/fingerprint.ts";
import { getOrMake } from "../../model/group-by.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { excludedSpans, nextRun, type Recurrence, skippedBy } from "../../model/recurrence.ts";
import type { Tree, TreeNode } from "../../model/tree.ts";
import { declaredLoads } from "../../policy/declared-loads.ts";
import { usersOf } from "../../policy/week-peak.ts";

/** The runs of one schedule in the two weeks of a calendar; moments are epoch milliseconds. */
export interface ScheduleRuns {
  readonly address: string;
  readonly runs: readonly number[];
  /** Runs that an exclusion takes away. */
  readonly skipped: readonly number[];
  readonly windows: readonly (readonly [start: number, end: number])[];
  /** Planned time of a run; absent where it ends by iterations. */
  readonly seconds?: number;
  /** Users of a run; absent where they are not known. */
  readonly users?: number;
  /** The reason that it has no runs that may be shown: it is paused, or its values come from `${env:…}`. */
  readonly state?: "paused" | "hidden";
}

/** The frame of a calendar. */
export interface TwoWeeks {
  /** Start of the first day, UTC. */
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** The moment at which the service created an object, on which the grid of its schedule rests; undefined for one that is not there yet. */
  readonly createdAt: (address: string) => number | undefined;
  /** Users that a BreakingPoint counts as, where limits say it. */
  readonly breakingPoint?: number;
}

const dayMs = 86_400_000;

/** Days of a calendar. */
export const calendarDays = 14;

/** The two weeks that begin with the day of a moment. */
export function twoWeeksFrom(now: number, more: Pick<TwoWeeks, "createdAt" | "breakingPoint">): TwoWeeks {
  const from = now - (now % dayMs);
  return { ...more, from, to: from + calendarDays * dayMs, now };
}

/** The runs of all schedules of a tree, in its order. */
export function scheduleRuns(tree: Pick<Tree, "nodes">, weeks: TwoWeeks): readonly ScheduleRuns[] {
  const loads = new Map(declaredLoads({ ...tree, contents: new Map() }).map((load) => [load.address, load]));
  const known = new Map<string, Pick<ScheduleRuns, "runs" | "skipped" | "windows">>();
  return [...tree.nodes.values()].flatMap((node): readonly ScheduleRuns[] => {
    const above = node.parent === undefined ? undefined : tree.nodes.get(node.parent);
    if (node.kind !== "schedule" || above === undefined) return [];
    const load = loads.get(above.handle);
    const none = { address: node.handle, runs: [], skipped: [], windows: [] };
    if (isSensitive(node) || load?.isHidden) return [{ ...none, state: "hidden" }];
    const seconds = plannedSeconds(above.fields);
    const users = load === undefined ? 0 : usersOf(load, weeks.breakingPoint);
    const size = { ...(seconds !== undefined && { seconds }), ...(users > 0 && { users }) };
    if (node.fields.active === false) return [{ ...none, ...size, state: "paused" }];
    const createdAt = weeks.createdAt(node.handle) ?? weeks.now;
    // All runs are at full minutes, so the minute of the creation is all that tells them.
    const key = JSON.stringify([node.fields, Math.floor(createdAt / 60_000)]);
    const found = getOrMake(known, key, () => runsOf(node.fields, createdAt, weeks));
    return [{ address: node.handle, ...found, ...size }];
  });
}

function isSensitive({ sensitive = [], fields }: TreeNode): boolean {
  return sensitive.length > 0 || holdsSecret(fields);
}

function runsOf(
  fields: JsonObject,
  createdAt: number,
  { now, from, to }: TwoWeeks,
): Pick<ScheduleRuns, "runs" | "skipped" | "windows"> {
  const windows: Json | undefined = fields.exclusions;
  const schedule = { ...fields, exclusions: Array.isArray(windows) ? windows : [] } as unknown as Recurrence;
  const bare = { ...schedule, exclusions: [] };
  const [runs, skipped]: [number[], number[]] = [[], []];
  for (let at = nextRun(bare, createdAt, now); at !== undefined && at < to; at = nextRun(bare, createdAt, at))
    (skippedBy(schedule, at) === undefined ? runs : skipped).push(at);
  return { runs, skipped, windows: excludedSpans(schedule, from, to) };
}
