import { resolve } from "node:path";
import { hasErrors } from "../../model/diagnostic.ts";
import { validateProject } from "../../project/open-project.ts";
import { cleanLine, counted } from "../../report/terminal-text.ts";
import { type Command, projectFlags } from "../command.ts";
import { exitOfValidate } from "../exit-of.ts";
import { systemOf } from "../system-of.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { withoutSecrets } from "../views/redact-output.ts";

/** `loadform validate`: all offline checks, without credentials. */
export const validate: Command = async (input) => {
  const { terminal, flags, args, env, cwd } = input;
  const [dir] = args;
  const outcome = await validateProject(projectFlags(input, dir), systemOf(input));
  const diagnostics = withoutSecrets([...outcome.diagnostics, ...outcome.blocked], undefined, env);
  const { project, objects } = outcome;
  const isValid = !hasErrors(diagnostics);
  if (flags.json) {
    printJson(terminal, withDiagnostics({ valid: isValid, ...(project && { project }), objects }, diagnostics));
  } else {
    printDiagnostics(terminal, diagnostics, resolve(cwd, dir ?? "."));
    // The number of warnings is reported with them.
    const verdict = diagnostics.length === 0 ? "no problems" : "no errors";
    if (isValid) terminal.out(`${cleanLine(project ?? dir ?? ".")}: ${counted(objects, "object")}, ${verdict}.\n`);
  }
  return exitOfValidate(outcome);
};
