import type { Code } from "./codes.ts";
import { byText, type Json } from "./json.ts";
import type { Redact } from "./redact.ts";

/** A place in a file of the project; line and column count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** In a module: the uses that led there, the innermost first. */
  readonly used?: readonly Position[];
}

/** A problem as a value: the finding, the expectation, and the advice. */
export interface Diagnostic {
  /** An error stops the command, a warning does not. */
  readonly severity: "error" | "warning";
  /** `LF1102`; docs/messages.md has all. */
  readonly code: Code;
  /** One line. */
  readonly summary: string;
  /** The finding, the expectation, and the advice. */
  readonly detail: string;
  /** The object with the problem. */
  readonly address?: string;
  /** Relative to the project folder. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1. */
  readonly column?: number;
  /** In a module: the uses that led there, the innermost first. */
  readonly used?: readonly Position[];
  /** The correction that editors offer; for people it is part of `detail`. */
  readonly suggestion?: Suggestion;
  /** A field that the object at this place lacks, with a value to begin with, which editors offer to add. */
  readonly missing?: { readonly name: string; readonly value: Json };
}

/** A word at the place of a problem, and the one that was most likely meant. */
export interface Suggestion {
  readonly found: string;
  readonly instead: string;
}

/** Where a value of an object is in the user's files; `path` leads from the object into its fields. */
export type Locate = (address: string, path?: readonly (string | number)[]) => Position | undefined;

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** Problems in reading order: by file, line, column, then code. */
export function inReadingOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (left, right) =>
      byText(left.file ?? "", right.file ?? "") ||
      (left.line ?? 0) - (right.line ?? 0) ||
      (left.column ?? 0) - (right.column ?? 0) ||
      byText(left.code, right.code),
  );
}

/** An expected problem on its way to the user; everything else that is thrown is a defect. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ summary }) => summary).join("; "));
    this.diagnostics = diagnostics;
  }
  /** The problem at a place of a file. */
  at(place: Position): Problem {
    return new Problem(this.diagnostics.map((each) => ({ ...each, ...place })));
  }
}

/** An error that is at no place in the files. */
export function errorOf(code: Code, summary: string, detail: string): Diagnostic {
  return { severity: "error", code, summary, detail };
}

/** A warning that is at no place in the files. */
export function warningOf(code: Code, summary: string, detail: string): Diagnostic {
  return { severity: "warning", code, summary, detail };
}

/** A problem of one sentence and its way out. */
export function problem(code: Code, summary: string, detail: string): Problem {
  return new Problem([errorOf(code, summary, detail)]);
}

/** A place in brackets, for the end of a phrase; nothing where there is none. */
export function placeSuffix(at: Position | undefined): string {
  return at === undefined ? "" : ` (${at.file}:${at.line})`;
}

/** The words of whatever was thrown. */
export function thrownWords(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === "object" ? (unlessThrown(() => JSON.stringify(thrown)) ?? "an object") : String(thrown);
}

/** The result of some work; undefined where it throws. */
export function unlessThrown<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The detail for every value of a wrong form: its own form, and the one it must have. */
export function wrongValue(found: string, wanted: string): string {
  return `The value is ${found}; it must be ${wanted}`;
}

/** The name of a DeclarationError: a program may come with its own copy of loadform, so its class does not tell. */
export const declarationError = "DeclarationError";

/** A refusal by the constructs of a program, as a complete sentence; any other error is the program's own. */
export class DeclarationError extends Error {
  override readonly name = declarationError;
}

/** A path into the merged project document. */
export type DocumentPath = readonly (string | number)[];

/** The place of a problem in a document: a value, or its key. */
export interface DocumentPlace {
  readonly path: DocumentPath;
  readonly at: "key" | "value";
  /** Column within a text value, from 1. */
  readonly within?: number;
}

/** A problem without secrets: a message of the service may repeat the request. */
export function redactDiagnostic(diagnostic: Diagnostic, redact: Redact): Diagnostic {
  const [summary, detail] = [redact(diagnostic.summary), redact(diagnostic.detail)];
  const isClean = summary === diagnostic.summary && detail === diagnostic.detail;
  const { suggestion: _, ...rest } = diagnostic;
  return isClean ? diagnostic : { ...rest, summary, detail };
}
