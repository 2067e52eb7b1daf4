import { loadProject, type Project, type ProjectInput } from "../../src/config/load-project.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { TreeNode } from "../../src/model/tree.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { memoryWorkspace } from "../../src/workspace/memory-workspace.ts";

/** Loads a project from files in memory; `yaml` is its loadform.yaml below a fixed head. */
export async function loadFiles(
  yaml: string,
  options: Partial<ProjectInput> & { readonly files?: Readonly<Record<string, string | Uint8Array>> } = {},
): Promise<Project> {
  const { files, ...rest } = options;
  const head = yaml.includes("project:") ? "" : 'project: shop\nservice: { url: "memory:" }\n';
  const workspace = memoryWorkspace({ "loadform.yaml": head + yaml, ...files });
  const project = await loadProject({ workspace, kinds, env: {}, vars: {}, unsetEnv: "error", hash: sha256, ...rest });
  const mute = project.diagnostics.find((each) => isHint(each) && each.suggestion === undefined);
  if (mute) throw new Error(`${mute.code} says what was meant, but has no suggestion for editors: ${mute.detail}`);
  return project;
}

/** True for a problem that names what was meant for a word of a file: words about the command line and about secrets are none. */
export function isHint({ detail, line, file = "" }: Diagnostic): boolean {
  const isOfFile = line !== undefined && /\.ya?ml$/.test(file) && !detail.startsWith("--");
  return isOfFile && !detail.includes("(sensitive)") && detail.includes("Did you mean");
}

/** A node that must be there. */
export function nodeAt(project: Project, address: string): TreeNode {
  const node = project.tree.nodes.get(address);
  if (node === undefined) throw new Error(`no ${address} among ${[...project.tree.nodes.keys()].join(", ")}`);
  return node;
}

/** Codes of the problems, in order. */
export const codesOf = (project: Project) => project.diagnostics.map(({ code }) => code);
