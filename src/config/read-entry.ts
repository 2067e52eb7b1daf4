import type { Diagnostic } from "../model/diagnostic.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { EntryDocument, EntryInput } from "./entry-document.ts";
import { emptyEntry, mainFile, programFile } from "./entry-document.ts";
import { loadDocuments } from "./load-documents.ts";
import { mergeDocuments } from "./merge-documents.ts";

/** Reads loadform.config.ts, or else loadform.yaml with what it includes. */
export async function readEntry(input: EntryInput): Promise<EntryDocument> {
  const { workspace } = input;
  if (await workspace.exists(programFile)) {
    const { readTypeScript } = await import("./read-typescript.ts");
    return readTypeScript(programFile, input);
  }
  if (await workspace.exists(mainFile)) return readYaml(input);
  return emptyEntry((await workspace.exists("cdktf.json")) ? reserved() : await noEntry(workspace));
}

async function readYaml(input: EntryInput): Promise<EntryDocument> {
  const { sources, texts, diagnostics, complete, parsed } = await loadDocuments(mainFile, input);
  const merged = mergeDocuments(sources, input.kinds);
  return {
    kind: "yaml",
    document: merged.document,
    sources,
    texts,
    diagnostics: [...diagnostics, ...merged.diagnostics],
    complete,
    parsed: merged.diagnostics.length === 0 ? parsed : undefined,
  };
}

function reserved(): Diagnostic {
  const detail =
    "found cdktf.json; expected loadform.yaml or loadform.config.ts for now: cdktf projects come with a later version";
  return { severity: "error", code: "LF1007", summary: "cdktf projects are not built yet", detail, file: "cdktf.json" };
}

async function noEntry(workspace: Workspace): Promise<Diagnostic> {
  const usual = ["loadform.yml", "*.loadform.yaml", "*/loadform.yaml", "*/loadform.config.ts"];
  // Only a hint: a folder that may not be read must not take the place of what is wrong.
  const near = await workspace.glob(usual).catch(() => []);
  const hint = near.length > 0 ? ` There is ${near.slice(0, 3).join(", ")}.` : "";
  const detail = `found no ${mainFile} and no ${programFile} in ${workspace.root}; expected one of them: name another folder, or run loadform init.${hint}`;
  return { severity: "error", code: "LF1001", summary: "no project here", detail };
}
