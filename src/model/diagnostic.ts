import type { Code } from "./codes.ts";

/** A place in a file of the project; line and column count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A problem as a value: what was found, what was expected, what to do. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly code: Code;
  /** One line. */
  readonly summary: string;
  /** What was found, what was expected, what to do. */
  readonly detail: string;
  readonly address?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Where a value of an object stands in the user's files; `path` leads from the object into its fields. */
export type Locate = (address: string, path?: readonly (string | number)[]) => Position | undefined;

/** Whether any of the problems is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** Problems in reading order: by file, line, column, then code. */
export function inReadingOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (left, right) =>
      compare(left.file ?? "", right.file ?? "") ||
      (left.line ?? 0) - (right.line ?? 0) ||
      (left.column ?? 0) - (right.column ?? 0) ||
      compare(left.code, right.code),
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
