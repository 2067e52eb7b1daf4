import { resolve } from "node:path";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import {
  type ApplyFlags,
  type ApplyOutcome,
  type ApplyUi,
  applyProject,
  isEmptyPlan,
} from "../../project/apply-project.ts";
import type { PlanOutcome } from "../../project/plan-opened.ts";
import { applySaved } from "../../project/saved/apply-saved.ts";
import { placeOfDigest } from "../../report/plan-json.ts";
import { shellLine } from "../../report/terminal-text.ts";
import { isFile } from "../../workspace/path-exists.ts";
import { type Command, type CommandInput, choosingFlags, planFlags, typedWords } from "../command.ts";
import { exitOfApply } from "../exit-of.ts";
import { usageProblem } from "../flag-table.ts";
import { drainMs } from "../interrupt.ts";
import { systemOf } from "../system-of.ts";
import { type ApplyView, applyView } from "../views/apply-view.ts";
import { withoutSecrets } from "../views/redact-output.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { documentOf, problemsOf } from "../views/show-plan.ts";

/** `apply` and `destroy`: plan, ask, apply, report. */
export const apply: Command = async (input) => {
  const { spec, args, flags, cwd, terminal, argv, env, interrupt } = input;
  const [place = "."] = args;
  const isSaved = !isDestroy(input) && (await isFile(resolve(cwd, place)));
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
    ...(input.flags.digest !== undefined && { refusal: (outcome: PlanOutcome) => otherThanReviewed(input, outcome) }),
  };
  interrupt.takeOver();
  const malformed = malformedDigest(input);
  const ended: ApplyOutcome = malformed
    ? { status: "stale", diagnostics: [malformed] }
    : await applyRequest(input, isSaved, ui);
  const outcome = interrupt.givenUp.aborted && ended.status === "failed" ? givenUp(ended) : ended;
  const cutShort = outcome.status === "interrupted" ? [interrupted(spec.name)] : [];
  const problems = [...outcome.diagnostics, ...(interrupt.code() === undefined ? asked.declined : []), ...cutShort];
  view.end(outcome, withoutSecrets(problems, outcome.plan, env));
  if (isUncompared(input, outcome))
    terminal.note(`Nothing is left to change, so the digest ${flags.digest} was not compared.\n`);
  return exitOfApply(outcome.status, interrupt.code());
};

function isDestroy({ spec }: CommandInput): boolean {
  return spec.name === "destroy";
}

function applyRequest(input: CommandInput, isSaved: boolean, ui: ApplyUi): Promise<ApplyOutcome> {
  const { flags, args } = input;
  const [place = "."] = args;
  const system = { ...systemOf(input), givenUp: input.interrupt.givenUp };
  const applying: ApplyFlags = {
    ...planFlags(input, isSaved ? undefined : place),
    destroy: isDestroy(input),
    lockTimeoutSecs: flags.lockTimeout ?? 0,
    autoApprove: flags.autoApprove ?? false,
  };
  return isSaved ? applySaved(place, applying, { system, ui }) : applyProject(applying, system, ui);
}

/** A saved plan contains its choices: with others it would not be applied exactly. */
function flagsAgainstPlan({ flags }: CommandInput, file: string): readonly Diagnostic[] {
  const given = (["env", "var", "target", "replace", "adopt", "digest"] as const).filter(
    (name) => flags[name] !== undefined,
  );
  return given.map((name) => {
    const way =
      name === "digest"
        ? `To apply a reviewed plan, omit the file: loadform apply --digest ${flags.digest}`
        : `Give --${name} to loadform plan instead`;
    const detail = `${file} is applied exactly as it was saved. ${way}`;
    return usageProblem(`--${name} cannot be used with a saved plan`, detail);
  });
}

function planningCommand(input: CommandInput): string {
  const destroy = isDestroy(input) ? ["--destroy"] : [];
  return shellLine(["loadform", "plan", ...input.args, ...choosingFlags(input), ...destroy]);
}

function malformedDigest(input: CommandInput): Diagnostic | undefined {
  const { digest } = input.flags;
  if (digest === undefined || placeOfDigest(digest) !== undefined) return undefined;
  const planning = planningCommand(input);
  const where = `\`${planning} --markdown FILE\` prints it with the whole command, \`${planning} --json\` as "digest"`;
  const detail = `--digest ${digest} is not an environment (- for none), a dot and 64 digits of 0 to 9 and a to f. ${where}. Nothing was written`;
  return { severity: "error", code: "LF5008", summary: "--digest is not the digest of a plan", detail };
}

function digestOfPlan(input: CommandInput, outcome: PlanOutcome) {
  return documentOf(outcome, problemsOf(outcome, input.env), systemOf(input))?.["digest"];
}

/** A plan whose digest is not the one that was reviewed. With nothing left to do only the environment is compared. */
function otherThanReviewed(input: CommandInput, outcome: PlanOutcome): Diagnostic | undefined {
  const { digest: reviewed = "" } = input.flags;
  const summary = "the plan is not the one that was reviewed";
  const [was, is] = [placeOfDigest(reviewed), outcome.plan?.environment ?? "-"];
  if (was !== is) {
    const detail = `${reviewed} is the digest of a plan ${inPlace(was)}, and this is ${inPlace(is)}. Nothing was written. The environment is chosen by --env, $LOADFORM_ENV or \`defaultEnvironment\`: use the command that was printed with the digest`;
    return { severity: "error", code: "LF5008", summary, detail };
  }
  const digest = isEmptyPlan(outcome) ? reviewed : digestOfPlan(input, outcome);
  if (digest === reviewed) return undefined;
  const detail = `The digest of the plan is ${digest}, and ${reviewed} was reviewed. Something it depends on has changed since: the files, the service, the environment's variables, or the flags. Nothing was written. Plan again, with the same flags: ${planningCommand(input)}`;
  return { severity: "error", code: "LF5008", summary, detail };
}

function inPlace(place: string | undefined): string {
  return place === "-" ? "without an environment" : `of the environment ${place}`;
}

/** Nothing is left to do, so it does not matter which plan was reviewed. */
function isUncompared(input: CommandInput, { status, plan }: ApplyOutcome): boolean {
  const { digest } = input.flags;
  return digest !== undefined && status === "nothing" && plan !== undefined && digestOfPlan(input, plan) !== digest;
}

/** Shows the plan and asks. Without a terminal the answer is no, with the command that would confirm. */
async function confirm(
  input: CommandInput,
  of: { readonly view: ApplyView; readonly outcome: PlanOutcome; readonly asked: { declined: readonly Diagnostic[] } },
): Promise<boolean> {
  const { view, outcome, asked } = of;
  const { terminal, flags, interrupt } = input;
  if (interrupt.signal.aborted) return false;
  view.plan(outcome);
  if (!terminal.canAsk || flags.json) {
    asked.declined = [unconfirmed(input)];
    return false;
  }
  const what = isDestroy(input) ? "Delete all of this?" : "Apply these changes?";
  const answer = await terminal.ask(`${what} [y/N] `, interrupt.signal);
  if (/^y(es)?$/i.test(answer?.trim() ?? "")) return true;
  terminal.err("Not confirmed: nothing was changed.\n");
  return false;
}

export function unconfirmed({ spec, argv, flags, terminal, env }: CommandInput): Diagnostic {
  const unasked = !["", "false"].includes(env["CI"] ?? "")
    ? "$CI is set, so loadform did not ask"
    : "There is no terminal to ask at";
  const why = flags.json && terminal.canAsk ? "With --json, loadform does not ask" : unasked;
  const detail = `${why}. Nothing was changed. To confirm, run:\n  ${confirmingCommand(typedWords({ argv, flags, env }))}`;
  return errorOf("LF5006", `loadform ${spec.name} was not confirmed`, detail);
}

/** A failure that follows from giving up is no failure of its own. */
export function givenUp(outcome: ApplyOutcome): ApplyOutcome {
  return { ...outcome, status: "interrupted" };
}

export function interrupted(name: string): Diagnostic {
  const detail = `A signal stopped it. Requests in flight were given ${drainMs / 1000} s and saved; the rest was not attempted. Run it again to continue`;
  return { severity: "error", code: "LF6005", summary: `loadform ${name} was interrupted`, detail };
}

/** The command line that does the same without asking, ready to be pasted into a shell. */
export function confirmingCommand(argv: readonly string[]): string {
  const end = argv.indexOf("--");
  const cut = end < 0 ? argv.length : end;
  return shellLine(["loadform", ...argv.slice(0, cut), "--auto-approve", ...argv.slice(cut)]);
}
