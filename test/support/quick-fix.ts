import { TextDocument } from "vscode-languageserver-textdocument";
import { correction, documentFrom, protocolDiagnostic } from "../../src/lsp/to-protocol.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";

/** A file's text after the quick fix that `loadform lsp` offers for a problem, and its title; undefined where there is none. */
export function quickFix(
  text: string,
  problem: Diagnostic,
): { readonly title: string; readonly text: string } | undefined {
  const document = documentFrom(`file:///${problem.file}`, text);
  const action = correction(protocolDiagnostic(problem, document, String), document);
  const edits = action?.edit?.changes?.[document.uri];
  return action && edits && { title: action.title, text: TextDocument.applyEdits(document, edits) };
}
