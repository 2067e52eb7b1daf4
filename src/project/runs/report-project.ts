import type { Api } from "../../api/routes.ts";
import { type Diagnostic, errorOf, hasErrors } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/group-by.ts";
import { ServiceError } from "../../model/service-error.ts";
import { baselineProblem } from "../../run/find-baseline.ts";
import { type EndedRequest, judgeEnded, momentsOf, unjudged } from "../../run/judge-ended.ts";
import { plannedTimeOf } from "../../run/planned-time.ts";
import { detailsOf } from "../../run/read-details.ts";
import { readMeasured } from "../../run/read-figures.ts";
import { isPassing, listRuns, type RunState, readRun, runsSince } from "../../run/read-run.ts";
import { refusalWords } from "../../run/run-gate.ts";
import { summarizeRun } from "../../run/summarize-run.ts";
import { type OpenProject, withProject } from "../connect.ts";
import { orExplained } from "../explain-failure.ts";
import { type LoadedProject, loadFolder } from "../open-project.ts";
import type { ProjectFlags, System } from "../system.ts";
import {
  type AskedRun,
  type ChosenRuns,
  chooseForRun,
  chooseRuns,
  configurationsOf,
  type RunChoice,
  withKpiProblems,
} from "./choose-runs.ts";
import {
  configurationOf,
  documentOf,
  idsInState,
  noRun,
  type RunOutcome,
  redactOutcome,
  refused,
  withPlaces,
} from "./run-outcome.ts";

/** What was asked of a report. */
export interface ReportFlags extends ProjectFlags, RunChoice {
  readonly executions: readonly number[];
  /** So many runs of each configuration, the newest; default 1, with `since` all. */
  readonly last?: number;
  /** Epoch milliseconds: runs that were created since. */
  readonly since?: number;
  readonly isDetailed: boolean;
}

/** Reads runs that are there, and judges them by today's gates. It starts nothing. */
export async function reportProject(flags: ReportFlags, system: System): Promise<RunOutcome> {
  return orExplained(async () => {
    const loaded = await loadFolder(flags, system, { unsetEnv: "warning" });
    if (hasErrors(loaded.diagnostics)) return refused(loaded.diagnostics);
    const project = withKpiProblems(loaded, flags);
    const chosen = flags.executions.length > 0 ? { runs: [], diagnostics: [] } : chosenRuns(project, flags);
    const found = [...project.diagnostics, ...chosen.diagnostics];
    if (hasErrors(found)) return refused(found);
    const outcome = await withProject(project, { system }, (open) => reportOpened(open, chosen.runs, flags));
    return redactOutcome(outcome, project);
  }, refused);
}

/** Without a choice every gate, or every configuration of a project without gates. */
function chosenRuns(project: LoadedProject, flags: ReportFlags): ChosenRuns {
  const isChosen = flags.gates.length + flags.configurations.length > 0;
  if (isChosen) return chooseRuns(project, flags);
  if (project.gates.length > 0) return chooseRuns(project, { ...flags, gates: ["*"] });
  const all = configurationsOf(project);
  if (all.length === 0) return { runs: [], diagnostics: [noRunFound("The project declares no configuration")] };
  return chooseRuns(project, { ...flags, configurations: all });
}

/** A run that is to be shown, and what it is judged by. */
interface FoundRun {
  readonly gate: AskedRun;
  readonly state: RunState;
  readonly configurationId: number;
}

async function reportOpened(open: OpenProject, asked: readonly AskedRun[], flags: ReportFlags): Promise<RunOutcome> {
  const { connection, project } = open;
  const { ids, blocked } = await idsInState(open);
  if (blocked.length > 0) return { ...refused(project.diagnostics), blocked };
  const { runs, diagnostics } = await (flags.executions.length === 0
    ? newestRuns(open, asked, { flags, ids })
    : namedRuns(open, { flags, ids }));
  if (hasErrors(diagnostics) || runs.length === 0) {
    const none = hasErrors(diagnostics)
      ? []
      : [noRunFound(`None of the chosen configurations has been run${sinceWords(flags)}`)];
    return refused([...project.diagnostics, ...diagnostics, ...none]);
  }
  const { ended, unread } = await judgedRuns(open, runs);
  if (ended.length === 0) return refused([...project.diagnostics, ...diagnostics, ...unread]);
  const details = flags.isDetailed ? await Promise.all(ended.map((each) => detailsOf(connection.api, each))) : [];
  const document = documentOf(
    ended.map(({ run }) => run),
    diagnostics.map(({ summary }) => summary),
  );
  return {
    document,
    details: details.map((each) => withPlaces(each, project)),
    diagnostics: [...project.diagnostics, ...unread],
    blocked: [],
  };
}

/** The runs that could be read, and what is said of the others. */
async function judgedRuns(
  open: OpenProject,
  runs: readonly FoundRun[],
): Promise<{ readonly ended: readonly EndedRequest[]; readonly unread: readonly Diagnostic[] }> {
  const ended: EndedRequest[] = [];
  const unread: { readonly id: number; readonly why: string }[] = [];
  const read = (run: FoundRun) =>
    judged(open, run).catch((thrown: unknown) => {
      if (!(thrown instanceof ServiceError || isPassing(thrown))) throw thrown;
      unread.push({ id: run.state.id, why: refusalWords(thrown) });
    });
  for (const each of await Promise.all(runs.map(read))) if (each) ended.push(each);
  const problems = [...groupBy(unread, ({ why }) => why)].map(([why, of]) =>
    errorOf("LF7003", `run ${of.map(({ id }) => id).join(", ")} could not be read`, why),
  );
  return { ended, unread: problems };
}

/** A run that has not ended is shown, and not judged. */
async function judged(
  { connection: { api }, project }: OpenProject,
  { gate, state: listed, configurationId }: FoundRun,
): Promise<EndedRequest> {
  // Only the answer about one run says who carries it out.
  const state = listed.completed ? listed : ((await readRun(api, listed.id)) ?? listed);
  const fields = project.tree.nodes.get(gate.address)?.fields ?? {};
  const planned = await plannedTimeOf(api, { configurationId, state }, fields);
  const judging = { gate, configurationId, planned, simulated: state.simulated };
  if (state.completed) return judgeEnded(api, state, judging);
  const going = unjudged(judging, { verdict: "unknown", reasons: ["it is under way, so it is not judged"] });
  const summary = await summarizeRun(state, await readMeasured(api, state.id), undefined);
  return { ...going, run: { ...going.run, ...momentsOf(state), execution: state.id, summary } };
}

interface FoundRuns {
  readonly runs: readonly FoundRun[];
  /** Baselines that there are not, and warnings about runs that there are not. */
  readonly diagnostics: readonly Diagnostic[];
}

async function newestRuns(
  { connection: { api } }: OpenProject,
  asked: readonly AskedRun[],
  { flags, ids }: { readonly flags: ReportFlags; readonly ids: ReadonlyMap<string, number> },
): Promise<FoundRuns> {
  const found = await Promise.all(
    asked.map(async (gate): Promise<FoundRuns> => {
      const configurationId = ids.get(gate.address);
      if (configurationId === undefined) return { runs: [], diagnostics: [] };
      // What a gate compares with may be gone by now: the runs are shown all the same, and say so.
      const problem = flags.baseline && (await baselineProblem(api, configurationId, flags.baseline));
      if (problem !== undefined) return { runs: [], diagnostics: [noRunFound(problem)] };
      const states = await runsOf(api, configurationId, flags);
      return { runs: states.map((state) => ({ gate, state, configurationId })), diagnostics: [] };
    }),
  );
  return { runs: found.flatMap(({ runs }) => runs), diagnostics: found.flatMap((each) => each.diagnostics) };
}

function sinceWords({ since }: ReportFlags): string {
  return since === undefined ? "" : ` since ${new Date(since).toISOString()}`;
}

async function runsOf(api: Api, id: number, { last, since }: ReportFlags): Promise<readonly RunState[]> {
  const runs = since === undefined ? await listRuns(api, id, last ?? 1) : await runsSince(api, id, since);
  return last === undefined && since !== undefined ? runs : runs.slice(0, last ?? 1);
}

/** Runs by their ids, each by the gates of its configuration where there are any. */
async function namedRuns(
  open: OpenProject,
  { flags, ids }: { readonly flags: ReportFlags; readonly ids: ReadonlyMap<string, number> },
): Promise<FoundRuns> {
  const runs: FoundRun[] = [];
  const missing: Diagnostic[] = [];
  const warned: Diagnostic[] = [];
  for (const id of new Set(flags.executions)) {
    const state = await readRun(open.connection.api, id, true);
    const configurationId = state && configurationOf(state);
    const chosen = chooseForRun(open.project, flags, { id, configurationId, ids });
    if (hasErrors(chosen.diagnostics)) return { runs: [], diagnostics: chosen.diagnostics };
    if (state === undefined) missing.push(await noRun(open, id, ids));
    else {
      runs.push(...chosen.runs.map((gate) => ({ gate, state, configurationId: configurationId ?? 0 })));
      warned.push(...chosen.diagnostics);
    }
  }
  // Where there is something to show, what is missing is said beside it.
  const told = missing.map((each): Diagnostic => (runs.length > 0 ? { ...each, severity: "warning" } : each));
  return { runs, diagnostics: [...told, ...warned] };
}

function noRunFound(detail: string): Diagnostic {
  return { severity: "error", code: "LF7003", summary: "there is no run to report", detail };
}
