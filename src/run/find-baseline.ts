import type { Api } from "../api/routes.ts";
import type { Baseline, Gate } from "../model/gates/gate.ts";
import type { FigureName } from "../model/gates/kpi.ts";
import { type BaselineFigure, judgeKpi } from "./judge-kpis.ts";
import { type Measured, readMeasured } from "./read-figures.ts";
import { readResources } from "./read-resources.ts";
import { listRuns, loadMembers, type RunState, readRun, runsBefore } from "./read-run.ts";

/** The runs that a run is compared with. */
export interface FoundBaseline {
  readonly ids: readonly number[];
  readonly runs: readonly { readonly state: RunState; readonly measured: Measured }[];
  readonly figure: BaselineFigure;
  readonly warning?: string;
}

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
  const all = await runsBefore(api, run.configurationId, run.state);
  const comparable = all.filter((state) => isComparable(state, run.state, baseline));
  const found: { state: RunState; measured: Measured }[] = [];
  for (const state of comparable) {
    if (found.length === wanted) break;
    const measured = await readMeasured(api, state.id);
    if (await isGood(api, { state, measured }, gate)) found.push({ state, measured });
  }
  const warning = doubtFound(found.length, all, baseline);
  return { ...comparing(found), ...(warning !== undefined && { warning }) };
}

function doubtFound(count: number, all: readonly RunState[], baseline: Baseline): string | undefined {
  if (count === 0) return baseline.is === "tag" ? untagged(all, baseline.tag) : undefined;
  const isFew = baseline.is === "last" && count < baseline.count;
  return isFew ? `the baseline is the median of ${count} instead of ${baseline.count} runs` : undefined;
}

function untagged(runs: readonly RunState[], tag: string): string {
  const tags = [...new Set(runs.flatMap((run) => run.tags ?? []))].sort();
  const others = tags.length === 0 ? "none has a tag" : `there are the tags ${tags.join(", ")}`;
  // This run may have it, or one of another load.
  if (tags.includes(tag)) return `no run with the tag ${tag} is earlier, came to its end and had the same load`;
  return `no earlier run that can be compared carries the tag ${tag}; ${others}`;
}

/** Why a baseline cannot be compared with, before anything is started; undefined where it can, or nothing can be told yet. */
export async function baselineProblem(
  api: Api,
  configurationId: number,
  baseline: Baseline,
): Promise<string | undefined> {
  if (baseline.is !== "execution" && baseline.is !== "tag") return undefined;
  const runs = await listRuns(api, configurationId);
  if (baseline.is === "tag") {
    const isTold = runs.length === 0 || runs.some(({ tags }) => tags !== undefined);
    return isTold
      ? undefined
      : `the baseline is the newest run with the tag ${baseline.tag}, and runs do not tell their tags`;
  }
  if ((await readRun(api, baseline.id)) !== undefined) return undefined;
  const ids = runs.slice(0, 10).map(({ id }) => id);
  const known =
    ids.length === 0 ? "the configuration has no runs" : `the newest of the configuration are ${ids.join(", ")}`;
  return `the baseline is run ${baseline.id}, which the service does not have; ${known}`;
}

function isComparable(state: RunState, run: RunState, baseline: Baseline): boolean {
  const isEarlier = state.id < run.id && state.completed && !state.cancelled && state.success !== false;
  const isTagged = baseline.is !== "tag" || (state.tags ?? []).includes(baseline.tag);
  return isEarlier && isTagged && loadMembers.every((member) => state.load[member] === run.load[member]);
}

/** A run that missed the gate's own KPIs is no measure for another one. */
async function isGood(
  api: Api,
  { state, measured }: { readonly state: RunState; readonly measured: Measured },
  { kpis, minimumRequests }: Pick<Gate, "kpis" | "minimumRequests">,
): Promise<boolean> {
  const requests = await measured.figure({ name: "count" }, false);
  if ("problem" in requests || (requests.value ?? 0) < minimumRequests) return false;
  for (const kpi of kpis.filter(({ isAsked }) => !isAsked))
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
function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
