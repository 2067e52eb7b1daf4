import { resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { DriftOutcome } from "../../project.ts";
import { driftProject } from "../../project.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import type { Command, CommandInput } from "../command.ts";
import { projectFlags } from "../command.ts";
import { anyError } from "../exit-of.ts";
import { saveFile } from "../save-file.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { driftDocumentOf, driftMarkdownOf, showDrift } from "../views/show-drift.ts";
import { cleaned } from "../views/show-plan.ts";
import { worldOf } from "../world-of.ts";

/** `loadform drift`: live against last applied and declared. Exit 1 outranks 3, which outranks 2. */
export const drift: Command = async (input) => {
  const { flags, terminal, args, cwd, env } = input;
  const [dir] = args;
  const world = worldOf(input);
  const waiting = startWaiting(terminal, "reading the service");
  const asked = {
    ...projectFlags(input, dir),
    showUnmanaged: flags.showUnmanaged ?? false,
    accept: flags.accept ?? [],
    takeOver: input.interrupt.takeOver,
  };
  const outcome = await driftProject(asked, world).finally(waiting.stop);
  const problems = cleaned([...outcome.diagnostics, ...outcome.blocked], outcome.planned, env);
  const unsaved = await save(input, outcome, problems);
  const all = [...problems, ...unsaved];
  if (flags.json) printJson(terminal, withDiagnostics(driftDocumentOf(outcome, world.now()) ?? {}, all));
  else {
    if (!anyError(problems)) showDrift(input, outcome);
    printDiagnostics(terminal, all, resolve(cwd, dir ?? "."));
  }
  return anyError(unsaved) ? 1 : exitOfDrift(outcome);
};

/** Writes the report for a nightly job, also when nothing could be compared: it says why. */
async function save(
  input: CommandInput,
  outcome: DriftOutcome,
  problems: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const { cwd, flags } = input;
  if (flags.markdown === undefined) return [];
  const text = driftMarkdownOf(input, outcome, problems);
  return saveFile({ what: "the report", file: flags.markdown, cwd }, text);
}

/** What only the project changed is no drift. */
function exitOfDrift({ drift: found, diagnostics, blocked }: DriftOutcome): ExitCode {
  if (diagnostics.some(({ code }) => code === "LF5001")) return 4;
  if (found === undefined || anyError(diagnostics)) return 1;
  if (blocked.length > 0) return 3;
  return found.drifted.length > 0 ? 2 : 0;
}
