import { resolve } from "node:path";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { readBaselineFlag } from "../../project/runs/choose-runs.ts";
import { type RunFlags, runProject } from "../../project/runs/run-project.ts";
import { shellLine } from "../../report/terminal-text.ts";
import { type Command, type CommandInput, choosingFlags, projectFlags } from "../command.ts";
import { exitOfRuns, showResults, unwritableFiles } from "../runs/show-results.ts";
import { watchRuns } from "../runs/watch-runs.ts";
import { systemOf } from "../system-of.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { reportRefusal } from "../views/report-refusal.ts";

/** `loadform run`: starts configurations, follows their runs and decides by their KPIs. */
export const run: Command = async (input) => {
  const { terminal, args, argv, cwd, interrupt, flags } = input;
  const root = resolve(cwd, args[0] ?? ".");
  const asked = runFlags(input);
  if ("problem" in asked)
    return reportRefusal(terminal, argv, [{ severity: "error", code: "LF9001", ...asked.problem }]);
  const unwritable = await unwritableFiles(input);
  if (unwritable.length > 0) return reportRefusal(terminal, argv, unwritable);
  // A signal stops the runs of this command, and the command ends by itself.
  interrupt.takeOver();
  const view = watchRuns(terminal);
  const system = { ...systemOf(input), givenUp: interrupt.givenUp };
  let isWarned = false;
  const warned = (warnings: readonly Diagnostic[]) => {
    isWarned = true;
    printDiagnostics(terminal, warnings, root);
  };
  const ui = { signal: interrupt.signal, warned, started: view.started, progress: view.progress };
  const outcome = await runProject(asked, system, ui).finally(view.stop);
  // What was said before the start is not said again below the results; the document has it.
  const isNew = ({ severity }: Diagnostic) => severity === "error" || !isWarned || flags.json;
  const problems = [...outcome.diagnostics.filter(isNew), ...outcome.blocked];
  const unsaved = await showResults(input, outcome, { problems, root });
  const interrupted = interrupt.code();
  if (interrupted !== undefined) {
    const place = [...input.args, ...choosingFlags(input)];
    for (const { execution } of outcome.document?.runs ?? []) {
      const report = shellLine(["loadform", "report", ...place, "--execution", String(execution)]);
      if (execution !== null) terminal.note(`Its results: ${report}\n`);
    }
    return interrupted;
  }
  if (hasErrors(unsaved)) return 1;
  if (outcome.blocked.length > 0) return 3;
  return flags.wait === false && outcome.document !== undefined
    ? startedExit(outcome.document.runs)
    : exitOfRuns(outcome, true);
};

/** Runs that were only started: 1 where one was not. */
function startedExit(runs: readonly { readonly execution: number | null }[]): 0 | 1 {
  return runs.every(({ execution }) => execution !== null) ? 0 : 1;
}

/** Flags that cannot be read, in words. */
interface Unreadable {
  readonly problem: { readonly summary: string; readonly detail: string };
}

function runFlags(input: CommandInput): RunFlags | Unreadable {
  const { flags, args } = input;
  const [execution, ...others] = flags.execution ?? [];
  if (others.length > 0 || (execution !== undefined && !/^\d+$/.test(execution))) {
    const detail = `Found ${flags.execution?.join(", ")}; \`loadform report\` takes several`;
    return { problem: { summary: "--execution takes the number of one run", detail } };
  }
  const starting = execution === undefined ? undefined : startingFlag(flags);
  if (starting !== undefined) {
    const detail = "It judges a run that is there already, starts none and waits for its end. Leave out one of the two";
    return { problem: { summary: `--execution does not go with ${starting}`, detail } };
  }
  const params = paramsOf(input);
  if ("unset" in params) {
    const detail = "Set it in the environment, or give the value itself";
    return { problem: { summary: `--param ${params.unset} names a variable that is not set`, detail } };
  }
  const { gate: gates = [], configuration: configurations = [], kpi: kpis = [], tag: tags = [] } = flags;
  return {
    ...projectFlags(input, args[0]),
    ...{ gates, configurations, kpis, tags },
    ...params,
    ...(execution !== undefined && { execution: Number(execution) }),
    ...(flags.waitTimeout !== undefined && { waitSecs: flags.waitTimeout }),
    ...waitsOf(flags),
    ...{ live: flags.runLive === true, staleOk: flags.staleOk === true, isDetailed: true },
  };
}

/** A flag that says how a run is started, and would do nothing to one that is there. */
function startingFlag({ param, tag, wait }: CommandInput["flags"]): string | undefined {
  if (param !== undefined) return "--param";
  if (tag !== undefined) return "--tag";
  return wait === false ? "--no-wait" : undefined;
}

function waitsOf({ atOnce = 4, waitRunning = 0, wait }: CommandInput["flags"]) {
  return { atOnce, waitRunningSecs: waitRunning, noWait: wait === false };
}

const variable = /\$\{env:([^}]*)\}/g;

/** Parameters with `${env:NAME}` replaced, and the values that came from there; or the first whose variable is not set. */
function paramsOf({ flags, env }: CommandInput): Pick<RunFlags, "params" | "secrets"> | { readonly unset: string } {
  const written = Object.entries(flags.param ?? {});
  const named = written.flatMap(([param, value]) =>
    [...value.matchAll(variable)].map(([, name = ""]) => ({ param, value: env[name] })),
  );
  const unset = named.find(({ value }) => value === undefined);
  if (unset !== undefined) return { unset: unset.param };
  const filled = (value: string) => value.replaceAll(variable, (_, name: string) => env[name] ?? "");
  return {
    params: Object.fromEntries(written.map(([name, value]) => [name, filled(value)])),
    secrets: named.flatMap(({ value }) => value ?? []),
  };
}

/** The baseline of `--baseline`, or what is wrong with it. */
export function baselineOf(text: string | undefined) {
  if (text === undefined) return {};
  const baseline = readBaselineFlag(text);
  if (baseline !== undefined) return { baseline };
  const detail = `Found ${JSON.stringify(text)}; expected previous, none, tag:NAME or the id of a run`;
  return { problem: { summary: "--baseline cannot be read", detail } };
}
