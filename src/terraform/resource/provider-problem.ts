import { Problem } from "../../model/diagnostic.ts";
import {
  explainServiceError,
  IncompleteAnswer,
  refusedWrite,
  ServiceError,
  UnresolvedAnswer,
} from "../../model/service-error.ts";
import type { Path, ProviderDiagnostic } from "../provider-session.ts";

/** An expected problem on its way to the user of Terraform. */
export class ProviderProblem extends Error {
  override readonly name = "ProviderProblem";
  readonly diagnostics: readonly ProviderDiagnostic[];
  constructor(diagnostics: readonly ProviderDiagnostic[]) {
    super(diagnostics.map(({ summary }) => summary).join("; "));
    this.diagnostics = diagnostics;
  }
}

/** An error of one sentence and its way out. */
export function errorAt(path: Path | undefined, summary: string, detail: string): ProviderDiagnostic {
  return { severity: "error", summary, detail, ...(path !== undefined && { path }) };
}

/** A warning of one sentence and its way out. */
export function warningAt(path: Path | undefined, summary: string, detail: string): ProviderDiagnostic {
  return { ...errorAt(path, summary, detail), severity: "warning" };
}

/** Stops with one problem. */
export function refuse(path: Path | undefined, summary: string, detail: string): never {
  throw new ProviderProblem([errorAt(path, summary, detail)]);
}

/** What anything thrown says to the user; a defect says its message too. `during` is what was done to the service. */
export function explainThrown(thrown: unknown, during: "read" | "write"): readonly ProviderDiagnostic[] {
  if (thrown instanceof ProviderProblem) return thrown.diagnostics;
  if (thrown instanceof Problem) return thrown.diagnostics.map(plain);
  if (thrown instanceof ServiceError)
    return [plain(during === "write" ? refusedWrite(thrown) : explainServiceError(thrown))];
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof IncompleteAnswer || thrown instanceof UnresolvedAnswer)
    return [errorAt(undefined, "the service's answer is incomplete", detail)];
  return [errorAt(undefined, "the provider failed unexpectedly", detail)];
}

function plain({ severity, summary, detail }: ProviderDiagnostic): ProviderDiagnostic {
  return { severity, summary, detail };
}
