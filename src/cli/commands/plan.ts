import { resolve } from "node:path";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { GuardHit } from "../../plan/plan.ts";
import type { PlanOutcome } from "../../project/plan-opened.ts";
import { planProject } from "../../project/plan-project.ts";
import { shellLine } from "../../report/terminal-text.ts";
import { type Command, type CommandInput, planFlags } from "../command.ts";
import { exitOfPlan } from "../exit-of.ts";
import { usageProblem } from "../flag-table.ts";
import { saveFile, saveReports } from "../save-file.ts";
import { systemOf } from "../system-of.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { documentOf, type PlannedReport, problemsOf, shownDocument, showPlan } from "../views/show-plan.ts";

/**
 * `loadform plan`: shows, and saves with --out, what apply would do. Exit 1 outranks 3, which outranks 2. What a remembered plan does
 * not need is loaded where it is used: this file and its imports are a script of their own.
 */
export const plan: Command = async (input) => {
  const { flags, terminal, args, argv, env, cwd } = input;
  const [dir] = args;
  const refused = againstProblems(flags);
  if (refused.length > 0) return reportRefusal(terminal, argv, refused);
  const system = systemOf(input);
  const waiting = startWaiting(terminal, "reading the service");
  const asked = { ...planFlags(input, dir), answerOnly: flags.out === undefined && flags.html === undefined };
  const { against } = flags;
  const planning =
    against === undefined
      ? planProject(asked, system)
      : import("../../project/snapshots/plan-against.ts").then((way) => way.planAgainst(against, asked, system));
  const outcome = await planning.finally(waiting.stop);
  const problems = problemsOf(outcome, env);
  const isWritten = flags.json || [flags.out, flags.markdown, flags.html].some((file) => file !== undefined);
  const document = isWritten ? documentOf(outcome, problems, system) : undefined;
  const made = { outcome, document, problems };
  const notSaved = await savePlan(input, made);
  const told = { ...made, problems: [...notSaved, ...problems] };
  // Also when there is no plan: they say why.
  const reports = await saveReports(input, {
    markdown: async () => (await import("../views/plan-reports.ts")).markdownOf(input, told),
    page: async () => (await import("../pages/plan-pages.ts")).planPage(input, told, system),
  });
  const unsaved = [...notSaved, ...reports];
  const all = [...problems, ...unsaved];
  if (flags.json) printJson(terminal, withDiagnostics(shownDocument(document, outcome), all));
  else printPlan(input, outcome, { problems: all, root: resolve(cwd, dir ?? ".") });
  return hasErrors(unsaved) ? 1 : exitOfPlan(outcome, flags.detailedExitcode === true);
};

/** A snapshot has too little to be applied from, and to tell equal objects. */
function againstProblems({ against, out, adopt }: CommandInput["flags"]): readonly Diagnostic[] {
  if (against === undefined) return [];
  const refuse = (flag: string, why: string) =>
    usageProblem(`--against does not go with ${flag}`, `${why}. Leave out one of the two`);
  return [
    ...(out === undefined
      ? []
      : [refuse("--out", "A saved plan is applied as it is, and a snapshot may be out of date")]),
    ...(adopt === "exact" ? [refuse("--adopt exact", "A snapshot does not have the values of unbound objects")] : []),
  ];
}

function printPlan(
  { terminal, flags }: CommandInput,
  outcome: PlanOutcome,
  { problems, root }: { readonly problems: readonly Diagnostic[]; readonly root: string },
): void {
  const isWrong = hasErrors(outcome.diagnostics);
  if (!isWrong) showPlan(terminal, outcome);
  printDiagnostics(terminal, problems, root);
  if (!isWrong && outcome.blocked.length > 0)
    terminal.err(`${terminal.errPalette.bold("Blocked:")} none of this plan can be applied.\n`);
  if (!isWrong && flags.out !== undefined && outcome.plan && !problems.some(({ code }) => notSaved.has(code)))
    terminal.note(`${savedWords(flags.out, outcome)}\n`);
}

/** That the plan is saved, and the command that applies it: where guards block it, with the flags that let it through. */
function savedWords(file: string, { plan, blocked }: PlanOutcome): string {
  const command = shellLine(["loadform", "apply", file]);
  if (blocked.length === 0) return `Saved the plan. To apply exactly this: ${command}`;
  const guards = plan?.guards ?? [];
  const flags = guards.map(passingFlag);
  return flags.includes(undefined) || blocked.length > guards.length
    ? "Saved the plan, but it is blocked, and no flag overrides every guard: change what the messages above say, then plan again."
    : `Saved the plan, but it is blocked. To allow what the messages above name: ${[command, ...new Set(flags)].join(" ")}`;
}

function passingFlag({ guard, diagnostic: { address } }: GuardHit): string | undefined {
  if (guard === "threshold" || guard === "gone") return "--force-threshold";
  const isLost = (guard === "history" || guard === "inUse") && address !== undefined;
  return isLost ? shellLine(["--allow-destroy", address]) : undefined;
}

/** Why a plan is not saved: its file cannot be written, or would contain a secret. */
const notSaved: ReadonlySet<string> = new Set(["LF1002", "LF1203"]);

async function savePlan(input: CommandInput, made: PlannedReport): Promise<readonly Diagnostic[]> {
  const { cwd, flags } = input;
  if (flags.out === undefined) return [];
  const { packPage, planPage } = await import("../pages/plan-pages.ts");
  const { planToSave } = await import("../views/plan-reports.ts");
  const { problems, text } = planToSave(input, made, () => packPage(planPage(input, made, systemOf(input))));
  return text === undefined ? problems : saveFile({ what: "the plan", file: flags.out, cwd }, text);
}
