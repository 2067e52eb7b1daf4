import type { Api } from "../api/routes.ts";
import type { Baseline, Gate } from "../model/gates/gate.ts";
import { findBaseline } from "./find-baseline.ts";
import { brokenKpi, type Judged, judgeKpi, judgeNoWorse } from "./judge-kpis.ts";
import { breakableAfter, type PlannedTime } from "./planned-time.ts";
import { readMeasured } from "./read-figures.ts";
import { readResources } from "./read-resources.ts";
import { type RunState, readRun } from "./read-run.ts";
import type { JudgedRun, KpiVerdict, NoWorseVerdict, RunSummary } from "./run-document.ts";
import { emptySummary, summarizeRun } from "./summarize-run.ts";

/** What a run is judged by. */
export interface Judging {
  readonly gate: Omit<Gate, "name"> & { readonly name?: string };
  readonly configurationId: number;
  readonly planned: PlannedTime | undefined;
  /** No request is sent by the run, whatever its answers say. */
  readonly simulated?: boolean;
  /** What ran is not what is declared. */
  readonly stale?: boolean;
  /** The KPI at whose first miss this command stopped the run. */
  readonly brokenBy?: string;
  readonly warnings?: readonly string[];
}

/** A judged run with what its outputs show beside the verdict. */
export interface EndedRequest {
  readonly run: JudgedRun;
  /** Figures of the baseline. */
  readonly baseline?: RunSummary;
  /** The reasons among those of `run` that no check has: it failed by itself, or ended early. */
  readonly ownReasons?: readonly string[];
  /** The fewest requests that its gate asks for. */
  readonly minimum: number;
  /** The unit of each entry of `run.noWorse`. */
  readonly noWorseUnits: readonly (string | null)[];
}

/** Judges a run that has ended, by what it measured and by its baseline. */
export async function judgeEnded(api: Api, seen: RunState, judging: Judging): Promise<EndedRequest> {
  const { gate, planned, configurationId } = judging;
  const measured = await readMeasured(api, seen.id);
  const state = (await readRun(api, seen.id)) ?? seen;
  let known: ReturnType<typeof readResources> | undefined;
  const resources = () => (known ??= readResources(api, state.id));
  const kpis = await Promise.all(gate.kpis.map((kpi) => judgeKpi(kpi, measured, resources)));
  const baseline = await findBaseline(api, { state, configurationId }, gate);
  const noWorse = await Promise.all(gate.noWorse.map((each) => judgeNoWorse(each, measured, baseline.figure)));
  const summary = await summarizeRun(state, measured, planned?.users);
  const isAlone = gate.noWorse.length > 0 && gate.baseline.is !== "none" && baseline.ids.length === 0;
  const base = unjudged(judging, { verdict: "unknown", reasons: [] });
  const judged = { state, gate, planned, summary, kpis, noWorse };
  const brokenBy = judging.brokenBy ?? stoppedBy(judged);
  const ended: EndedRun = { ...judged, ...(brokenBy !== undefined && { brokenBy }) };
  const [first] = baseline.runs;
  const { ownReasons, ...end } = judgeRun(ended);
  return {
    ...base,
    ownReasons,
    run: {
      ...base.run,
      ...end,
      ...momentsOf(state),
      execution: state.id,
      simulated: base.run.simulated || state.simulated,
      warnings: [
        ...base.run.warnings,
        ...(baseline.warning === undefined ? [] : [baseline.warning]),
        ...(isAlone ? [aloneWords(gate.baseline)] : []),
        ...(isInDoubt(ended) ? [doubtWords] : []),
      ],
      kpis: kpis.map(({ verdict }) => verdict),
      noWorse: noWorse.map(({ verdict }) => verdict),
      summary,
      ...(baseline.ids.length > 0 && { baseline: baseline.ids }),
    },
    noWorseUnits: noWorse.map(({ unit }) => unit ?? null),
    ...(first && { baseline: await summarizeRun(first.state, first.measured, undefined) }),
  };
}

const doubtWords = "its configuration was changed or deleted since, so nobody knows whether it ended early";

/**
 * The KPI at whose first miss a command stopped the run, where that command was another one: a run that goes on after that moment and is
 * stopped while such a KPI is missed.
 */
function stoppedBy({ state, gate, planned, kpis }: Omit<EndedRun, "brokenBy">): string | undefined {
  // The run tells its own ramp-up, whatever the configuration says by now.
  const rampupSecs = state.load.rampupSecs ?? planned?.rampupSecs ?? 0;
  if (!state.cancelled || !(lastedSecs(state) >= breakableAfter(rampupSecs))) return undefined;
  return brokenKpi(
    gate.kpis,
    kpis.map(({ verdict }) => verdict),
  );
}

function aloneWords(baseline: Baseline): string {
  const missing =
    baseline.is === "execution"
      ? `the service has no run ${baseline.id}, which is the baseline`
      : "no earlier run with the same load met this gate";
  return `${missing}, so noWorse was not judged`;
}

/** A run of which nothing was judged: all that is asked of it is named, with nothing measured. */
export function unjudged(
  { gate, stale, planned, simulated = false, warnings = [] }: Judging,
  end: Pick<JudgedRun, "verdict" | "reasons">,
): EndedRequest {
  const { name, address, minimumRequests } = gate;
  const kpis = gate.kpis.map(({ expr, resource }) => ({
    ...{ expr, ...(resource !== undefined && { resource }) },
    ...{ value: null, unit: null, ok: false },
  }));
  const noWorse = gate.noWorse.map(({ metric }) => ({ metric, value: null, baseline: null, change: null, ok: null }));
  const run: JudgedRun = {
    ...(name !== undefined && { gate: name }),
    ...{ address, execution: null, simulated, ...(stale && { stale }) },
    ...{ warnings, startedAt: null, finishedAt: null, ...end, kpis, noWorse },
    summary: { ...emptySummary, usersPlanned: planned?.users ?? null },
  };
  return { run, minimum: minimumRequests, noWorseUnits: noWorse.map(() => null) };
}

/** The begin and the end of a run as a document has them. */
export function momentsOf(state: RunState | undefined): Pick<JudgedRun, "startedAt" | "finishedAt"> {
  return { startedAt: state?.startedAt ?? null, finishedAt: state?.finishedAt ?? null };
}

/** A run that was seen to its end, with everything that was judged of it. */
interface EndedRun {
  readonly state: RunState;
  readonly gate: Pick<Gate, "minimumRequests" | "mayEndEarly" | "kpis">;
  readonly planned: PlannedTime | undefined;
  readonly summary: RunSummary;
  readonly kpis: readonly Judged<KpiVerdict>[];
  readonly noWorse: readonly Judged<NoWorseVerdict>[];
  /** The KPI at whose first miss this command stopped the run. */
  readonly brokenBy?: string;
}

/** A run that lasted at least this share of its planned time did not end early. */
const wholeShare = 0.9;

/** The verdict of a run, and why it did not pass (docs/gates.md). */
function judgeRun(run: EndedRun): Pick<JudgedRun, "verdict" | "reasons"> & Required<Pick<EndedRequest, "ownReasons">> {
  const { state, brokenBy } = run;
  if (state.cancelled && brokenBy === undefined)
    return {
      verdict: "stopped",
      reasons: ["it was stopped before its end, so its figures are not judged"],
      ownReasons: [],
    };
  const ownReasons = [
    ...(state.success === false && !state.cancelled ? ["the service says that it failed (success: false)"] : []),
    ...endedEarly(run),
  ];
  const reasons = [
    ...(brokenBy === undefined ? [] : [`${brokenBy} did not hold during the run, so it was stopped`]),
    ...[...run.kpis, ...run.noWorse].flatMap(({ verdict, reason }) => (verdict.ok === false && reason ? [reason] : [])),
    ...tooFew(run),
    ...ownReasons,
  ];
  return { verdict: reasons.length === 0 ? "passed" : "failed", reasons, ownReasons };
}

function tooFew({ summary: { requests }, gate: { minimumRequests } }: EndedRun): readonly string[] {
  if ((requests ?? 0) >= minimumRequests) return [];
  const found = requests === null ? "no requests were measured" : `${requests} requests were measured`;
  return [`${found}; the minimum is ${minimumRequests}`];
}

function endedEarly(run: EndedRun): readonly string[] {
  const { state, planned } = run;
  if (planned?.isFixed !== true || !isShort(run)) return [];
  return [
    `it ended after ${Math.round(lastedSecs(state))} s of ${planned.secs} s planned; if that is fine, write endedEarly: allow in the gate`,
  ];
}

/** True of a run that is short for its configuration as it is by now. */
function isInDoubt(run: EndedRun): boolean {
  return run.planned?.isDoubtful === true && isShort(run);
}

function isShort({ state, planned, gate, brokenBy }: EndedRun): boolean {
  const isOurs = brokenBy !== undefined || state.cancelled;
  return !gate.mayEndEarly && !isOurs && lastedSecs(state) < (planned?.secs ?? 0) * wholeShare;
}

function lastedSecs({ startedAt, finishedAt }: RunState): number {
  return (Date.parse(finishedAt ?? "") - Date.parse(startedAt ?? "")) / 1_000;
}
