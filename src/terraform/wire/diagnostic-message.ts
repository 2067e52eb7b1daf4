import type { Diagnostic } from "../../../gen/tfplugin6.js";
import { Problem, thrownWords } from "../../model/diagnostic.ts";
import type { ProviderDiagnostic } from "../provider-session.ts";
import { pathText } from "./path-message.ts";

/** Diagnostic.Severity. */
const severities = { error: 1, warning: 2 } as const;

/**
 * Diagnostics as the protocol says them. Terraform points at a wrong line for a path into a nested attribute, so a path
 * ends after its first step, and the whole of it is in the text.
 */
export function diagnosticMessages(diagnostics: readonly ProviderDiagnostic[]): Diagnostic[] {
  return diagnostics.map(({ severity, summary, detail, path = [] }) => {
    const [first] = path;
    const selector = typeof first === "string" ? { $case: "attributeName" as const, attributeName: first } : undefined;
    return {
      severity: severities[severity],
      summary,
      detail: path.length > 1 ? `${pathText(path)}: ${detail}` : detail,
      attribute: selector && { steps: [{ selector }] },
    };
  });
}

/** A thrown error as diagnostics: a gRPC error would be shown as a failure of the plugin, without its reason. */
export function thrownDiagnostics(thrown: unknown): readonly ProviderDiagnostic[] {
  if (thrown instanceof Problem)
    return thrown.diagnostics.map(({ severity, summary, detail }) => ({ severity, summary, detail }));
  const detail = thrownWords(thrown);
  return [{ severity: "error", summary: "The loadform provider failed", detail }];
}
