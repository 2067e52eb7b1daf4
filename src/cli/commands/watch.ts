import { fileURLToPath } from "node:url";
import type { WatchConfig } from "../../config/watch/read-watch-config.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { readWatchFile } from "../../project/watch/read-watch-file.ts";
import { watchProjects } from "../../project/watch/watch-projects.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import type { Watcher } from "../../watch/loop/run-watcher.ts";
import type { ProjectMemory } from "../../watch/project-memory.ts";
import { queueProblems } from "../../watch/queue/check-queue.ts";
import { statusDocument } from "../../watch/status/status-document.ts";
import type { WatchedProject } from "../../watch/watched-project.ts";
import { type Command, type CommandInput, projectFlags } from "../command.ts";
import { allocatorVariables } from "../prepare-engine.ts";
import { systemOf } from "../system-of.ts";
import { printJson, printJsonLine } from "../views/json-output.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { checkLine, checkText, exitOfStates, hasNewProblems } from "../watch/watch-lines.ts";

/** The program of a check, beside the command line's own. */
const entry = "dist/watch-check.js";

/** `loadform watch`: checks projects again and again, or once, and heals what it is told to. */
export const watch: Command = async (input) => {
  const { args, flags, terminal, argv, interrupt } = input;
  const system = systemOf(input);
  const { heal, prune = false, interval = 120, config: file } = flags;
  const dirs = args.length > 0 || file !== undefined ? args : ["."];
  const defaults = { prune, intervalSecs: interval, ...(heal !== undefined && { heal }) };
  const read = await readWatchFile({ dirs, ...(file !== undefined && { config: file }), defaults }, system);
  const queue = flags.queue ? (input.env["LOADFORM_QUEUE"] ?? "") : read.config.queue;
  const refused = hasErrors(read.diagnostics) ? [] : queueRefusals(queue, read.config, flags.once === true);
  const listen = listenOf(input, read.config);
  const problems = [...read.diagnostics, ...refused, ...folderRefusals(input)];
  if (hasErrors(problems)) return reportRefusal(terminal, argv, problems);
  interrupt.takeOver();
  const once = flags.once === true;
  const refusal = new AbortController();
  const { watcher, url, diagnostics } = await watchProjects(
    {
      ...{ once, config: { ...read.config, ...(listen && { listen }), ...(queue !== undefined && { queue }) } },
      ...{ entry: fileURLToPath(new URL(entry, input.home)), startVariables: allocatorVariables },
      ofFolders: projectFlags(input, undefined),
      checked(project, memory, before) {
        printCheck(input, { project, memory, before });
        if (isRefused(project, memory)) refusal.abort();
      },
      warn: (text) => terminal.err(`${text}\n`),
    },
    system,
  );
  if (watcher === undefined) return reportRefusal(terminal, argv, diagnostics);
  if (url !== undefined) terminal.note(`Status: ${url}\n`);
  return followWatcher(input, watcher, refusal.signal);
};

/** True for a project whose set-up is wrong, which its first check tells; what was right once may become wrong by a commit. */
function isRefused({ source }: Pick<WatchedProject, "source">, { problems, lastSuccessAt }: ProjectMemory): boolean {
  return source.is === "git" && lastSuccessAt === undefined && problems.some(({ code }) => code === "LF8007");
}

/** Where the status is served: --listen comes before the file; the token may come from the environment. */
function listenOf({ flags, env }: CommandInput, { listen }: WatchConfig): WatchConfig["listen"] {
  const address = flags.listen ?? listen?.address;
  if (address === undefined) return undefined;
  const token = listen?.token ?? env["LOADFORM_WATCH_TOKEN"]?.trim();
  return { ...listen, address, ...(token && { token }) };
}

/** Why flags of folders on the command line have no effect: it names a file of projects alone. */
function folderRefusals({ args, flags }: CommandInput): readonly Diagnostic[] {
  const typed = [flags.env === undefined ? [] : ["--env"], flags.var === undefined ? [] : ["--var"]].flat();
  if (args.length > 0 || flags.config === undefined || typed.length === 0) return [];
  const summary = `${typed.join(" and ")} would have no effect on the projects of ${flags.config}`;
  const detail =
    "The command line names no folder. Write a project's environment into that file, and the values of its variables into the environment";
  return [{ severity: "error", code: "LF9001", summary, detail }];
}

/** Reasons why the projects cannot be shared. */
function queueRefusals(queue: string | undefined, { projects }: WatchConfig, once: boolean): readonly Diagnostic[] {
  if (queue === undefined) return [];
  const both: Diagnostic = {
    ...{ severity: "error", code: "LF9001", summary: "--once shares no projects with other workers" },
    detail: "A queue is for workers that remain: leave out --once, or the queue",
  };
  return [
    ...(once ? [both] : []),
    ...queueProblems(
      queue,
      projects.map(({ project }) => project),
    ),
  ];
}

/** Waits for the end: of a first check of each project, or of everything by a signal or a refusal. */
async function followWatcher(
  { interrupt, terminal, flags }: CommandInput,
  watcher: Watcher,
  refusal: AbortSignal,
): Promise<ExitCode> {
  const once = flags.once === true;
  const signal = once ? interrupt.signal : AbortSignal.any([interrupt.signal, refusal]);
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await (once ? Promise.race([watcher.everyOne, stopped]) : stopped);
  await watcher.stop();
  const now = await watcher.projects();
  if (once && flags.json) printJson(terminal, JSON.parse(JSON.stringify(statusDocument(now))));
  // A refused project may be suspended by now, which is no state to end with.
  return interrupt.code() ?? (refusal.aborted ? 1 : exitOfStates(now.map(({ memory }) => memory.state)));
}

/** A line for each check, and its problems when they are other ones than before, or end the watcher. */
function printCheck(
  { terminal, flags, cwd }: CommandInput,
  {
    project: { name, source },
    memory,
    before,
  }: { readonly project: WatchedProject } & Readonly<Record<"memory" | "before", ProjectMemory>>,
): void {
  if (flags.json) {
    const line = flags.once ? undefined : checkLine(name, memory);
    if (line !== undefined) printJsonLine(terminal, line);
    return;
  }
  const text = checkText(name, memory);
  if (text !== undefined) terminal.out(`${text}\n`);
  if (hasNewProblems(memory, before) || isRefused({ source }, memory))
    printDiagnostics(terminal, memory.problems, source.is === "dir" ? source.dir : cwd);
}
