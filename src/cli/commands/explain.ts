import { wrapped } from "../../report/diagnostic-text.ts";
import { explain, nearCode } from "../../report/explain-text.ts";
import type { Command } from "../command.ts";
import { usageProblem } from "../flag-table.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";

/** `loadform explain`: a diagnostic or exit code in a paragraph. */
export const explainCode: Command = async ({ terminal, args, cwd }) => {
  const [word = ""] = args;
  const found = explain(word);
  if (found === undefined) {
    const detail = `${JSON.stringify(word)} is neither a code like LF3001 nor an exit code like 6.${nearCode(word)}`;
    printDiagnostics(terminal, [usageProblem("there is no such code", detail)], cwd);
    return 1;
  }
  const { code, title, text } = found;
  const head = title.endsWith(code) ? title : `${code}: ${title}`;
  terminal.out(`${terminal.outPalette.bold(head)}\n\n${wrapped(text, Math.min(terminal.width, 80)).join("\n")}\n`);
  return 0;
};
