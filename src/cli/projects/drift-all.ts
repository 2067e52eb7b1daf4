import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { type DriftedProject, driftProjects } from "../../project/several/drift-projects.ts";
import { type ProjectsReport, projectsMarkdown } from "../../report/projects/projects-markdown.ts";
import { type ProjectRow, projectsSentence, projectsTable } from "../../report/projects/projects-table.ts";
import { askedEnvironments, type Command, type CommandInput, projectFlags } from "../command.ts";
import { driftDocumentOf, driftMarkdownOf, showDrift, waysOutOf } from "../commands/drift.ts";
import { exitOfAll, exitOfDrift } from "../exit-of.ts";
import { saveReports } from "../save-file.ts";
import { systemOf } from "../system-of.ts";
import type { Terminal } from "../terminal.ts";
import { withDiagnostics } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { withoutSecrets } from "../views/redact-output.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { chooseFolders } from "./choose-folders.ts";
import { oneOfSeveral } from "./one-of-several.ts";
import { printProjectsJson, problemPrinter, projectHeading, redactAll, redactedTerminal } from "./project-output.ts";

/** `loadform drift` of several projects. */
export const driftAll: Command = async (input) => {
  const { flags, terminal, argv, env, cwd } = input;
  const { dirs, diagnostics } = await chooseFolders(input);
  if (diagnostics.length > 0) return reportRefusal(terminal, argv, diagnostics);
  const system = systemOf(input);
  const waiting = startWaiting(terminal, `comparing ${dirs.length} projects`);
  const { dir: _one, ...place } = projectFlags(input, ".");
  const { showUnmanaged = false, failOnUnmanaged = false } = flags;
  const compared = await driftProjects(dirs, { ...place, showUnmanaged, failOnUnmanaged }, system).finally(
    waiting.stop,
  );
  if (compared.is === "refused") return reportRefusal(terminal, argv, compared.diagnostics);
  const redact = redactAll(
    env,
    compared.projects.map(({ project }) => project),
  );
  const projects = compared.projects.map((each): ToldDrift => {
    const found = [...each.drift.diagnostics, ...each.drift.blocked];
    return { ...each, problems: withoutSecrets(found, each.outcome, env) };
  });
  const unsaved = await writeReports(input, projects, redact);
  if (flags.json) {
    const documents = projects.map(({ dir, drift, problems }) => ({
      dir,
      ...withDiagnostics(driftDocumentOf(drift, system.now()) ?? {}, problems),
    }));
    printProjectsJson(terminal, documents, redact);
  } else printDrifts({ ...input, terminal: redactedTerminal(terminal, redact) }, projects);
  problemPrinter(terminal, cwd)({ dir: "." }, unsaved);
  return hasErrors(unsaved) ? 1 : exitOfAll(projects.map(({ drift }) => exitOfDrift(drift)));
};

/** Writes the comment and the page of all. */
function writeReports(
  input: CommandInput,
  projects: readonly ToldDrift[],
  redact: ReturnType<typeof redactAll>,
): Promise<readonly Diagnostic[]> {
  const byDir = new Map(projects.map((each) => [each.dir, each]));
  const reportOf = (dir: string) => {
    const { drift, problems } = byDir.get(dir) as ToldDrift;
    const one = oneOfSeveral(input, dir);
    return [one, { ...drift, problems, waysOut: waysOutOf(one) }] as const;
  };
  return saveReports(input, {
    markdown: () => redact(projectsMarkdown(markdownReport(input, projects))),
    async page() {
      const { driftsPage } = await import("../pages/drift-pages.ts");
      return driftsPage({ ...shownProjects(projects), reportOf }, { redact, system: systemOf(input) });
    },
  });
}

/** A compared project with its problems, which are without its secrets already. */
interface ToldDrift extends DriftedProject {
  readonly problems: readonly Diagnostic[];
}

const columns = ["Drifted", "Not applied", "Undeclared"];
const always = columns.slice(0, 2);

function printDrifts(input: CommandInput & { readonly terminal: Terminal }, projects: readonly ToldDrift[]): void {
  const { terminal, cwd } = input;
  const printProblems = problemPrinter(terminal, cwd);
  for (const project of projects) {
    const { dir, drift, problems } = project;
    if (isToShow(project) && !hasErrors(problems)) {
      terminal.out(`${terminal.outPalette.bold(projectHeading(project))}\n`);
      showDrift(oneOfSeveral(input, dir), drift);
      terminal.out("\n");
    }
    printProblems(project, problems);
  }
  const rows = projects.map(driftRow);
  const requests = projects.reduce((sum, { outcome }) => sum + outcome.requests, 0);
  terminal.out(projectsTable(rows, { columns, always, palette: terminal.outPalette }));
  terminal.out(`${projectsSentence(rows, requests)}\n`);
}

/** A project that is as it was applied is only a row of the table. */
function isToShow({ drift: { drift } }: ToldDrift): boolean {
  return drift !== undefined && drift.drifted.length + drift.changed.length + drift.unmanaged.length > 0;
}

const results = { 0: "in sync", 1: "failed", 2: "drifted", 3: "blocked", 4: "locked" } as const;

function driftRow({ dir, name, environment, drift: outcome }: ToldDrift): ProjectRow {
  const { drift } = outcome;
  const code = exitOfDrift(outcome) as keyof typeof results;
  const counts =
    code === 1 || drift === undefined ? [] : [drift.drifted.length, drift.changed.length, drift.unmanaged.length];
  return {
    dir,
    name,
    environment,
    counts,
    result: results[code],
    mood: code === 0 ? "done" : code === 2 ? "changed" : "stopped",
  };
}

/** The rows of all projects, and those with more to say. */
function shownProjects(projects: readonly ToldDrift[]) {
  const shown = projects.filter((each) => isToShow(each) || each.problems.length > 0);
  return { rows: projects.map(driftRow), columns, always, dirs: shown.map(({ dir }) => dir) };
}

function markdownReport(input: CommandInput, projects: readonly ToldDrift[]): ProjectsReport {
  const byDir = new Map(projects.map((each) => [each.dir, each]));
  return {
    about: "drift of",
    identity: [...input.args, ...askedEnvironments(input)],
    ...shownProjects(projects),
    section: (dir, characters) => {
      const { drift, problems } = byDir.get(dir) as ToldDrift;
      return driftMarkdownOf(oneOfSeveral(input, dir), { ...drift, problems }, { characters });
    },
  };
}
