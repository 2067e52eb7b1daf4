import { type AppliedProject, applyProjects } from "../../project/several/apply-projects.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import { type Command, planFlags } from "../command.ts";
import { exitOfAll, exitOfApply } from "../exit-of.ts";
import { systemOf } from "../system-of.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { viewOfAll } from "./apply-all-view.ts";
import { chooseFolders } from "./choose-folders.ts";

/** `loadform apply` of several projects: plan all, ask once, apply one after the other. */
export const applyAll: Command = async (input) => {
  const { flags, terminal, argv, interrupt } = input;
  const { dirs, diagnostics } = await chooseFolders(input);
  if (diagnostics.length > 0) return reportRefusal(terminal, argv, diagnostics);
  interrupt.takeOver();
  const view = viewOfAll(input, dirs.length);
  const { dir: _one, ...choices } = planFlags(input, ".");
  const asked = {
    ...{ ...choices, destroy: false, lockTimeoutSecs: flags.lockTimeout ?? 0 },
    ...{ autoApprove: flags.autoApprove ?? false, failFast: flags.failFast ?? false },
  };
  const system = { ...systemOf(input), givenUp: interrupt.givenUp };
  const applied = await applyProjects(dirs, asked, { system, ui: view.ui }).finally(view.stop);
  if (applied.is === "refused") return reportRefusal(terminal, argv, applied.diagnostics);
  view.total(applied.projects);
  return exitOfAll(applied.projects.map((project) => exitOf(project, interrupt.code())));
};

function exitOf(project: AppliedProject, signal: ExitCode | undefined): ExitCode {
  if ("ended" in project) return exitOfApply(project.ended.status, signal);
  return project.became === "not-attempted" ? 0 : exitOfApply(project.became, signal);
}
