import { resolve } from "node:path";
import { orExplained } from "../apply/explain-failure.ts";
import type { ImportOutcome } from "../import/import-files.ts";
import { noImport } from "../import/import-files.ts";
import type { PlanTerraform, TerraformImport } from "../import/import-terraform.ts";
import { importTerraform } from "../import/import-terraform.ts";
import { kinds } from "../kinds/index.ts";
import { hasErrors } from "../model/diagnostic.ts";
import { ServiceError } from "../model/service-error.ts";
import { terraformSchema } from "../terraform-schema/schema.ts";
import { withProject } from "./connect.ts";
import type { ImportFlags } from "./import-project.ts";
import { importLoading } from "./import-project.ts";
import { serviceKey } from "./open-client.ts";
import type { LoadedProject } from "./open-project.ts";
import { openImportTarget } from "./open-project.ts";
import type { System } from "./system.ts";

/** Writes live objects into a folder as a Terraform configuration; the state of a project there is not touched. */
export async function importForTerraform(
  flags: Pick<ImportFlags, "dir" | "environment" | "vars" | "dryRun" | "signal"> & {
    readonly wanted: TerraformImport["chosen"];
  },
  plan: PlanTerraform,
  system: System,
): Promise<ImportOutcome> {
  const { signal } = flags;
  return orExplained(
    async () => {
      const root = resolve(system.cwd, flags.dir);
      const loading = importLoading(flags, system);
      const target = await openImportTarget(root, loading);
      const { project } = target;
      if (hasErrors(project.diagnostics)) return noImport("failed", project.diagnostics);
      const opening = { system: { ...system, ...(signal && { givenUp: signal }) } };
      return withProject(project, opening, async ({ connection }) => {
        const { api, target: service, embedded } = connection;
        const asked = { api, service, target, loading, chosen: flags.wanted, dryRun: flags.dryRun, signal };
        const schema = terraformSchema(kinds);
        const outcome = await importTerraform({
          ...asked,
          schema,
          version: system.version,
          plan: embedded ? undefined : (folder, env) => plan(folder, { ...env, ...providerKey(project, system) }),
        });
        return { ...outcome, requests: connection.client.stats().requests };
      });
    },
    (diagnostics, thrown) =>
      noImport(signal?.aborted && thrown instanceof ServiceError ? "interrupted" : "failed", diagnostics),
  );
}

/** The provider reads one variable, whatever the project calls it. */
function providerKey({ service }: LoadedProject, { env }: System): Readonly<Record<string, string>> {
  const key = serviceKey(service, env);
  return key === undefined ? {} : { LOADFORM_API_KEY: key };
}
