import { resolve } from "node:path";
import { moduleKeyOrder, projectKeyOrder } from "../authoring/project-key-order.ts";
import { allIncludes, loadDocuments } from "../config/load-documents.ts";
import { modulesOfFiles } from "../config/modules/module-files.ts";
import { kinds } from "../kinds/index.ts";
import { type Diagnostic, hasErrors, inReadingOrder } from "../model/diagnostic.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { sha256 } from "../workspace/hash.ts";
import { workTreeFiles } from "../workspace/work-tree.ts";
import { mainFile, programFile, type Workspace } from "../workspace/workspace.ts";
import { formatYaml } from "../yaml/format-yaml.ts";
import { orExplained } from "./explain-failure.ts";
import { endAccepting } from "./open-project.ts";
import type { System } from "./system.ts";

export interface FormatOutcome {
  /** Files that were not in canonical form, relative to the project folder. */
  readonly changed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Brings loadform.yaml, the files it includes and the modules it uses into canonical form; with `check` it only lists the files that would
 * change. A file with errors is not touched.
 */
export function formatProject(...asked: Parameters<typeof formatFolder>): Promise<FormatOutcome> {
  const failed = (diagnostics: readonly Diagnostic[]) => ({ changed: [], diagnostics });
  return orExplained(() => formatFolder(...asked), failed);
}

async function formatFolder(
  flags: { readonly dir: string; readonly check: boolean },
  system: Pick<System, "cwd">,
): Promise<FormatOutcome> {
  const workspace = diskWorkspace(resolve(system.cwd, flags.dir));
  if (!(await workspace.exists(mainFile))) return { changed: [], diagnostics: [await noYaml(workspace)] };
  const ended = await endAccepting(workspace);
  if (hasErrors(ended)) return { changed: [], diagnostics: ended };
  const input = { workspace, hash: sha256 };
  const { sources: own, diagnostics: problems } = await loadDocuments(mainFile, input, allIncludes);
  // Modules may be anywhere in the work tree.
  const files = workTreeFiles(workspace);
  const modules = await modulesOfFiles(own, { ...input, workspace: files });
  const read = [...modules.files.values()];
  const unread = read.flatMap((module) => ("failures" in module ? module.failures : []));
  const diagnostics = [...problems, ...modules.diagnostics, ...unread];
  const inModules = new Set(modules.files.keys());
  const sources = [...own, ...read.flatMap((module) => ("value" in module ? [module] : []))];
  const orders = { own: projectKeyOrder(kinds), module: moduleKeyOrder(kinds) };
  const changed: string[] = [];
  const left: Diagnostic[] = [];
  const broken = new Set(diagnostics.map(({ file }) => file));
  for (const { file } of sources.filter((source) => !broken.has(source.file))) {
    const text = await files.readText(file);
    const formatted = formatYaml(text, inModules.has(file) ? orders.module : orders.own);
    if (formatted === undefined) left.push(leftAlone(file));
    if (formatted === undefined || formatted === text) continue;
    changed.push(file);
    if (!flags.check) await files.writeAtomic(file, formatted);
  }
  return { changed, diagnostics: [...ended, ...inReadingOrder(diagnostics), ...left] };
}

async function noYaml(workspace: Workspace): Promise<Diagnostic> {
  const isProgram = await workspace.exists(programFile);
  const detail = isProgram
    ? `Only YAML is formatted, and ${programFile} is a program: format it with the formatter of your other programs`
    : `${workspace.root} has no ${mainFile}, and only YAML is formatted: name another folder`;
  return { severity: "error", code: "LF1001", summary: "no YAML project here", detail };
}

function leftAlone(file: string): Diagnostic {
  const detail = `${file} could not be brought into canonical form without changing what it says or losing a comment, so it was not changed. Simplify it by hand, and please report it`;
  return { severity: "warning", code: "LF1008", summary: `${file} was left as it is`, detail, file };
}
