import { resolve } from "node:path";
import { expandProject } from "../../project/modules/yaml-project.ts";
import { type Command, projectFlags } from "../command.ts";
import { systemOf } from "../system-of.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { withoutSecrets } from "../views/redact-output.ts";

/** `loadform expand`: the project without modules, defaults and variables, as one YAML document. */
export const expand: Command = async (input) => {
  const { terminal, args, env, cwd } = input;
  const [dir] = args;
  const { text, diagnostics } = await expandProject(projectFlags(input, dir), systemOf(input));
  printDiagnostics(terminal, withoutSecrets(diagnostics, undefined, env), resolve(cwd, dir ?? "."));
  if (text === undefined) return 1;
  terminal.out(text);
  return 0;
};
