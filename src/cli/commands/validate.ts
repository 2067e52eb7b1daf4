import { resolve } from "node:path";
import { validateProject } from "../../project.ts";
import { counted } from "../../report/clean-text.ts";
import { problemCounts } from "../../report/diagnostic-text.ts";
import type { Command } from "../command.ts";
import { projectFlags } from "../command.ts";
import { anyError } from "../exit-of.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { cleaned } from "../views/show-plan.ts";
import { worldOf } from "../world-of.ts";

/** `loadform validate`: all offline checks, without credentials. */
export const validate: Command = async (input) => {
  const { terminal, flags, args, env, cwd } = input;
  const [dir] = args;
  const outcome = await validateProject(projectFlags(input, dir), worldOf(input));
  const diagnostics = cleaned(outcome.diagnostics, undefined, env);
  const { project, objects } = outcome;
  const isValid = !anyError(diagnostics);
  if (flags.json) {
    const head = { valid: isValid, ...(project ? { project } : {}), objects };
    printJson(terminal, withDiagnostics(head, diagnostics));
  } else {
    printDiagnostics(terminal, diagnostics, resolve(cwd, dir ?? "."));
    const counts = problemCounts(diagnostics);
    const verdict = counts === "" ? "no problems" : counts;
    if (isValid) terminal.out(`${project ?? dir ?? "."}: ${counted(objects, "object")}, ${verdict}.\n`);
  }
  return isValid ? 0 : 1;
};
