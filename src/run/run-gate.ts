import type { Api } from "../api/routes.ts";
import { thrownWords } from "../model/diagnostic.ts";
import type { Gate } from "../model/gates/gate.ts";
import { ServiceError } from "../model/service-error.ts";
import { type Followed, followRun, type RunProgress } from "./follow-run.ts";
import { type EndedRequest, type Judging, judgeEnded, momentsOf, unjudged } from "./judge-ended.ts";
import type { PlannedTime } from "./planned-time.ts";
import { type RunState, runsUnderWay } from "./read-run.ts";
import type { JudgedRun } from "./run-document.ts";
import { interruptedBefore, type RunClock, type RunOrder, startRun } from "./start-run.ts";

/** One configuration that is run, and what is asked of it. */
export interface RunRequest {
  readonly gate: Omit<Gate, "name"> & { readonly name?: string };
  readonly order: Omit<RunOrder, "signal">;
  readonly planned: PlannedTime;
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

/** Runs of different configurations side by side, those of one in turn, and none beside one that was left to run on. */
export async function runGates(
  requests: readonly RunRequest[],
  atOnce: number,
  world: RunWorld,
): Promise<readonly EndedRequest[]> {
  const ended = new Map<RunRequest, EndedRequest>();
  const waiting = [...requests];
  const busy = new Set<string>();
  const left = new Map<string, EndedRequest>();
  const work = async (): Promise<void> => {
    for (;;) {
      const at = waiting.findIndex(({ gate }) => !busy.has(gate.address));
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      const { address } = next.gate;
      busy.add(address);
      const before = left.get(address);
      const done = before === undefined ? await runGate(next, world) : notBeside(before, next, world);
      ended.set(next, done);
      if (done.run.execution !== null && done.run.finishedAt === null) left.set(address, done);
      busy.delete(address);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, work));
  return requests.flatMap((request) => ended.get(request) ?? []);
}

function notBeside({ run: { execution } }: EndedRequest, request: RunRequest, world: RunWorld): EndedRequest {
  const reason = `run ${execution} of the configuration was not seen to its end, and two at once would disturb each other`;
  return unjudged(judgingOf(request, world), { verdict: "error", reasons: [reason] });
}

/** Starts a configuration, follows the run and judges it; every failure is a verdict, and so is a signal before its start. */
async function runGate(request: RunRequest, world: RunWorld): Promise<EndedRequest> {
  const judging = judgingOf(request, world);
  if (world.signal.aborted) return unjudged(judging, { verdict: "error", reasons: [interruptedBefore] });
  const started = await startRun(world.api, world.clock, { ...request.order, signal: world.signal }).catch(failed);
  if (started.is !== "started") return unjudged(judging, { verdict: "error", reasons: [started.reason] });
  const { id } = started;
  world.started(request, id);
  const warnings = [
    ...(started.warning === undefined ? [] : [started.warning]),
    ...(await putTags(world.api, id, request.gate.tags)),
    ...(await othersUnderWay(world.api, request.order.configurationId, id)),
  ];
  const simulated = world.simulated || started.simulated === true;
  if (!request.noWait) return judgeExecution(id, request, world, { warnings, mayStop: true, simulated });
  const breaking = request.gate.kpis.filter(({ breakOnFail }) => breakOnFail).map(({ expr }) => expr);
  const unwatched = breaking.map((expr) => `nobody stops the run when ${expr} does not hold: it is not waited for`);
  const judged = { ...judging, simulated, warnings: [...warnings, ...unwatched] };
  const ended = unjudged(judged, { verdict: "unknown", reasons: ["it was not waited for"] });
  return { ...ended, run: { ...ended.run, execution: id } };
}

/** Follows a run that is there, and judges it; one that somebody else started is never stopped. */
export async function judgeExecution(
  id: number,
  request: RunRequest,
  world: RunWorld,
  {
    warnings,
    mayStop,
    simulated: isSimulated,
  }: Pick<JudgedRun, "warnings" | "simulated"> & { readonly mayStop: boolean },
): Promise<EndedRequest> {
  const judging = { ...judgingOf(request, world), warnings };
  const { api, signal, simulated } = world;
  const { gate, planned } = request;
  const secs = request.waitSecs ?? gate.waitSecs ?? planned.secs + 900;
  let end: Pick<JudgedRun, "verdict" | "reasons">;
  let state: RunState | undefined;
  try {
    const clock = await world.clockOf(id);
    const followed = await followRun({
      ...{ api, clock, id, planned, kpis: gate.kpis, mayStop, signal },
      ...(!simulated && { until: clock.now() + secs * 1_000 }),
      progress: (progress) => world.progress(request, progress),
    });
    if (followed.is === "ended") {
      const { brokenBy } = followed;
      const told = [...warnings, ...followed.warnings];
      return await judgeEnded(api, followed.state, {
        ...judging,
        warnings: told,
        ...(brokenBy !== undefined && { brokenBy }),
      });
    }
    end = unended(followed, secs);
    state = followed.state;
  } catch (problem) {
    end = { verdict: "error", reasons: [unseen(id, problem)] };
  }
  const ended = unjudged({ ...judging, simulated: simulated || isSimulated || state?.simulated === true }, end);
  return { ...ended, run: { ...ended.run, ...momentsOf(state), execution: id } };
}

function judgingOf({ gate, order, planned, stale }: RunRequest, { simulated }: RunWorld): Judging {
  return { gate, configurationId: order.configurationId, planned, stale, simulated };
}

function unended(followed: Exclude<Followed, { is: "ended" }>, secs: number): Pick<JudgedRun, "verdict" | "reasons"> {
  if (followed.is === "gone") return { verdict: "error", reasons: ["somebody deleted the run"] };
  if (followed.is === "interrupted")
    return { verdict: "unknown", reasons: ["the command was interrupted, so it was not seen to its end"] };
  const after = followed.isOutOfReach ? "the service cannot be asked about it any more" : "is still running";
  return { verdict: "unknown", reasons: [`it had not ended after ${secs} s, and ${after}`] };
}

async function putTags(api: Api, id: number, tags: readonly string[]): Promise<readonly string[]> {
  if (tags.length === 0) return [];
  try {
    await api.call("POST /executions/:id/tags", { params: { id }, body: tags });
    return [];
  } catch (problem) {
    return [`the tags ${tags.join(", ")} were refused: ${refusalWords(problem)}`];
  }
}

/** Two runs of one configuration at once disturb each other. */
async function othersUnderWay(api: Api, configurationId: number, id: number): Promise<readonly string[]> {
  const runs = await runsUnderWay(api, configurationId).catch(() => []);
  const others = runs.filter((run) => run.id !== id);
  return others.map((other) => `runs ${id} and ${other.id} of the configuration are under way at once`);
}

function failed(problem: unknown): { readonly is: "refused"; readonly reason: string } {
  return { is: "refused", reason: refusalWords(problem) };
}

/** Whatever happens with one run, the others are seen to their ends. */
export function refusalWords(problem: unknown): string {
  const said = problem instanceof ServiceError ? problem.serviceMessage : undefined;
  return said ?? thrownWords(problem);
}

function unseen(id: number, problem: unknown): string {
  const wayOn = `It may be under way still: judge it with loadform run --execution ${id}`;
  return `it was not seen to its end: ${thrownWords(problem)}. ${wayOn}`;
}
