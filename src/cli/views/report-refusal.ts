import type { Diagnostic } from "../../model/diagnostic.ts";
import { redactSecrets } from "../../project/known-secrets.ts";
import { changeSummaryJson, diagnosticEventJson, nothingDone } from "../../report/events-json.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import type { CommandInput } from "../command.ts";
import { lastLines, leftLocked } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import { printJson, printJsonLine, withDiagnostics } from "./json-output.ts";
import { printDiagnostics } from "./print-diagnostics.ts";

/** Says why a command did not even start, in the form that was asked for. */
export function reportRefusal(terminal: Terminal, argv: readonly string[], problems: readonly Diagnostic[]): ExitCode {
  if (!argv.includes("--json")) printDiagnostics(terminal, problems, ".");
  else if (isOfLines(argv)) printEvents(terminal, problems);
  else printJson(terminal, withDiagnostics({}, problems));
  return 1;
}

/**
 * A terminal with which an interrupt, too, leaves one JSON document on stdout: where the command has not written its own, one that says so.
 * Lines of apply without their summary get one that says so; what was done before is in them.
 */
export function withInterruptDocument({ terminal, argv, spec, interrupt }: CommandInput): Terminal {
  let written: string | undefined;
  interrupt.lastWords((isCutOff, left) => {
    const detail = "A signal ended it before it had a result: run it again";
    const summary = `loadform ${spec.name} was interrupted`;
    const locks = left.map(
      (each) => ({ severity: "warning", code: "LF5001", summary: leftLocked, detail: each }) as const,
    );
    const diagnostics = [{ severity: "error", code: "LF6005", summary, detail } as const, ...locks];
    terminal.err(lastLines(spec.name, isCutOff, left));
    if (written === undefined) reportRefusal(terminal, argv, diagnostics);
    else if (isOfLines(argv) && !written.includes(summaryType))
      for (const each of diagnostics) printJsonLine(terminal, diagnosticEventJson(each));
    written = summaryType;
  });
  const out = (text: string) => {
    written = text;
    terminal.out(text);
  };
  return { ...terminal, out };
}

const summaryType = '"type":"change_summary"';

function isOfLines([command]: readonly string[]): boolean {
  return command === "apply" || command === "destroy";
}

/** apply prints one object per line, and its last line is always the summary. */
function printEvents(terminal: Terminal, diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) printJsonLine(terminal, diagnosticEventJson(diagnostic));
  printJsonLine(terminal, changeSummaryJson(nothingDone));
}

/** Reports something that no command expected. The stack is shown with LOADFORM_LOG=debug only. */
export function reportDefect({ terminal, argv, env, log, spec }: CommandInput, thrown: unknown): ExitCode {
  const redact = redactSecrets(env);
  const words = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const { code, summary, detail } = refusedByDisk(spec.name, thrown) ?? defect(spec.name, words);
  if (log && thrown instanceof Error) log(redact(thrown.stack ?? words));
  return reportRefusal(terminal, argv, [{ severity: "error", code, summary, detail: redact(detail) }]);
}

type Told = Pick<Diagnostic, "code" | "summary" | "detail">;

function defect(command: string, words: string): Told {
  return {
    code: "LF9002",
    summary: `loadform ${command} failed because of a defect in loadform`,
    detail: `${words}. Please report it with the output of: LOADFORM_LOG=debug loadform ${command}`,
  };
}

/** Refusals of an open file, whose errors do not have its path. */
const ofOpenFiles: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);

/** Refusals by the disk are no defects: no room, no right, a file where a folder was meant. */
function refusedByDisk(command: string, thrown: unknown): Told | undefined {
  if (!(thrown instanceof Error && "syscall" in thrown)) return undefined;
  if (!("path" in thrown) && !ofOpenFiles.has(String((thrown as NodeJS.ErrnoException).code))) return undefined;
  return {
    code: "LF1002",
    summary: `loadform ${command} cannot use a file`,
    detail: `${thrown.message}. Check that the disk has space, and that you can read and write the files and folders`,
  };
}
