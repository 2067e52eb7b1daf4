import type { Gate } from "../model/gates/gate.ts";
import type { Judged } from "./judge-kpis.ts";
import type { PlannedTime } from "./planned-time.ts";
import type { RunState } from "./read-run.ts";
import type { KpiVerdict, NoWorseVerdict, RunSummary, Verdict } from "./run-document.ts";

/** A run that was seen to its end, with everything that was judged of it. */
export interface EndedRun {
  readonly state: RunState;
  readonly gate: Pick<Gate, "minimumRequests" | "mayEndEarly">;
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
export function judgeRun(run: EndedRun): { readonly verdict: Verdict; readonly reasons: readonly string[] } {
  const { state, brokenBy } = run;
  if (state.cancelled && brokenBy === undefined)
    return { verdict: "stopped", reasons: ["it was stopped before its end, so its figures are not judged"] };
  const reasons = [
    ...(brokenBy === undefined ? [] : [`${brokenBy} did not hold during the run, so it was stopped`]),
    ...[...run.kpis, ...run.noWorse].flatMap(({ verdict, reason }) => (verdict.ok === false && reason ? [reason] : [])),
    ...tooFew(run),
    ...(state.success === false && !state.cancelled ? ["the service says that it failed (success: false)"] : []),
    ...endedEarly(run),
  ];
  return { verdict: reasons.length === 0 ? "passed" : "failed", reasons };
}

function tooFew({ summary: { requests }, gate: { minimumRequests } }: EndedRun): readonly string[] {
  if ((requests ?? 0) >= minimumRequests) return [];
  const found = requests === null ? "no requests were measured" : `${requests} requests were measured`;
  return [`${found}; the minimum is ${minimumRequests}`];
}

function endedEarly({ state, planned, gate, brokenBy }: EndedRun): readonly string[] {
  const isOurs = brokenBy !== undefined || state.cancelled;
  if (planned?.isFixed !== true || gate.mayEndEarly || isOurs) return [];
  const secs = (Date.parse(state.finishedAt ?? "") - Date.parse(state.startedAt ?? "")) / 1_000;
  if (Number.isNaN(secs) || secs >= planned.secs * wholeShare) return [];
  return [
    `it ended after ${Math.round(secs)} s of ${planned.secs} s planned; if that is fine, write endedEarly: allow in the gate`,
  ];
}
