import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Redact } from "../../model/redact.ts";
import { type ApplyOutcome, endsEarly, isEmptyPlan } from "../../project/apply-project.ts";
import type { AppliedProject, ApplyAllUi } from "../../project/several/apply-projects.ts";
import type { PlannedProject } from "../../project/several/plan-projects.ts";
import { changeSummaryJson, diagnosticEventJson } from "../../report/events-json.ts";
import { counted } from "../../report/terminal-text.ts";
import type { CommandInput } from "../command.ts";
import { givenUp, interrupted, unconfirmed } from "../commands/apply.ts";
import { applyView } from "../views/apply-view.ts";
import { printJsonLine } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { withoutSecrets } from "../views/redact-output.ts";
import { problemsOf } from "../views/show-plan.ts";
import { appliedTable, countsOf, totalOf } from "./applied-rows.ts";
import { oneOfSeveral } from "./one-of-several.ts";
import { printPlans } from "./plan-all.ts";
import { problemPrinter, projectHeading, redactAll, redactedTerminal, within } from "./project-output.ts";

/** The output of an apply of several projects, for a person or as lines of JSON. */
export function viewOfAll(input: CommandInput, count: number) {
  const { terminal, flags, env, cwd, interrupt, spec } = input;
  const waiting = startWaiting(terminal, `planning ${count} projects`);
  let redact: Redact = redactAll(env, []);
  let clean = terminal;
  const declined: Diagnostic[] = [];
  const viewOf = (project: PlannedProject, isShown: boolean) => {
    const { dir, outcome } = project;
    const one = { members: membersOf(project), redact, shown: isShown ? outcome : undefined };
    return applyView({ ...oneOfSeveral(input, dir), terminal: flags.json ? terminal : clean }, cwd, one);
  };
  const views = new Map<string, ReturnType<typeof viewOf>>();
  const end = (project: PlannedProject, ended: ApplyOutcome) => {
    const given = interrupt.givenUp.aborted && ended.status === "failed" ? givenUp(ended) : ended;
    const cutShort = given.status === "interrupted" ? [interrupted(spec.name)] : [];
    const problems = withoutSecrets([...given.diagnostics, ...cutShort], given.plan ?? project.outcome, env);
    const view = views.get(project.dir) ?? viewOf(project, false);
    view.end(given, flags.json ? problems : problems.map((each) => within(project.dir, each)));
  };
  const ui: ApplyAllUi = {
    signal: interrupt.signal,
    async review(projects) {
      waiting.stop();
      redact = redactAll(
        env,
        projects.map(({ project }) => project),
      );
      clean = redactedTerminal(terminal, redact);
      return review({ ...input, terminal: clean }, projects, declined);
    },
    begin(project) {
      if (!flags.json) clean.out(`\n${clean.outPalette.bold(projectHeading(project))}\n`);
      const view = viewOf(project, flags.autoApprove !== true);
      views.set(project.dir, view);
      return { show: view.plan, emit: view.event };
    },
    end,
  };
  return {
    ui,
    stop: waiting.stop,
    total(projects: readonly AppliedProject[]) {
      if (flags.json) return printTotal(input, projects, { declined, views, ui });
      clean.out(`\n${appliedTable(projects, clean.outPalette)}`);
      if (interrupt.code() === undefined) printDiagnostics(clean, declined, cwd);
    },
  };
}

function membersOf({ dir, name }: PlannedProject) {
  return { project: name ?? dir, dir };
}

/** Shows what is left out, or all plans, and asks where there is something to ask about. */
async function review(
  input: CommandInput,
  projects: readonly PlannedProject[],
  declined: Diagnostic[],
): Promise<boolean> {
  const { terminal, flags, env, cwd, interrupt } = input;
  const told = projects.map((each) => ({ ...each, problems: problemsOf(each.outcome, env) }));
  const changing = projects.filter(({ outcome }) => endsEarly(outcome) === undefined && !isEmptyPlan(outcome));
  const isStopped = flags.failFast === true && projects.some(({ outcome }) => endsEarly(outcome) !== undefined);
  const isAsked = changing.length > 0 && flags.autoApprove !== true && !isStopped;
  if (!flags.json && isAsked) printPlans(terminal, told, { cwd });
  else if (!flags.json) {
    const printProblems = problemPrinter(terminal, cwd);
    for (const each of told) if (endsEarly(each.outcome)) printProblems(each, each.problems);
  }
  if (!isAsked) return true;
  if (!terminal.canAsk || flags.json) {
    declined.push(unconfirmed(input));
    return false;
  }
  const question = `Apply these changes to ${counted(changing.length, "project")}? [y/N] `;
  const answer = await terminal.ask(question, interrupt.signal);
  if (/^y(es)?$/i.test(answer?.trim() ?? "")) return true;
  terminal.err("Not confirmed: nothing was changed.\n");
  return false;
}

/** The lines of the projects of which nothing was begun, and the total. */
function printTotal(
  { terminal }: CommandInput,
  projects: readonly AppliedProject[],
  {
    declined,
    views,
    ui,
  }: {
    readonly declined: readonly Diagnostic[];
    readonly views: ReadonlyMap<string, unknown>;
    readonly ui: ApplyAllUi;
  },
): void {
  for (const project of projects.filter(({ dir }) => !views.has(dir))) {
    const { outcome, became } = project;
    const { diagnostics } = outcome;
    if (became === "declined") ui.begin(project).show(outcome);
    const ended = "ended" in project ? project.ended : { status: "declined" as const, plan: outcome, diagnostics };
    ui.end(project, { ...ended, counts: countsOf(project) });
  }
  for (const diagnostic of declined) printJsonLine(terminal, diagnosticEventJson(diagnostic));
  printJsonLine(terminal, changeSummaryJson(totalOf(projects)));
}
