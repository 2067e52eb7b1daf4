import type { Diagnostic } from "../../model/diagnostic.ts";
import { changeSummaryJson, diagnosticEventJson, nothingDone } from "../../report/events-json.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import type { Terminal } from "../terminal.ts";
import { printJson, printJsonLine, withDiagnostics } from "./json-output.ts";
import { printDiagnostics } from "./print-diagnostics.ts";

/** Says why a command did not even start, in the form that was asked for. */
export function reportRefusal(
  terminal: Terminal,
  argv: readonly string[],
  diagnostics: readonly Diagnostic[],
): ExitCode {
  if (!argv.includes("--json")) printDiagnostics(terminal, diagnostics, ".");
  else if (argv[0] === "apply" || argv[0] === "destroy") printEvents(terminal, diagnostics);
  else printJson(terminal, withDiagnostics({}, diagnostics));
  return 1;
}

/** apply prints one object per line, and its last line is always the summary. */
function printEvents(terminal: Terminal, diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) printJsonLine(terminal, diagnosticEventJson(diagnostic));
  printJsonLine(terminal, changeSummaryJson(nothingDone));
}
