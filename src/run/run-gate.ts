import type { Api } from "../api/routes.ts";
import type { Gate } from "../model/gates/gate.ts";
import { ServiceError } from "../model/service-error.ts";
import { findBaseline } from "./find-baseline.ts";
import type { Followed, RunProgress } from "./follow-run.ts";
import { followRun } from "./follow-run.ts";
import { judgeKpi, judgeNoWorse } from "./judge-kpis.ts";
import { judgeRun } from "./judge-run.ts";
import type { PlannedTime } from "./planned-time.ts";
import { readMeasured } from "./read-figures.ts";
import { readResources } from "./read-resources.ts";
import type { RunState } from "./read-run.ts";
import { readRun } from "./read-run.ts";
import type { JudgedRun, RunSummary } from "./run-document.ts";
import type { RunClock, RunOrder } from "./start-run.ts";
import { listRuns, startRun } from "./start-run.ts";
import { emptySummary, summarizeRun } from "./summarize-run.ts";

/** One configuration that is run, and what is asked of it. */
export interface RunRequest {
  readonly gate: Omit<Gate, "name"> & { readonly name?: string };
  readonly order: RunOrder;
  readonly planned: PlannedTime;
  readonly usersPlanned?: number;
  /** What runs is not what is declared. */
  readonly stale: boolean;
  /** It is started and not followed. */
  readonly noWait: boolean;
  /** Wait for the end, in seconds; it wins over the gate's. */
  readonly waitSecs?: number;
}

/** The world as a run sees it. */
export interface RunWorld {
  readonly api: Api;
  /** Moves the run on where its time is virtual. */
  readonly clockOf: (id: number) => Promise<RunClock>;
  readonly clock: RunClock;
  /** No request is sent by the runs: their figures are modelled. */
  readonly simulated: boolean;
  /** Aborted: no run is started or followed any more. */
  readonly signal: AbortSignal;
  readonly started: (request: RunRequest, id: number) => void;
  readonly progress: (request: RunRequest, progress: RunProgress) => void;
}

/** A judged run, with the figures of its baseline. */
export interface EndedRequest {
  readonly run: JudgedRun;
  readonly baseline?: RunSummary;
}

/** Starts a configuration, follows the run and judges it; every failure is a verdict. */
export async function runGate(request: RunRequest, world: RunWorld): Promise<EndedRequest> {
  const started = await startRun(world.api, world.clock, request.order).catch(failed);
  if (started.is !== "started") return { run: unseen(request, world, { verdict: "error", reasons: [started.reason] }) };
  const { id } = started;
  world.started(request, id);
  const warnings = [
    ...(started.warning === undefined ? [] : [started.warning]),
    ...(await putTags(world.api, id, request.gate.tags)),
    ...(await othersUnderWay(world.api, request.order.configurationId, id)),
  ];
  if (request.noWait)
    return {
      run: {
        ...unseen(request, world, { verdict: "unknown", reasons: ["it was not waited for"] }),
        execution: id,
        warnings,
      },
    };
  return judgeExecution(id, request, world, { warnings, mayStop: true });
}

/** Follows a run that is there, and judges it; one that somebody else started is never stopped. */
export async function judgeExecution(
  id: number,
  request: RunRequest,
  world: RunWorld,
  { warnings, mayStop }: { readonly warnings: readonly string[]; readonly mayStop: boolean },
): Promise<EndedRequest> {
  const at = { ...unseen(request, world, { verdict: "unknown", reasons: [] }), execution: id, warnings };
  try {
    const clock = await world.clockOf(id);
    const secs = request.waitSecs ?? request.gate.waitSecs ?? request.planned.secs + 900;
    const followed = await followRun({
      ...{
        api: world.api,
        clock,
        id,
        planned: request.planned,
        kpis: request.gate.kpis,
        mayStop,
        signal: world.signal,
      },
      ...(!world.simulated && { until: clock.now() + secs * 1_000 }),
      progress: (progress) => world.progress(request, progress),
    });
    if (followed.is !== "ended") return { run: { ...at, ...timesOf(followed.state), ...unended(followed, secs) } };
    return await judged(followed, request, world, at);
  } catch (problem) {
    return { run: { ...at, verdict: "error", reasons: [reasonOf(problem)] } };
  }
}

async function judged(
  { state: last, brokenBy, warnings }: Extract<Followed, { is: "ended" }>,
  request: RunRequest,
  { api }: RunWorld,
  at: JudgedRun,
): Promise<EndedRequest> {
  const { gate, planned, order } = request;
  const measured = await readMeasured(api, last.id);
  const state = (await readRun(api, last.id)) ?? last;
  const resources = once(() => readResources(api, state.id));
  const kpis = await Promise.all(gate.kpis.map((kpi) => judgeKpi(kpi, measured, resources)));
  const baseline = await findBaseline(api, { state, configurationId: order.configurationId }, gate);
  const noWorse = await Promise.all(gate.noWorse.map((each) => judgeNoWorse(each, measured, baseline.figure)));
  const summary = await summarizeRun(state, measured, request.usersPlanned);
  const isAlone = gate.noWorse.length > 0 && gate.baseline.is !== "none" && baseline.ids.length === 0;
  const told = [
    ...at.warnings,
    ...warnings,
    ...(baseline.warning === undefined ? [] : [baseline.warning]),
    ...(isAlone ? ["there is no run to compare with, so noWorse was not judged"] : []),
  ];
  const ended = judgeRun({ state, gate, planned, summary, kpis, noWorse, ...(brokenBy !== undefined && { brokenBy }) });
  const run: JudgedRun = {
    ...at,
    ...ended,
    ...timesOf(state),
    simulated: at.simulated || state.simulated,
    warnings: told,
    kpis: kpis.map(({ verdict }) => verdict),
    noWorse: noWorse.map(({ verdict }) => verdict),
    summary,
    ...(baseline.ids.length > 0 && { baseline: baseline.ids }),
  };
  const [first] = baseline.runs;
  return { run, ...(first && { baseline: await summarizeRun(first.state, first.measured, undefined) }) };
}

function unended(followed: Exclude<Followed, { is: "ended" }>, secs: number): Pick<JudgedRun, "verdict" | "reasons"> {
  if (followed.is === "gone") return { verdict: "error", reasons: ["somebody deleted the run"] };
  if (followed.is === "interrupted") return { verdict: "unknown", reasons: ["it was not seen to its end"] };
  return { verdict: "unknown", reasons: [`it had not ended after ${secs} s, and goes on`] };
}

function unseen(
  { gate: { name, address }, stale, usersPlanned }: RunRequest,
  { simulated }: RunWorld,
  end: Pick<JudgedRun, "verdict" | "reasons">,
): JudgedRun {
  return {
    ...(name !== undefined && { gate: name }),
    ...{ address, execution: null, simulated, ...(stale && { stale }) },
    ...{ warnings: [], startedAt: null, finishedAt: null, ...end, kpis: [], noWorse: [] },
    summary: { ...emptySummary, usersPlanned: usersPlanned ?? null },
  };
}

function timesOf(state: RunState | undefined): Pick<JudgedRun, "startedAt" | "finishedAt"> {
  return { startedAt: state?.startedAt ?? null, finishedAt: state?.finishedAt ?? null };
}

async function putTags(api: Api, id: number, tags: readonly string[]): Promise<readonly string[]> {
  if (tags.length === 0) return [];
  try {
    await api.call("POST /executions/:id/tags", { params: { id }, body: tags });
    return [];
  } catch (problem) {
    return [`the tags ${tags.join(", ")} were refused: ${reasonOf(problem)}`];
  }
}

/** Two runs of one configuration at once disturb each other. */
async function othersUnderWay(api: Api, configurationId: number, id: number): Promise<readonly string[]> {
  const runs = await listRuns(api, configurationId).catch(() => []);
  const others = runs.filter((run) => run.id !== id && !run.completed);
  return others.map((other) => `runs ${id} and ${other.id} of the configuration are under way at once`);
}

function failed(problem: unknown): { readonly is: "refused"; readonly reason: string } {
  return { is: "refused", reason: reasonOf(problem) };
}

function reasonOf(problem: unknown): string {
  if (problem instanceof ServiceError) return problem.serviceMessage ?? problem.message;
  throw problem;
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => (known ??= read());
}
