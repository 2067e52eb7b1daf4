import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ApplyFlags, ApplyOutcome, ApplyUi, PlanOutcome } from "../project.ts";
import { applyProject, applySaved } from "../project.ts";
import type { ExitCode } from "../report/exit-codes.ts";
import type { CommandInput } from "./command.ts";
import { confirmingCommand } from "./confirming-command.ts";
import { exitOfApply } from "./exit-of.ts";
import { planFlags } from "./plan-flags.ts";
import { usageProblem } from "./usage-problem.ts";
import type { ApplyView } from "./views/apply-view.ts";
import { applyView } from "./views/apply-view.ts";
import { reportRefusal } from "./views/report-refusal.ts";
import { cleaned } from "./views/show-plan.ts";
import { worldOf } from "./world-of.ts";

/** `apply` and `destroy`: plan, ask, carry out, report. */
export async function applyChanges(input: CommandInput, isDestroy: boolean): Promise<ExitCode> {
  const { spec, args, cwd, terminal, argv, env, interrupt } = input;
  const [place = "."] = args;
  const isSaved = !isDestroy && (await isFile(resolve(cwd, place)));
  const misplaced = isSaved ? flagsAgainstPlan(input, place) : [];
  if (misplaced.length > 0) return reportRefusal(terminal, argv, misplaced);
  const root = resolve(cwd, isSaved ? "." : place);
  const view = applyView(input, root);
  const asked = { declined: [] as readonly Diagnostic[] };
  const ui: ApplyUi = {
    confirm: (outcome) => confirm(input, { view, outcome, asked }),
    show: view.plan,
    emit: view.event,
    signal: interrupt.signal,
  };
  interrupt.takeOver();
  const ended = await carryOut(input, { place, isSaved, isDestroy, ui });
  const outcome = interrupt.givenUp.aborted && ended.status === "failed" ? givenUp(ended) : ended;
  const cutShort = outcome.status === "interrupted" ? [interrupted(spec.name)] : [];
  const problems = [...outcome.diagnostics, ...(interrupt.code() === undefined ? asked.declined : []), ...cutShort];
  view.end(outcome, cleaned(problems, outcome.plan, env));
  return exitOfApply(outcome.status, interrupt.code());
}

interface Work {
  readonly place: string;
  readonly isSaved: boolean;
  readonly isDestroy: boolean;
  readonly ui: ApplyUi;
}

function carryOut(input: CommandInput, { place, isSaved, isDestroy, ui }: Work): Promise<ApplyOutcome> {
  const { flags } = input;
  const world = { ...worldOf(input), givenUp: input.interrupt.givenUp };
  const applying: ApplyFlags = {
    ...planFlags(input, isSaved ? undefined : place),
    destroy: isDestroy,
    lockTimeoutSecs: flags.lockTimeout ?? 0,
    autoApprove: flags.autoApprove ?? false,
  };
  return isSaved ? applySaved(place, applying, { world, ui }) : applyProject(applying, world, ui);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isFile(),
    () => false,
  );
}

/** A saved plan holds its own choices: asking for others would not be carrying it out exactly. */
function flagsAgainstPlan({ flags }: CommandInput, file: string): readonly Diagnostic[] {
  const given = (["env", "var", "target", "replace", "adopt"] as const).filter((name) => flags[name] !== undefined);
  return given.map((name) =>
    usageProblem(
      `--${name} does not go with a saved plan`,
      `found --${name} beside ${file}, which is applied exactly as it was made; expected it without. Give --${name} to loadform plan`,
    ),
  );
}

interface Question {
  readonly view: ApplyView;
  readonly outcome: PlanOutcome;
  readonly asked: { declined: readonly Diagnostic[] };
}

/** Shows the plan and asks. Where nobody can be asked the answer is no, with the command that would say yes. */
async function confirm(input: CommandInput, { view, outcome, asked }: Question): Promise<boolean> {
  const { terminal, flags, interrupt, spec } = input;
  if (interrupt.signal.aborted) return false;
  view.plan(outcome);
  if (!terminal.canAsk || flags.json) {
    asked.declined = [unconfirmed(input)];
    return false;
  }
  const what = spec.name === "destroy" ? "Delete all of this?" : "Apply these changes?";
  const answer = await terminal.ask(`${what} Only "yes" is taken as a yes: `, interrupt.signal);
  if (answer?.trim() === "yes") return true;
  terminal.err("Not confirmed: nothing was changed.\n");
  return false;
}

function unconfirmed({ spec, argv, flags, terminal, env }: CommandInput): Diagnostic {
  const unasked = !["", "false"].includes(env["CI"] ?? "")
    ? "found $CI set, with which nobody is asked"
    : "found no terminal to ask at";
  const found = flags.json && terminal.canAsk ? "found --json, with which nobody is asked" : unasked;
  return {
    severity: "error",
    code: "LF5006",
    summary: `loadform ${spec.name} was not confirmed`,
    detail: `${found}; expected a yes. Nothing was changed. To confirm, run:\n  ${confirmingCommand(argv)}`,
  };
}

/** What failed because it was given up is no failure of its own. */
function givenUp(outcome: ApplyOutcome): ApplyOutcome {
  return { ...outcome, status: "interrupted" };
}

function interrupted(name: string): Diagnostic {
  const detail =
    "found a signal to stop; what was in flight was waited for, up to 5 s, and saved, the rest was not attempted. Run it again to go on";
  return { severity: "error", code: "LF6005", summary: `loadform ${name} was interrupted`, detail };
}
