import { groupBy } from "../../model/group-by.ts";
import type { RunDetails } from "../../run/run-document.ts";
import { figureChange, figureText, type SummaryFigure, trendBars, trendFigures } from "./run-figures.ts";

/** Several runs of one configuration beside each other. */
export interface RunGroup {
  readonly gate?: string;
  readonly address: string;
  /** The newest first. */
  readonly runs: readonly RunDetails[];
}

/** The course of one figure over the runs of a group. */
export interface FigureTrend {
  readonly name: string;
  /** A bar for each run, the oldest first. */
  readonly bars: string;
  readonly first: string;
  readonly last: string;
  /** From the oldest to the newest run. */
  readonly change: string;
}

/** Runs by gate and configuration, in the order in which each is first met. */
export function groupRuns(runs: readonly RunDetails[]): readonly RunGroup[] {
  const groups = groupBy(runs, ({ run }) => JSON.stringify([run.gate, run.address]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { gate, address } = first.run;
    return [{ ...(gate !== undefined && { gate }), address, runs: [...group].sort(byAge) }];
  });
}

/** Ids of executions rise with time; what was never started is the newest. */
function byAge(left: RunDetails, right: RunDetails): number {
  const age = ({ run }: RunDetails) => run.execution ?? Number.MAX_SAFE_INTEGER;
  return age(right) - age(left);
}

/** The trend of each figure that at least two runs measured. */
export function trendsOf({ runs }: RunGroup): readonly FigureTrend[] {
  return trendFigures.flatMap((figure) => trendOf(figure, runs) ?? []);
}

function trendOf(figure: SummaryFigure, runs: readonly RunDetails[]): FigureTrend | undefined {
  const summaries = runs.map(({ run }) => run.summary).reverse();
  const measured = summaries.filter((summary) => figure.of(summary) !== null);
  const [first, last] = [measured[0], measured.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  return {
    name: figure.name,
    bars: trendBars(summaries.map((summary) => figure.of(summary))),
    first: figureText(figure, first),
    last: figureText(figure, last),
    change: figureChange(figure, last, first),
  };
}
