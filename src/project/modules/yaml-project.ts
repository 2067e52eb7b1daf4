import { resolve } from "node:path";
import { writeYaml } from "../../authoring/write-yaml.ts";
import { allIncludes, loadDocuments } from "../../config/load-documents.ts";
import { flattenProject } from "../../config/modules/flatten-project.ts";
import { lateParameters, namedModules } from "../../config/modules/module-files.ts";
import { kinds } from "../../kinds/index.ts";
import { type Diagnostic, hasErrors, problem } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { withModuleParameters } from "../../schema/module-shape.ts";
import { diskWorkspace } from "../../workspace/disk-workspace.ts";
import { sha256 } from "../../workspace/hash.ts";
import { mainFile } from "../../workspace/workspace.ts";
import { orExplained } from "../explain-failure.ts";
import { loadFolder, offline } from "../open-project.ts";
import type { ProjectFlags, System } from "../system.ts";

/** A project as one YAML document. */
export interface ExpandedProject {
  readonly diagnostics: readonly Diagnostic[];
  /** Absent where the project has errors. */
  readonly text?: string;
}

/** Writes a YAML project without modules, defaults, variables and environments; without service, state or credentials. */
export async function expandProject(flags: ProjectFlags, system: System): Promise<ExpandedProject> {
  return orExplained<ExpandedProject>(
    async () => {
      const { parts, ...project } = await loadFolder(flags, system, offline);
      const { diagnostics, name, state, environment, language } = project;
      if (hasErrors(diagnostics) || parts === undefined) return { diagnostics };
      if (language !== "yaml") throw notYaml();
      const named = environment === undefined ? {} : { environment };
      const flat = flattenProject(parts, { kinds, name, state, ...named });
      const all = [...diagnostics, ...flat.diagnostics];
      if (hasErrors(all)) return { diagnostics: all };
      return { diagnostics: all, text: writeYaml([], { file: mainFile, kinds, head: flat.document }) };
    },
    (diagnostics) => ({ diagnostics }),
  );
}

/** The schema of projects for one of them: its uses know the parameters of its modules. Absent where its files have errors. */
export async function schemaOfProject(
  schema: JsonObject,
  dir: string,
  { cwd }: Pick<System, "cwd">,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly schema?: JsonObject }> {
  return orExplained<{ readonly diagnostics: readonly Diagnostic[]; readonly schema?: JsonObject }>(
    async () => {
      const workspace = diskWorkspace(resolve(cwd, dir));
      if (!(await workspace.exists(mainFile)))
        throw problem("LF1001", "no YAML project here", `${dir} has no ${mainFile}: name the folder of a YAML project`);
      const input = { workspace, hash: sha256 };
      const { sources, diagnostics } = await loadDocuments(mainFile, input, allIncludes);
      if (hasErrors(diagnostics)) return { diagnostics };
      const known = { modules: await namedModules(sources, input), late: lateParameters(sources) };
      return { diagnostics, schema: withModuleParameters(schema, known) };
    },
    (diagnostics) => ({ diagnostics }),
  );
}

function notYaml() {
  const detail = `Modules, variables and defaults are those of YAML, and this project is a program. Name the folder of a project with ${mainFile}`;
  return problem("LF1001", "no YAML project here", detail);
}
