import type { Diagnostic } from "../model/diagnostic.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { cdktfFile, mainFile, programFile } from "../workspace/workspace.ts";
import type { EntryDocument, EntryInput } from "./entry-document.ts";
import { emptyEntry } from "./entry-document.ts";
import { loadDocuments } from "./load-documents.ts";
import { mergeDocuments } from "./merge-documents.ts";

/** Reads loadform.config.ts, or else loadform.yaml with the files it includes, or else a program for Terraform. */
export async function readEntry(input: EntryInput): Promise<EntryDocument> {
  const { workspace } = input;
  if (await workspace.exists(programFile)) {
    const { readTypeScript } = await import("./read-typescript.ts");
    return readTypeScript(programFile, input);
  }
  if (await workspace.exists(mainFile)) return readYaml(input);
  return (await readProgram(input)) ?? emptyEntry(await noEntry(workspace));
}

/** The program of cdktf.json, or files in Terraform's JSON syntax. */
async function readProgram(input: EntryInput): Promise<EntryDocument | undefined> {
  const { workspace } = input;
  const isCdktf = await workspace.exists(cdktfFile);
  const files = isCdktf ? [] : await workspace.glob(["*.tf.json"]).catch(() => []);
  if (!isCdktf && files.length === 0) return undefined;
  const { readCdktf, readTerraformFiles } = await import("../bridge/program/read-terraform.ts");
  return isCdktf ? readCdktf(cdktfFile, input) : readTerraformFiles(files, input);
}

async function readYaml(input: EntryInput): Promise<EntryDocument> {
  const { sources, texts, diagnostics, complete, parsed, hashes } = await loadDocuments(mainFile, input);
  const merged = mergeDocuments(sources, input.kinds);
  return {
    kind: "yaml",
    document: merged.document,
    sources,
    texts,
    diagnostics: [...diagnostics, ...merged.diagnostics],
    complete,
    parsed: merged.diagnostics.length === 0 ? parsed : undefined,
    ...(hashes && { hashes }),
  };
}

/** The main file under the ending that is not looked for. */
const misnamed = "loadform.yml";

async function noEntry(workspace: Workspace): Promise<Diagnostic> {
  const usual = [misnamed, "*.loadform.yaml", "*/loadform.yaml", "*/loadform.config.ts"];
  // Only a hint: a folder that may not be read must not hide the real problem.
  const near: readonly string[] = await workspace.glob(usual).catch(() => []);
  const there = near.length > 0 ? ` There is ${near.slice(0, 3).join(", ")}.` : "";
  const lack = `${workspace.root} has no ${mainFile} and no ${programFile}`;
  const detail = near.includes(misnamed)
    ? `${lack}. There is ${misnamed}: rename ${misnamed} to ${mainFile}`
    : `${lack}. Name another folder, or run loadform init.${there}`;
  return { severity: "error", code: "LF1001", summary: "no project here", detail };
}
