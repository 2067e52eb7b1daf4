import type { Api } from "../api/routes.ts";
import type { Baseline, Gate } from "../model/gates/gate.ts";
import type { FigureName } from "../model/gates/kpi.ts";
import type { BaselineFigure } from "./judge-kpis.ts";
import { judgeKpi } from "./judge-kpis.ts";
import type { Measured } from "./read-figures.ts";
import { readMeasured } from "./read-figures.ts";
import { readResources } from "./read-resources.ts";
import type { RunState } from "./read-run.ts";
import { loadMembers, readRun } from "./read-run.ts";
import { listRuns } from "./start-run.ts";

/** The runs that a run is compared with. */
export interface FoundBaseline {
  readonly ids: readonly number[];
  readonly runs: readonly { readonly state: RunState; readonly measured: Measured }[];
  readonly figure: BaselineFigure;
  readonly warning?: string;
}

/** So many runs before this one are looked at. */
const newest = 100;

/** Finds the baseline of a run; none where there is nothing to compare it with. */
export async function findBaseline(
  api: Api,
  run: { readonly state: RunState; readonly configurationId: number },
  gate: Pick<Gate, "baseline" | "kpis" | "minimumRequests">,
): Promise<FoundBaseline> {
  const { baseline } = gate;
  if (baseline.is === "none") return comparing([]);
  if (baseline.is === "execution") {
    const state = await readRun(api, baseline.id);
    return comparing(state === undefined ? [] : [{ state, measured: await readMeasured(api, baseline.id) }]);
  }
  const wanted = baseline.is === "last" ? baseline.count : 1;
  const found: { state: RunState; measured: Measured }[] = [];
  for (const state of await listRuns(api, run.configurationId, newest)) {
    if (found.length === wanted) break;
    if (!isComparable(state, run.state, baseline)) continue;
    const measured = await readMeasured(api, state.id);
    if (await isGood(api, { state, measured }, gate)) found.push({ state, measured });
  }
  const few = found.length > 0 && found.length < wanted;
  return {
    ...comparing(found),
    ...(few && { warning: `the baseline is the median of ${found.length} instead of ${wanted} runs` }),
  };
}

function isComparable(state: RunState, run: RunState, baseline: Baseline): boolean {
  const isEarlier = state.id < run.id && state.completed && !state.cancelled && state.success !== false;
  const isTagged = baseline.is !== "tag" || (state.tags ?? []).includes(baseline.tag);
  return isEarlier && isTagged && loadMembers.every((member) => state.load[member] === run.load[member]);
}

/** A run that missed the gate is no measure for another one. */
async function isGood(
  api: Api,
  { state, measured }: { readonly state: RunState; readonly measured: Measured },
  { kpis, minimumRequests }: Pick<Gate, "kpis" | "minimumRequests">,
): Promise<boolean> {
  const requests = await measured.figure({ name: "count" }, false);
  if ("problem" in requests || (requests.value ?? 0) < minimumRequests) return false;
  for (const kpi of kpis)
    if (!(await judgeKpi(kpi, measured, () => readResources(api, state.id))).verdict.ok) return false;
  return true;
}

function comparing(runs: FoundBaseline["runs"]): FoundBaseline {
  return {
    ids: runs.map(({ state }) => state.id),
    runs,
    async figure(name: FigureName) {
      if (runs.length === 0) return undefined;
      const figures = await Promise.all(runs.map(({ measured }) => measured.figure(name, true)));
      return median(figures.flatMap((each) => ("problem" in each || each.value === null ? [] : [each.value])));
    },
  };
}

/** The middle of several figures, the mean of the two middle ones of an even number; null of none. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
