import { orExplained } from "../apply/explain-failure.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import type { ObjectGraph } from "../model/graph.ts";
import { objectGraph } from "../model/graph.ts";
import { loadFolder } from "./open-project.ts";
import type { ProjectFlags, System } from "./system.ts";

/** The graph of a project's declared objects, with the project's name; without service, state or credentials. */
export async function graphProject(
  flags: ProjectFlags,
  system: System,
): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  readonly project?: string;
  /** Absent where the project has errors. */
  readonly graph?: ObjectGraph;
}> {
  return orExplained(
    async () => {
      const { name, tree, diagnostics } = await loadFolder(flags, system, "warning");
      return hasErrors(diagnostics) ? { diagnostics } : { diagnostics, project: name, graph: objectGraph(tree, kinds) };
    },
    (diagnostics) => ({ diagnostics }),
  );
}
