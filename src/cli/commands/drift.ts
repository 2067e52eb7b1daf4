import { resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import type { DriftOutcome } from "../../project/drift-project.ts";
import { driftProject } from "../../project/drift-project.ts";
import type { Command, CommandInput } from "../command.ts";
import { projectFlags } from "../command.ts";
import { exitOfDrift } from "../exit-of.ts";
import { saveFile } from "../save-file.ts";
import { systemOf } from "../system-of.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { withoutSecrets } from "../views/redact-output.ts";
import { driftDocumentOf, driftMarkdownOf, showDrift } from "../views/show-drift.ts";

/** `loadform drift`: live against last applied and declared. Exit 1 outranks 3, which outranks 2. */
export const drift: Command = async (input) => {
  const { flags, terminal, args, cwd, env } = input;
  const [dir] = args;
  const system = systemOf(input);
  const waiting = startWaiting(terminal, "reading the service");
  const asked = {
    ...projectFlags(input, dir),
    showUnmanaged: flags.showUnmanaged ?? false,
    failOnUnmanaged: flags.failOnUnmanaged ?? false,
    accept: flags.accept ?? [],
    takeOver: input.interrupt.takeOver,
  };
  const outcome = await driftProject(asked, system).finally(waiting.stop);
  const problems = withoutSecrets([...outcome.diagnostics, ...outcome.blocked], outcome.planned, env);
  const unsaved = await saveReport(input, outcome, problems);
  const all = [...problems, ...unsaved];
  if (flags.json) printJson(terminal, withDiagnostics(driftDocumentOf(outcome, system.now()) ?? {}, all));
  else {
    if (!hasErrors(problems)) showDrift(input, outcome);
    printDiagnostics(terminal, all, resolve(cwd, dir ?? "."));
  }
  return hasErrors(unsaved) ? 1 : exitOfDrift(outcome);
};

/** Writes the report for a nightly job, also when nothing could be compared: it says why. */
async function saveReport(
  input: CommandInput,
  outcome: DriftOutcome,
  problems: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const { cwd, flags } = input;
  if (flags.markdown === undefined) return [];
  const text = driftMarkdownOf(input, outcome, problems);
  return saveFile({ what: "the report", file: flags.markdown, cwd }, text);
}
