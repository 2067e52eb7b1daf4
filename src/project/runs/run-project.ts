import { orExplained } from "../../apply/explain-failure.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import { sleepUnless } from "../../model/sleep-unless.ts";
import { plainOptions } from "../../plan/plan-input.ts";
import type { RunProgress } from "../../run/follow-run.ts";
import { stopRun } from "../../run/follow-run.ts";
import type { EndedRequest } from "../../run/judge-ended.ts";
import { plannedTime } from "../../run/planned-time.ts";
import { detailsOf } from "../../run/read-details.ts";
import { readRun } from "../../run/read-run.ts";
import type { JudgedRun, RunDetails, RunDocument, Verdict } from "../../run/run-document.ts";
import type { RunRequest, RunWorld } from "../../run/run-gate.ts";
import { judgeExecution, runGate } from "../../run/run-gate.ts";
import type { OpenProject } from "../connect.ts";
import { withProject } from "../connect.ts";
import type { LoadedProject } from "../open-project.ts";
import { loadFolder } from "../open-project.ts";
import { freshState } from "../open-state.ts";
import { planOpened } from "../plan-opened.ts";
import type { ProjectFlags, System } from "../system.ts";
import type { Runnable } from "./check-runnable.ts";
import { blockedRuns, checkRunnable, limitedRuns } from "./check-runnable.ts";
import type { AskedRun, RunChoice } from "./choose-runs.ts";
import { chooseRuns } from "./choose-runs.ts";

/** What was asked of a run. */
export interface RunFlags extends ProjectFlags, RunChoice {
  /** A run that somebody else started: it is judged and never stopped. */
  readonly execution?: number;
  readonly params: Readonly<Record<string, string>>;
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
  readonly started: (request: RunRequest, id: number) => void;
  readonly progress: (request: RunRequest, progress: RunProgress) => void;
}

/** The end of a `run` or a `report`. */
export interface RunOutcome {
  /** Absent when nothing was started. */
  readonly document?: RunDocument;
  readonly details: readonly RunDetails[];
  readonly diagnostics: readonly Diagnostic[];
  /** Why nothing may be started. */
  readonly blocked: readonly Diagnostic[];
}

/** Starts configurations, follows their runs and judges them. It takes no lock and writes no state. */
export async function runProject(flags: RunFlags, system: System, ui: RunUi): Promise<RunOutcome> {
  return orExplained(async () => {
    const project = await loadFolder(flags, system, "warning");
    if (hasErrors(project.diagnostics)) return refused(project.diagnostics);
    const chosen = flags.execution === undefined ? chooseRuns(project, flags) : joined(project, flags);
    const wrong = [...chosen.diagnostics, ...unfit(project, flags)];
    if (hasErrors(wrong)) return refused([...project.diagnostics, ...wrong]);
    return withProject(project, { system }, (open) => runOpened(open, chosen.runs, { flags, ui }));
  }, refused);
}

function refused(diagnostics: readonly Diagnostic[]): RunOutcome {
  return { details: [], diagnostics, blocked: [] };
}

/** A run that is there is judged by the gates of a command line, else by nothing but its own verdict. */
function joined(project: LoadedProject, flags: RunFlags) {
  const isAsked = flags.gates.length + flags.configurations.length > 0;
  const choice = isAsked || project.gates.length === 1 ? flags : { ...flags, configurations: [] };
  return chooseRuns(project, choice);
}

/** A service without a file, or a live one, cannot do everything. */
function unfit({ service: { url }, live }: LoadedProject, { noWait, live: isReal }: RunFlags): readonly Diagnostic[] {
  const isFile = url.startsWith("memory:") && url !== "memory:";
  const error = (summary: string, detail: string): Diagnostic => ({
    severity: "error",
    code: "LF7003",
    summary,
    detail,
  });
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
            "--no-wait has nobody to carry the run on",
            "The bundled service ends with this command; leave --no-wait out",
          ),
        ]
      : []),
    ...(isReal && live
      ? [error("--live is for memory:FILE", "A service decides by itself how a run is made; leave --live out")]
      : []),
  ];
}

async function runOpened(
  open: OpenProject,
  asked: readonly AskedRun[],
  { flags, ui }: { readonly flags: RunFlags; readonly ui: RunUi },
): Promise<RunOutcome> {
  const { project, store, connection } = open;
  const stored = (await store.read()) ?? freshState(project);
  const planned = await planOpened({ ...open, stored, options: plainOptions });
  if (planned.plan === undefined || hasErrors(planned.diagnostics)) return { ...refused(planned.diagnostics) };
  if (planned.blocked.some(({ code }) => code === "LF4003"))
    return { ...refused(planned.diagnostics), blocked: planned.blocked };
  const checked = asked.map((gate) => ({ gate, runnable: checkRunnable(gate.address, planned, project.tree) }));
  const limited = await limitedRuns(open, asked, flags);
  const blocked = [...limited.blocked, ...(await blockedRuns(open, checked, flags))];
  if (blocked.length > 0) return { ...refused(planned.diagnostics), blocked };
  const requests = checked.map(({ gate, runnable }) => requestOf(gate, runnable, open, flags));
  const ids = new Set<number>();
  const started: RunUi["started"] = (request, id) => {
    ids.add(id);
    ui.started(request, id);
  };
  const world = worldOf(open, { flags, ui: { ...ui, started } });
  const { execution } = flags;
  const ended = await (execution === undefined
    ? inTurns(requests, { atOnce: flags.atOnce, signal: ui.signal }, (request) => runGate(request, world))
    : Promise.all(
        requests.map((request) => judgeExecution(execution, request, world, { warnings: [], mayStop: false })),
      ));
  // A signal stops every run that this command started; one that has ended meanwhile is no failure.
  if (ui.signal.aborted) await Promise.all([...ids].map((id) => stopRun(connection.api, id).catch(() => undefined)));
  const document = documentOf(
    ended.map(({ run }) => run),
    [],
  );
  const details = flags.isDetailed ? await Promise.all(ended.map((each) => detailsOf(connection.api, each))) : [];
  return {
    document,
    details: details.map((each, index) => placed(each, requests[index]?.gate, project)),
    diagnostics: [...planned.diagnostics, ...limited.warnings],
    blocked: [],
  };
}

function requestOf(gate: AskedRun, runnable: Runnable, { project, system }: OpenProject, flags: RunFlags): RunRequest {
  const fields = project.tree.nodes.get(gate.address)?.fields ?? {};
  return {
    gate,
    order: {
      configurationId: runnable.configurationId ?? 0,
      params: flags.params,
      timeoutMs: system.requestTimeoutMs ?? 30_000,
    },
    planned: plannedTime(fields),
    stale: runnable.differences.length > 0,
    noWait: flags.noWait,
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
  const clock = { now: system.now, sleep: (ms: number) => sleepUnless(signal, () => system.sleep(ms)), signal };
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

/** Runs of different configurations side by side, those of one in turn; none is started after a signal. */
async function inTurns(
  requests: readonly RunRequest[],
  { atOnce, signal }: { readonly atOnce: number; readonly signal: AbortSignal },
  run: (request: RunRequest) => Promise<EndedRequest>,
): Promise<readonly EndedRequest[]> {
  const ended = new Map<RunRequest, EndedRequest>();
  const waiting = [...requests];
  const busy = new Set<string>();
  const work = async (): Promise<void> => {
    for (;;) {
      const at = waiting.findIndex(({ gate }) => !busy.has(gate.address));
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined || signal.aborted) return;
      busy.add(next.gate.address);
      ended.set(next, await run(next));
      busy.delete(next.gate.address);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, work));
  return requests.flatMap((request) => ended.get(request) ?? []);
}

/** The document of several runs. */
export function documentOf(runs: readonly JudgedRun[], warnings: readonly string[]): RunDocument {
  const count = (verdict: Verdict) => runs.filter((run) => run.verdict === verdict).length;
  const summary = {
    ...{ passed: count("passed"), failed: count("failed"), stopped: count("stopped") },
    ...{ error: count("error"), unknown: count("unknown") },
  };
  return { warnings, runs, summary };
}

/** The details with the lines of the gate's KPIs, for annotations. */
export function placed(details: RunDetails, gate: AskedRun | undefined, { locateKpi }: LoadedProject): RunDetails {
  const name = gate?.name;
  if (name === undefined) return details;
  const places = details.run.kpis.map((_, index) => {
    const at = locateKpi?.(name, index);
    const { file, line, column } = at ?? {};
    return file === undefined || line === undefined ? undefined : { file, line, column: column ?? 1 };
  });
  return { ...details, places };
}
