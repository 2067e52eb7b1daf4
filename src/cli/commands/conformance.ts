import { resolve } from "node:path";
import { conformanceProject } from "../../project/conformance/conformance-project.ts";
import { conformanceDocument, conformanceText } from "../../report/conformance-text.ts";
import { type Command, projectFlags } from "../command.ts";
import { systemOf } from "../system-of.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { withoutSecrets } from "../views/redact-output.ts";

/** `loadform conformance`: a service's answers compared with the bundled one's; exit 2 where they differ. */
export const conformance: Command = async (input) => {
  const { terminal, flags, args, env, cwd } = input;
  const [dir] = args;
  const { compared: report, diagnostics: found } = await conformanceProject(projectFlags(input, dir), systemOf(input));
  const diagnostics = withoutSecrets(found, undefined, env);
  if (flags.json) printJson(terminal, withDiagnostics(report ? conformanceDocument(report) : {}, diagnostics));
  printDiagnostics(terminal, diagnostics, resolve(cwd, dir ?? "."));
  if (report === undefined) return 1;
  if (!flags.json) terminal.out(conformanceText(report));
  return report.findings.length > 0 ? 2 : 0;
};
