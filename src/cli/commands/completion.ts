import { explainableCodes } from "../../report/explain-text.ts";
import type { Command } from "../command.ts";
import { commandTable } from "../command-table.ts";
import { bashCompletion } from "../completion/bash-completion.ts";
import { type CompletedCommand, completionModel } from "../completion/completion-model.ts";
import { fishCompletion } from "../completion/fish-completion.ts";
import { zshCompletion } from "../completion/zsh-completion.ts";
import { usageProblem } from "../flag-table.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { schemaNames } from "./schema.ts";

const shells: Readonly<Record<string, (model: readonly CompletedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** `loadform completion`: a script for a shell, to be sourced. */
export const completion: Command = async ({ args, argv, home, terminal }) => {
  const [shell = ""] = args;
  const known = Object.keys(shells);
  const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (write === undefined) {
    const detail = `${JSON.stringify(shell)} is not one of ${known.join(", ")}, as in: source <(loadform completion bash)`;
    return reportRefusal(terminal, argv, [usageProblem("there are no completions for this shell", detail)]);
  }
  const vocabulary = { shell: known, kind: schemaNames(home), code: explainableCodes() };
  terminal.out(write(completionModel(commandTable, vocabulary)));
  return 0;
};
