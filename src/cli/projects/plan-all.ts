import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { type PlannedProject, planProjects } from "../../project/several/plan-projects.ts";
import { isWithoutChanges } from "../../report/plan-text.ts";
import { type ProjectRow, projectsSentence, projectsTable } from "../../report/projects/projects-table.ts";
import { askedEnvironments, type Command, type CommandInput, planFlags } from "../command.ts";
import { exitOfAll, exitOfPlan } from "../exit-of.ts";
import { saveReports } from "../save-file.ts";
import { systemOf } from "../system-of.ts";
import { withDiagnostics } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { documentOf, problemsOf, showPlan } from "../views/show-plan.ts";
import { chooseFolders } from "./choose-folders.ts";
import { oneOfSeveral } from "./one-of-several.ts";
import { printProjectsJson, problemPrinter, projectHeading, redactAll, redactedTerminal } from "./project-output.ts";

/** `loadform plan` of several projects. */
export const planAll: Command = async (input) => {
  const { flags, terminal, argv, env, cwd } = input;
  const { dirs, diagnostics } = await chooseFolders(input);
  if (diagnostics.length > 0) return reportRefusal(terminal, argv, diagnostics);
  const system = systemOf(input);
  const waiting = startWaiting(terminal, `planning ${dirs.length} projects`);
  const { dir: _one, ...choices } = planFlags(input, ".");
  const planned = await planProjects(dirs, { ...choices, answerOnly: true }, system).finally(waiting.stop);
  if (planned.is === "refused") return reportRefusal(terminal, argv, planned.diagnostics);
  const { projects } = planned;
  const redact = redactAll(
    env,
    projects.map(({ project }) => project),
  );
  const made = projects.map((each) => ({ ...each, problems: problemsOf(each.outcome, env) }));
  const unsaved = await writeReports(input, made, { redact, system });
  if (flags.json)
    printProjectsJson(
      terminal,
      made.map((each) => planJson(each, system)),
      redact,
    );
  else printPlans(redactedTerminal(terminal, redact), made, input);
  problemPrinter(terminal, cwd)({ dir: "." }, unsaved);
  if (hasErrors(unsaved)) return 1;
  return exitOfAll(projects.map(({ outcome }) => exitOfPlan(outcome, flags.detailedExitcode === true)));
};

/** Writes the comment and the page of all. */
function writeReports(
  input: CommandInput,
  projects: readonly ToldProject[],
  { redact, system }: { readonly redact: ReturnType<typeof redactAll>; readonly system: ReturnType<typeof systemOf> },
): Promise<readonly Diagnostic[]> {
  const byDir = new Map(projects.map((each) => [each.dir, each]));
  const reportOf = (dir: string) => {
    const { outcome, problems } = byDir.get(dir) as ToldProject;
    const document = documentOf(outcome, problems, system);
    return [oneOfSeveral(input, dir), { outcome, document, problems }] as const;
  };
  return saveReports(input, {
    async markdown() {
      const { markdownOf } = await import("../views/plan-reports.ts");
      const { projectsMarkdown } = await import("../../report/projects/projects-markdown.ts");
      const identity = [...input.args, ...askedEnvironments(input)];
      const section = (dir: string, characters: number) => markdownOf(...reportOf(dir), { characters });
      return redact(projectsMarkdown({ about: "plan for", identity, ...shownProjects(projects), section }));
    },
    async page() {
      const { plansPage } = await import("../pages/plan-pages.ts");
      return plansPage({ ...shownProjects(projects), reportOf }, { redact, system });
    },
  });
}

/** A planned project with its problems, which are without its secrets already. */
export interface ToldProject extends PlannedProject {
  readonly problems: readonly Diagnostic[];
}

function planJson({ dir, outcome, problems }: ToldProject, system: ReturnType<typeof systemOf>): JsonObject {
  return { dir, ...withDiagnostics(documentOf(outcome, problems, system) ?? {}, problems) };
}

/** Prints the plans for a person; a plan without changes is only a row of the table. */
export function printPlans(
  terminal: CommandInput["terminal"],
  projects: readonly ToldProject[],
  { cwd }: Pick<CommandInput, "cwd">,
): void {
  const printProblems = problemPrinter(terminal, cwd);
  for (const project of projects) {
    const { outcome, problems } = project;
    if (isToShow(outcome)) {
      terminal.out(`${terminal.outPalette.bold(projectHeading(project))}\n`);
      showPlan(terminal, outcome);
      terminal.out("\n");
    }
    printProblems(project, problems);
  }
  const rows = projects.map(planRow);
  const requests = projects.reduce((sum, { outcome }) => sum + outcome.requests, 0);
  terminal.out(
    projectsTable(rows, { columns: planColumns, always: planColumns.slice(0, 3), palette: terminal.outPalette }),
  );
  terminal.out(`${projectsSentence(rows, requests)}\n`);
}

function isToShow({ plan, diagnostics }: PlannedProject["outcome"]): boolean {
  if (plan === undefined || hasErrors(diagnostics)) return false;
  return !isWithoutChanges(plan) || plan.drift.length > 0 || plan.unmanaged.length > 0 || plan.pending.length > 0;
}

export const planColumns = ["Create", "Update", "Delete", "Replace", "Import", "Move", "Forget", "Unchanged"];

/** A planned project as a row. */
export function planRow({ dir, name, environment, outcome }: PlannedProject): ProjectRow {
  const { plan, diagnostics, blocked } = outcome;
  const head = { dir, name, environment };
  if (diagnostics.some(({ code }) => code === "LF5001"))
    return { ...head, counts: [], result: "locked", mood: "stopped" };
  if (plan === undefined || hasErrors(diagnostics)) return { ...head, counts: [], result: "failed", mood: "stopped" };
  const { create, update, delete: deleted, replace, import: imported, move, forget, noop } = plan.summary;
  const counts = [create, update, deleted, replace, imported, move, forget, noop];
  if (blocked.length > 0) return { ...head, counts, result: "blocked", mood: "stopped" };
  return isWithoutChanges(plan)
    ? { ...head, counts, result: "unchanged", mood: "done" }
    : { ...head, counts, result: "with changes", mood: "changed" };
}

/** The rows of all projects, and those with more to say: the ones that cannot be applied are first. */
function shownProjects(projects: readonly ToldProject[]) {
  const rows = projects.map(planRow);
  const shown = projects.filter(({ outcome, problems }) => isToShow(outcome) || problems.length > 0);
  const isStopped = new Set(rows.filter(({ mood }) => mood === "stopped").map(({ dir }) => dir));
  const [stopped, others] = [
    shown.filter(({ dir }) => isStopped.has(dir)),
    shown.filter(({ dir }) => !isStopped.has(dir)),
  ];
  const dirs = [...stopped, ...others].map(({ dir }) => dir);
  return { rows, columns: planColumns, always: planColumns.slice(0, 3), dirs };
}
