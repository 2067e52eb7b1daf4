import type { Tree } from "../../model/tree.ts";
import { type DeclaredLoad, declaredLoads } from "../../policy/declared-loads.ts";
import { sweepWeek, usersInRegion } from "../../policy/week-peak.ts";
import { runsReader } from "../../policy/week-runs.ts";
import type { BothSides } from "./both-sides.ts";
import type { TwoWeeks } from "./two-weeks.ts";

/** The users in one region on one side. */
interface RegionSide {
  /** Of the largest run. */
  readonly run: number;
  /** Of all schedules and gates in the busiest minute of a week, and that minute from Monday 00:00 UTC. */
  readonly week: number;
  readonly minute: number;
}

/** The load of one region at the service, and as declared. */
export interface RegionLoad {
  /** Absent for regions that the service chooses. */
  readonly region?: string;
  readonly live: RegionSide;
  readonly declared: RegionSide;
}

/** The loads of all regions, and what they leave out. */
export interface RegionLoads {
  readonly regions: readonly RegionLoad[];
  /** Configurations without a figure: their values come from `${env:…}`. */
  readonly hidden: readonly string[];
  /** Configurations that add users until a trigger fires, where no limit says how many. */
  readonly unbounded: readonly string[];
}

/** The load per region on both sides. Values from `${env:…}` are in no figure: they could be worked out from it. */
export function regionLoads(sides: BothSides, weeks: TwoWeeks & { readonly gates: readonly string[] }): RegionLoads {
  const all = { live: loadsOf(sides.live), declared: loadsOf(sides.declared) };
  const shown = { live: all.live.filter(isFigured), declared: all.declared.filter(isFigured) };
  const both = [...shown.live, ...shown.declared];
  const named = new Set(both.flatMap(({ regions }) => regions.flatMap(({ name }) => name ?? [])));
  const isChosen = both.some(({ regions }) => regions.some(({ name }) => name === undefined));
  const names: readonly (string | undefined)[] = [...[...named].sort(), ...(isChosen ? [undefined] : [])];
  const of = { live: sideReader(shown.live, weeks), declared: sideReader(shown.declared, weeks) };
  const unbounded = weeks.breakingPoint === undefined ? both.filter(({ isBreakingPoint }) => isBreakingPoint) : [];
  return {
    regions: names.map((region) => ({
      ...(region !== undefined && { region }),
      live: of.live(region),
      declared: of.declared(region),
    })),
    hidden: loadAddresses([...all.live, ...all.declared].filter((load) => !isFigured(load))),
    unbounded: loadAddresses(unbounded),
  };
}

function loadsOf(tree: Pick<Tree, "nodes">): readonly DeclaredLoad[] {
  return declaredLoads({ ...tree, contents: new Map() });
}

function isFigured({ isHidden }: DeclaredLoad): boolean {
  return isHidden !== true;
}

function loadAddresses(loads: readonly DeclaredLoad[]): readonly string[] {
  return [...new Set(loads.map(({ address }) => address))];
}

function sideReader(
  loads: readonly DeclaredLoad[],
  { now, gates, breakingPoint }: TwoWeeks & { readonly gates: readonly string[] },
): (region: string | undefined) => RegionSide {
  const sweep = sweepWeek({ loads, gates }, runsReader(now));
  return (region) => {
    const usersIn = (load: DeclaredLoad) => usersInRegion(load, region, breakingPoint);
    const { users, minute } = sweep.peak(usersIn);
    return { run: Math.max(0, ...loads.map(usersIn)), week: users, minute };
  };
}
