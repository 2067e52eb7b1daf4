import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { connectAlone } from "../connect.ts";
import { orExplained } from "../explain-failure.ts";
import type { ProjectFlags, System } from "../system.ts";
import { projectOrService } from "../whoami.ts";
import { type ComparedService, compareService } from "./compare-service.ts";

/** The comparison of a project's service with the bundled one; absent where it could not be asked. */
export interface Conformance {
  readonly compared?: ComparedService;
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares the service of a project with the bundled one: what `loadform conformance` prints. A service that cannot be asked is a diagnostic. */
export async function conformanceProject(flags: ProjectFlags, system: System): Promise<Conformance> {
  const without = (diagnostics: readonly Diagnostic[]): Conformance => ({ diagnostics });
  return orExplained<Conformance>(async () => {
    const project = await projectOrService(flags, system);
    if (hasErrors(project.diagnostics)) return without(project.diagnostics);
    const connection = await connectAlone(project, { root: project.root, system });
    try {
      const compared = await compareService(connection, system);
      return { compared, diagnostics: project.diagnostics };
    } finally {
      await connection.close();
    }
  }, without);
}
