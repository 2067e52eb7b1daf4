import type { TreeNode } from "../../model/tree.ts";
import type { Change } from "../../plan/plan.ts";
import { bothSides } from "./both-sides.ts";
import { type RegionLoads, regionLoads } from "./region-loads.ts";
import { type ScheduleRuns, scheduleRuns, type TwoWeeks, twoWeeksFrom } from "./two-weeks.ts";

/** Everything of a project that its schedules and loads are worked out from. */
export interface ForecastInput {
  /** Everything declared, and everything that the plan deletes, by address. */
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** Addresses of the configurations that gates run. */
  readonly gates: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** The moment at which the service created a bound object, ISO 8601. */
  readonly createdAt: (address: string) => string | undefined;
  /** Users that a BreakingPoint counts as, where limits say it. */
  readonly breakingPoint?: number;
}

/** The schedules of two weeks and the load per region, at the service and as declared. */
export interface Forecast {
  readonly weeks: TwoWeeks;
  readonly live: readonly ScheduleRuns[];
  readonly declared: readonly ScheduleRuns[];
  readonly regions: RegionLoads;
}

/** The forecast of a plan; schedules that are not there yet begin as if it were applied now. */
export function forecastOf(input: ForecastInput, changes: readonly Change[]): Forecast {
  const { nodes, gates, now, breakingPoint } = input;
  const known = new Map(changes.map((change) => [change.address, change.createdAt]));
  const createdAt = (address: string) => {
    const at = Date.parse(known.get(address) ?? input.createdAt(address) ?? "");
    return Number.isNaN(at) ? undefined : at;
  };
  const weeks = twoWeeksFrom(now, { createdAt, ...(breakingPoint !== undefined && { breakingPoint }) });
  const sides = bothSides(nodes, changes);
  return {
    weeks,
    live: scheduleRuns(sides.live, weeks),
    declared: scheduleRuns(sides.declared, weeks),
    regions: regionLoads(sides, { ...weeks, gates }),
  };
}
