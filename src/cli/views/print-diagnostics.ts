import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type Diagnostic, unlessThrown } from "../../model/diagnostic.ts";
import {
  annotationText,
  type DiagnosticStyle,
  diagnosticText,
  problemCounts,
  withoutSecretLines,
} from "../../report/diagnostic-text.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Prints problems to stderr, each with its line of the project's files, and how many there are; in a job of GitHub Actions
 * once more each, as the annotation of a file of the checkout.
 */
export function printDiagnostics(terminal: Terminal, diagnostics: readonly Diagnostic[], root: string): void {
  if (diagnostics.length === 0) return;
  const lineOf = linesToShow(diagnostics, root);
  const style = { palette: terminal.errPalette, lineOf, width: Math.min(terminal.width, 120) };
  for (const diagnostic of diagnostics) terminal.err(`${diagnosticText(diagnostic, style)}\n\n`);
  if (diagnostics.length > 1) terminal.err(`${problemCounts(diagnostics)}\n`);
  const { checkout } = terminal;
  if (checkout === undefined) return;
  const within = (file: string) => relative(checkout, resolve(root, file));
  // A job that only validates has no secrets: that they are not set is said of no line of a pull request.
  const annotated = diagnostics.filter(({ code, severity }) => code !== "LF1303" || severity === "error");
  for (const diagnostic of annotated) terminal.err(`${annotationText(diagnostic, within)}\n`);
}

/** Lines of the project's files that may be shown with these problems. */
export function linesToShow(diagnostics: readonly Diagnostic[], root: string): DiagnosticStyle["lineOf"] {
  return withoutSecretLines(diagnostics, sourceLines(root));
}

/** Lines of files below a folder; every file is read once. */
function sourceLines(root: string): (file: string, line: number) => string | undefined {
  const files = new Map<string, readonly string[]>();
  return (file, line) => {
    const lines = files.get(file) ?? linesOf(resolve(root, file));
    files.set(file, lines);
    return lines[line - 1];
  };
}

function linesOf(path: string): readonly string[] {
  const text = unlessThrown(() => readFileSync(path, "utf8"));
  return text?.replace(/^\uFEFF/, "").split(/\r?\n/) ?? [];
}
