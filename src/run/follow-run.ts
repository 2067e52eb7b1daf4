import type { Api } from "../api/routes.ts";
import type { GateKpi } from "../model/gates/gate.ts";
import type { Json } from "../model/json.ts";
import { isConflict, isMissing } from "../model/service-error.ts";
import { sleepUnless } from "../model/sleep-unless.ts";
import { brokenKpi, judgeKpi } from "./judge-kpis.ts";
import { breakableAfter, type PlannedTime } from "./planned-time.ts";
import { readMeasured } from "./read-figures.ts";
import { readResources } from "./read-resources.ts";
import { isPassing, type RunState, readRun } from "./read-run.ts";
import type { KpiVerdict, RunInterval } from "./run-document.ts";
import type { RunClock } from "./start-run.ts";
import { runIntervals } from "./summarize-run.ts";

/** A run under way, as it is shown. */
export interface RunProgress {
  readonly state: RunState;
  readonly elapsedSecs: number;
  readonly planned: PlannedTime;
  /** The last interval that was closed. */
  readonly interval?: RunInterval;
  /** The KPIs over the run so far. */
  readonly kpis: readonly KpiVerdict[];
  /** The service cannot be asked now. */
  readonly isOutOfReach?: true;
}

/** A run to be followed to its end. */
export interface Following {
  readonly api: Api;
  readonly clock: RunClock;
  readonly id: number;
  readonly planned: PlannedTime;
  /** Epoch milliseconds of `clock` at which it is left alone; absent: never. */
  readonly until?: number;
  readonly kpis: readonly GateKpi[];
  /** This command may stop it. */
  readonly mayStop: boolean;
  /** Aborted: it is followed no further. */
  readonly signal: AbortSignal;
  readonly progress: (progress: RunProgress) => void;
}

/** The end of following a run. */
export type Followed =
  | { readonly is: "ended"; readonly state: RunState; readonly brokenBy?: string; readonly warnings: readonly string[] }
  | { readonly is: "gone"; readonly state?: RunState }
  | { readonly is: "interrupted"; readonly state?: RunState }
  /** `isOutOfReach`: the service could not be asked at last. */
  | { readonly is: "left"; readonly state?: RunState; readonly isOutOfReach: boolean };

/** Pause between two looks at a run. */
const pollMs = 5_000;
/** The last look, at the moment at which it is left alone, may take so long. */
const lastLookMs = 2_000;
/** Intervals close so often. */
const intervalMs = 10_000;
/** The summary is waited for so long after the end. */
const summaryMs = 60_000;

/** What was seen of a run so far. */
interface Seen {
  last?: RunState;
  isOutOfReach?: boolean;
  /** When its end was seen first. */
  endedAt?: number;
  brokenBy?: string | undefined;
}

/** Follows a run to its end, over broken connections and restarts of the service. */
export async function followRun(following: Following): Promise<Followed> {
  const run = { ...following, api: untilLeft(following) };
  const look = closedIntervals(run);
  const seen: Seen = {};
  for (;;) {
    const state = await lookAt(run, seen.last);
    seen.isOutOfReach = state === "out of reach";
    const end = state === undefined ? gone(seen) : (ended(run, seen, state) ?? givenUp(run, seen));
    if (end !== undefined) return end;
    if (typeof state === "object" && !state.completed) await stopBroken(run, seen, await look(state));
    const leftMs = (run.until ?? Number.POSITIVE_INFINITY) - run.clock.now();
    await sleepUnless(run.signal, () => run.clock.sleep(Math.min(pollMs, leftMs)));
  }
}

/** Stops a run at the first miss of a KPI that is to end it. */
async function stopBroken(run: Following, seen: Seen, measuring: Measuring): Promise<void> {
  if (!run.mayStop) return;
  seen.brokenBy ??= breakingKpi(run, measuring);
  if (seen.brokenBy === undefined || seen.last?.cancelled) return;
  // A service that is out of reach is asked again at the next look.
  await stopRun(run.api, run.id).catch((problem: unknown) => {
    if (!isPassing(problem)) throw problem;
  });
}

function gone({ last }: Seen): Followed {
  return { is: "gone", ...(last && { state: last }) };
}

/** The end of a run once its summary is calculated, or has been waited for long enough. */
function ended({ clock }: Following, seen: Seen, state: RunState | "out of reach"): Followed | undefined {
  if (state === "out of reach") return undefined;
  seen.last = state;
  if (!state.completed) return undefined;
  seen.endedAt ??= clock.now();
  if (!state.summaryCalculated && clock.now() - seen.endedAt < summaryMs) return undefined;
  const late = "the summary was not calculated within 60 s; judged by what was there";
  const broken = seen.brokenBy !== undefined && { brokenBy: seen.brokenBy };
  return { is: "ended", state, ...broken, warnings: state.summaryCalculated ? [] : [late] };
}

function givenUp({ signal, until, clock }: Following, { last, isOutOfReach = false }: Seen): Followed | undefined {
  const state = last && { state: last };
  if (signal.aborted) return { is: "interrupted", ...state };
  return until !== undefined && clock.now() >= until ? { is: "left", isOutOfReach, ...state } : undefined;
}

/** The service whose calls and their repetitions end, at the latest, soon after the run is left alone: a request takes real time. */
function untilLeft({ api, clock, until }: Following): Api {
  if (until === undefined) return api;
  const left = AbortSignal.timeout(Math.min(Math.max(0, until - clock.now()) + lastLookMs, 2 ** 31 - 1));
  return { call: (route, input, options) => api.call(route, input, { ...options, signal: left }) };
}

/** Stops a run; one that has ended meanwhile is no failure. */
export async function stopRun(api: Api, id: number): Promise<void> {
  await api.call("PUT /executions/:id/stop", { params: { id } }).catch((problem: unknown) => {
    if (!isConflict(problem) && !isMissing(problem)) throw problem;
  });
}

async function lookAt(run: Following, last: RunState | undefined): Promise<RunState | "out of reach" | undefined> {
  try {
    return await readRun(run.api, run.id);
  } catch (problem) {
    if (!isPassing(problem)) throw problem;
    if (last)
      run.progress({
        state: last,
        elapsedSecs: elapsed(run, last),
        planned: run.planned,
        kpis: [],
        isOutOfReach: true,
      });
    return "out of reach";
  }
}

function elapsed({ clock }: Following, { startedAt, finishedAt }: RunState): number {
  const start = Date.parse(startedAt ?? "");
  const end = finishedAt === undefined ? clock.now() : Date.parse(finishedAt);
  return Number.isNaN(start) ? 0 : Math.max(0, (end - start) / 1_000);
}

/** Looks at what was measured each time that an interval has closed, and tells of it. */
function closedIntervals(run: Following): (state: RunState) => Promise<Measuring> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let interval: RunInterval | undefined;
  let kpis: readonly KpiVerdict[] = [];
  return async (state) => {
    let isDue = state.startedAt !== undefined && run.clock.now() - lookedAt >= intervalMs;
    if (isDue) {
      lookedAt = run.clock.now();
      [interval, kpis] = await measure(run, state).catch((problem: unknown) => {
        isDue = false;
        if (isPassing(problem) || isMissing(problem)) return [interval, kpis] as const;
        throw problem;
      });
    }
    run.progress({
      state,
      elapsedSecs: elapsed(run, state),
      planned: run.planned,
      kpis,
      ...(interval && { interval }),
    });
    // How far it was measured, the service says itself: its clock is not this one.
    return { isDue, measuredSecs: interval === undefined ? 0 : interval.at / 1_000 + interval.seconds, kpis };
  };
}

interface Measuring {
  readonly isDue: boolean;
  readonly measuredSecs: number;
  readonly kpis: readonly KpiVerdict[];
}

async function measure(
  { api, id, kpis }: Following,
  state: RunState,
): Promise<readonly [RunInterval | undefined, readonly KpiVerdict[]]> {
  const query = { numIntervals: 1 };
  const intervals: unknown = await api.call("GET /executions/:id/intervals", { params: { id }, query });
  const measured = kpis.length === 0 ? undefined : await readMeasured(api, id);
  const judged = await Promise.all(
    kpis.map((kpi) => measured && judgeKpi(kpi, measured, () => readResources(api, id))),
  );
  return [runIntervals(intervals as Json, state.startedAt).at(-1), judged.flatMap((each) => each?.verdict ?? [])];
}

/** The first KPI that ends the run as it does not hold: from the end of the ramp-up and of the first minute on. */
function breakingKpi({ kpis: asked, planned }: Following, { isDue, measuredSecs, kpis }: Measuring) {
  if (!isDue || measuredSecs < breakableAfter(planned.rampupSecs)) return undefined;
  return brokenKpi(asked, kpis);
}
