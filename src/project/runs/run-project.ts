import { type Diagnostic, errorOf, hasErrors } from "../../model/diagnostic.ts";
import { usualTimeoutMs } from "../../model/service-error.ts";
import { plainOptions } from "../../plan/plan-input.ts";
import { type RunProgress, stopRun } from "../../run/follow-run.ts";
import type { EndedRequest } from "../../run/judge-ended.ts";
import { plannedTime, plannedTimeOf } from "../../run/planned-time.ts";
import { bareDetails, detailsOf } from "../../run/read-details.ts";
import { readRun } from "../../run/read-run.ts";
import { judgeExecution, type RunRequest, type RunWorld, runGates } from "../../run/run-gate.ts";
import { type OpenProject, withProject } from "../connect.ts";
import { orExplained } from "../explain-failure.ts";
import { type LoadedProject, loadFolder } from "../open-project.ts";
import { freshState } from "../open-state.ts";
import { planOpened } from "../plan-opened.ts";
import type { ProjectFlags, System } from "../system.ts";
import { type CheckedRun, checkRunnable, checkStarts } from "./check-runnable.ts";
import { type AskedRun, chooseForRun, chooseRuns, type RunChoice, withKpiProblems } from "./choose-runs.ts";
import {
  configurationOf,
  documentOf,
  idsInState,
  noRun,
  type RunOutcome,
  redactOutcome,
  refused,
  withPlaces,
  withScript,
} from "./run-outcome.ts";

/** What was asked of a run. */
export interface RunFlags extends ProjectFlags, RunChoice {
  /** A run that somebody else started: it is judged and never stopped. */
  readonly execution?: number;
  readonly params: Readonly<Record<string, string>>;
  /** Values of `params` that are in no output. */
  readonly secrets: readonly string[];
  /** Different configurations that run at once. */
  readonly atOnce: number;
  /** Wait for the end of a run, in seconds. */
  readonly waitSecs?: number;
  /** Wait for the end of a run of the configuration that is under way, in seconds. */
  readonly waitRunningSecs: number;
  readonly noWait: boolean;
  /** Real load in real time, of `memory:FILE`. */
  readonly live: boolean;
  readonly staleOk: boolean;
  /** Everything that a page shows is read. */
  readonly isDetailed: boolean;
}

/** Whoever started the runs. */
export interface RunUi {
  /** Aborted: no run is started any more, and those of this command are stopped. */
  readonly signal: AbortSignal;
  /** All that there is to say before the first run is started or joined; the outcome has it, too. */
  readonly warned: (warnings: readonly Diagnostic[]) => void;
  readonly started: (request: RunRequest, id: number) => void;
  readonly progress: (request: RunRequest, progress: RunProgress) => void;
}

/** Starts configurations, follows their runs and judges them. It takes no lock and writes no state. */
export async function runProject(flags: RunFlags, system: System, ui: RunUi): Promise<RunOutcome> {
  return orExplained(async () => {
    const loaded = await loadFolder(flags, system, { unsetEnv: "warning" });
    if (hasErrors(loaded.diagnostics)) return refused(loaded.diagnostics);
    const project = withKpiProblems(loaded, flags);
    const { execution } = flags;
    const chosen = execution === undefined ? chooseRuns(project, flags) : { runs: [], diagnostics: [] };
    const wrong = unfit(project, flags);
    const twice = wrong.length > 0 ? [] : startedTwice(chosen.runs, flags);
    const found = [...project.diagnostics, ...chosen.diagnostics, ...wrong, ...twice];
    if (hasErrors(found)) return refused(found);
    const redacted = (outcome: RunOutcome) => redactOutcome(outcome, project, flags.secrets);
    const asked: Asked = {
      flags,
      ui: { ...ui, warned: (warnings) => ui.warned(redacted(refused(warnings)).diagnostics) },
    };
    const outcome = await withProject(project, { system, makesLoad: flags.live }, (open) =>
      execution === undefined ? startAsked(open, chosen.runs, asked) : joinRun(open, execution, asked),
    );
    return redacted(outcome);
  }, refused);
}

/** A service without a file, or a live one, cannot do everything. */
function unfit({ service: { url }, live }: LoadedProject, { noWait, live: isReal }: RunFlags): readonly Diagnostic[] {
  const isFile = url.startsWith("memory:") && url !== "memory:";
  const error = (summary: string, detail: string) => errorOf("LF7003", summary, detail);
  if (url === "memory:")
    return [
      error(
        "memory: keeps nothing that could be run",
        "Give the bundled service a file: url: memory:.loadform/service.json",
      ),
    ];
  return [
    ...(noWait && isFile
      ? [
          error(
            "--no-wait cannot be used with memory:FILE",
            "The bundled service ends with this command; leave --no-wait out",
          ),
        ]
      : []),
    ...(isReal && live
      ? [error("--live is for memory:FILE", "A service decides by itself how a run is made; leave --live out")]
      : []),
  ];
}

/** The runs of one configuration are made in turn, which needs the end of the first. */
function startedTwice(runs: readonly AskedRun[], { noWait }: RunFlags): readonly Diagnostic[] {
  const addresses = runs.map(({ address }) => address);
  const twice = new Set(addresses.filter((address, index) => addresses.indexOf(address) !== index));
  const detail = "Its second run begins after the end of the first: leave --no-wait out, or start one of them";
  return noWait ? [...twice].map((address) => errorOf("LF7002", `${address} would run twice at once`, detail)) : [];
}

interface Asked {
  readonly flags: RunFlags;
  readonly ui: RunUi;
}

/** Guards that say that the state is about another service, project or environment: its ids mean nothing here. */
const foreignState: readonly string[] = ["LF4006", "LF4008"];

async function startAsked(open: OpenProject, asked: readonly AskedRun[], { flags, ui }: Asked): Promise<RunOutcome> {
  const { project, store } = open;
  const stored = (await store.read()) ?? freshState(project);
  const planned = await planOpened({ ...open, stored, options: plainOptions });
  const { diagnostics, plan } = planned;
  if (plan === undefined || hasErrors(diagnostics)) return { ...refused(diagnostics), blocked: planned.blocked };
  const elsewhere = planned.blocked.filter(({ code }) => foreignState.includes(code));
  if (elsewhere.length > 0) return { ...refused(diagnostics), blocked: elsewhere };
  const checked = asked.map((gate) => ({ gate, runnable: checkRunnable(gate.address, planned, project.tree) }));
  const found = await checkStarts(open, checked, { ...flags, signal: ui.signal });
  const told = [...diagnostics, ...found.diagnostics];
  if (hasErrors(found.diagnostics) || found.blocked.length > 0 || ui.signal.aborted)
    return { ...refused(told), blocked: found.blocked };
  ui.warned(told);
  const requests = checked.map((each) => runRequest(each, open, flags));
  const stopper = stopOnSignal(open, ui);
  const world = worldOf(open, { flags, ui: { ...ui, started: stopper.started } });
  const ended = await runGates(requests, flags.atOnce, world);
  return runOutcome(open, ended, { asked: { flags, ui }, diagnostics: told, warnings: await stopper.settled() });
}

/** Judges a run that somebody else started, and never stops it. */
async function joinRun(open: OpenProject, id: number, { flags, ui }: Asked): Promise<RunOutcome> {
  const { project, connection } = open;
  const { ids, blocked } = await idsInState(open);
  if (blocked.length > 0) return { ...refused(project.diagnostics), blocked };
  const state = await readRun(connection.api, id, true);
  if (state === undefined) return refused([await noRun(open, id, ids)]);
  const configurationId = configurationOf(state);
  const { runs, diagnostics } = chooseForRun(project, flags, { id, configurationId, ids });
  const told = [...project.diagnostics, ...diagnostics];
  if (hasErrors(told)) return refused(told);
  ui.warned(told);
  const conf = configurationId ?? 0;
  const requests = await Promise.all(
    runs.map(async (gate): Promise<RunRequest> => {
      const order = { configurationId: conf, params: {}, timeoutMs: 0 };
      const fields = project.tree.nodes.get(gate.address)?.fields ?? {};
      const planned = await plannedTimeOf(connection.api, { configurationId: conf, state }, fields);
      const wait = flags.waitSecs === undefined ? {} : { waitSecs: flags.waitSecs };
      return { gate, order, planned, stale: false, noWait: false, ...wait };
    }),
  );
  const world = worldOf(open, { flags, ui });
  const ended = await Promise.all(
    requests.map((request) => judgeExecution(id, request, world, { warnings: [], mayStop: false, simulated: false })),
  );
  return runOutcome(open, ended, { asked: { flags, ui }, diagnostics: told, warnings: [] });
}

async function runOutcome(
  { connection, project }: OpenProject,
  ended: readonly EndedRequest[],
  {
    asked: {
      flags,
      ui: { signal },
    },
    diagnostics,
    warnings,
  }: Pick<RunOutcome, "diagnostics"> & { readonly asked: Asked; readonly warnings: readonly string[] },
): Promise<RunOutcome> {
  const runs = ended.map(({ run }) => run);
  // Whoever was interrupted has to be gone within seconds.
  const isRead = flags.isDetailed && !flags.noWait && !signal.aborted;
  const details = isRead
    ? await Promise.all(ended.map((each) => detailsOf(connection.api, each)))
    : ended.map(bareDetails);
  return {
    document: documentOf(runs, warnings),
    details: details
      .map((each) => withPlaces(each, project))
      .map((each) => (flags.execution === undefined ? withScript(each, project) : each)),
    diagnostics,
    blocked: [],
  };
}

/** Stops every run that this command started, as soon as a signal comes; one that has ended meanwhile is no failure. */
function stopOnSignal({ connection }: OpenProject, { signal, started }: RunUi) {
  const ids = new Set<number>();
  const stops: Promise<readonly string[]>[] = [];
  const stop = (id: number) =>
    void stops.push(
      stopRun(connection.api, id).then(
        async () => {
          // In virtual time nobody else carries it to its end.
          await connection.advanceRun?.(id, 60_000);
          return [];
        },
        (problem: unknown) => [
          `run ${id} could not be stopped: ${problem instanceof Error ? problem.message : problem}`,
        ],
      ),
    );
  const stopAll = () => [...ids].forEach(stop);
  signal.addEventListener("abort", stopAll, { once: true });
  return {
    started(request: RunRequest, id: number) {
      ids.add(id);
      started(request, id);
      if (signal.aborted) stop(id);
    },
    async settled(): Promise<readonly string[]> {
      signal.removeEventListener("abort", stopAll);
      return (await Promise.all(stops)).flat();
    },
  };
}

function runRequest({ gate, runnable }: CheckedRun, { project, system }: OpenProject, flags: RunFlags): RunRequest {
  const stale = runnable.differences.length > 0;
  // What nobody declares, such as a ramp-up, remains as it is at the service.
  const fields = runnable.live ?? project.tree.nodes.get(gate.address)?.fields ?? {};
  const timeoutMs = system.requestTimeoutMs ?? usualTimeoutMs;
  return {
    gate,
    order: { configurationId: runnable.configurationId ?? 0, params: flags.params, timeoutMs },
    planned: plannedTime(fields),
    ...{ stale, noWait: flags.noWait },
    ...(flags.waitSecs !== undefined && { waitSecs: flags.waitSecs }),
  };
}

/** The world of the runs: in a bundled service with a file their time is virtual, unless real load was asked for. */
function worldOf(
  { connection, system }: OpenProject,
  { flags, ui }: { readonly flags: RunFlags; readonly ui: RunUi },
): RunWorld {
  const { api, advanceRun } = connection;
  const isVirtual = advanceRun !== undefined && !flags.live;
  const { signal } = ui;
  const clock = { now: system.now, sleep: system.sleep };
  return {
    ...{ api, clock, simulated: isVirtual, signal, started: ui.started, progress: ui.progress },
    async clockOf(id) {
      if (!isVirtual) return clock;
      let now = Date.parse((await readRun(api, id))?.createdAt ?? "") || system.now();
      return {
        now: () => now,
        async sleep(ms) {
          now += ms;
          await advanceRun(id, ms);
        },
      };
    },
  };
}
