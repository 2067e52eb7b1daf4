import { orExplained } from "../../apply/explain-failure.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import { plainGate } from "../../model/gates/gate.ts";
import { isObject } from "../../model/json.ts";
import { judgeEnded } from "../../run/judge-ended.ts";
import { plannedTime } from "../../run/planned-time.ts";
import { detailsOf } from "../../run/read-details.ts";
import type { RunState } from "../../run/read-run.ts";
import { readRun } from "../../run/read-run.ts";
import { listRuns } from "../../run/start-run.ts";
import type { OpenProject } from "../connect.ts";
import { withProject } from "../connect.ts";
import type { LoadedProject } from "../open-project.ts";
import { loadFolder } from "../open-project.ts";
import { freshState } from "../open-state.ts";
import type { ProjectFlags, System } from "../system.ts";
import type { AskedRun, RunChoice } from "./choose-runs.ts";
import { chooseRuns, configurationsOf } from "./choose-runs.ts";
import type { RunOutcome } from "./run-project.ts";
import { documentOf, placed } from "./run-project.ts";

/** What was asked of a report. */
export interface ReportFlags extends ProjectFlags, RunChoice {
  readonly executions: readonly number[];
  /** So many runs of each configuration. */
  readonly last: number;
  /** Epoch milliseconds: all runs that were created since. */
  readonly since?: number;
  readonly isDetailed: boolean;
}

/** Reads runs that are there, and judges them by today's gates. It starts nothing. */
export async function reportProject(flags: ReportFlags, system: System): Promise<RunOutcome> {
  return orExplained(async () => {
    const project = await loadFolder(flags, system, "warning");
    if (hasErrors(project.diagnostics)) return refused(project.diagnostics);
    const chosen = chosenRuns(project, flags);
    if (hasErrors(chosen.diagnostics)) return refused([...project.diagnostics, ...chosen.diagnostics]);
    return withProject(project, { system }, (open) => reportOpened(open, chosen.runs, flags));
  }, refused);
}

function refused(diagnostics: readonly Diagnostic[]): RunOutcome {
  return { details: [], diagnostics, blocked: [] };
}

/** Without a choice every gate, or every configuration of a project without gates. */
function chosenRuns(project: LoadedProject, flags: ReportFlags): ReturnType<typeof chooseRuns> {
  const isChosen = flags.gates.length + flags.configurations.length > 0;
  if (isChosen) return chooseRuns(project, flags);
  if (project.gates.length > 0) return chooseRuns(project, { ...flags, gates: ["*"] });
  const all = configurationsOf(project);
  if (all.length === 0) return { runs: [], diagnostics: [nothing("The project declares no configuration")] };
  return chooseRuns(project, { ...flags, configurations: all });
}

async function reportOpened(open: OpenProject, asked: readonly AskedRun[], flags: ReportFlags): Promise<RunOutcome> {
  const { connection, project, store } = open;
  const stored = (await store.read()) ?? freshState(project);
  const found = await Promise.all(
    asked.map(async (gate) => {
      const configurationId = stored.state.resources[gate.address]?.id;
      const states = configurationId === undefined ? [] : await runsOf(open, configurationId, flags);
      return states.map((state) => ({ gate, state, configurationId: configurationId ?? 0 }));
    }),
  );
  const runs = flags.executions.length === 0 ? found.flat() : await namedRuns(open, asked, flags.executions);
  const missing = flags.executions.filter((id) => runs.every(({ state }) => state.id !== id));
  if (missing.length > 0) return refused([nothing(`The service has no run ${missing.join(", ")}`)]);
  if (runs.length === 0) return refused([nothing("None of the chosen configurations has been run")]);
  const ended = await Promise.all(
    runs.map(({ gate, state, configurationId }) =>
      judgeEnded(connection.api, state, {
        gate,
        configurationId,
        planned: plannedTime(fieldsOf(project, gate, state)),
      }),
    ),
  );
  const details = flags.isDetailed ? await Promise.all(ended.map((each) => detailsOf(connection.api, each))) : [];
  const document = documentOf(
    ended.map(({ run }) => run),
    [],
  );
  const shown = details.map((each, index) => placed(each, runs[index]?.gate, project));
  return { document, details: shown, diagnostics: project.diagnostics, blocked: [] };
}

/** The load of a run as the service has it, else as it is declared. */
function fieldsOf({ tree }: LoadedProject, { address }: AskedRun, { configuration }: RunState) {
  return isObject(configuration) ? configuration : (tree.nodes.get(address)?.fields ?? {});
}

async function runsOf(open: OpenProject, id: number, { last, since }: ReportFlags): Promise<readonly RunState[]> {
  const runs = await listRuns(open.connection.api, id, since === undefined ? last : 100);
  if (since === undefined) return runs.slice(0, last);
  return runs.filter(({ createdAt }) => Date.parse(createdAt ?? "") >= since);
}

/** Runs by their ids, each by the gate of its configuration where there is one. */
async function namedRuns(
  { connection, store, project }: OpenProject,
  asked: readonly AskedRun[],
  ids: readonly number[],
) {
  const { state } = (await store.read()) ?? freshState(project);
  const found = await Promise.all(ids.map((id) => readRun(connection.api, id, true)));
  return found.flatMap((run) => {
    if (run === undefined) return [];
    const configurationId = typeof run.configuration?.["id"] === "number" ? run.configuration["id"] : 0;
    const own = asked.find(({ address }) => state.resources[address]?.id === configurationId);
    return [{ gate: own ?? plainGate(`execution ${run.id}`), state: run, configurationId }];
  });
}

function nothing(detail: string): Diagnostic {
  return { severity: "error", code: "LF7003", summary: "there is no run to report", detail };
}
