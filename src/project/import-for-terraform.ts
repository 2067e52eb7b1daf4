import type { ImportOutcome } from "../import/import-files.ts";
import { importTerraform, type PlanTerraform, type TerraformImport } from "../import/import-terraform.ts";
import { kinds } from "../kinds/index.ts";
import { terraformSchema } from "../terraform-schema/schema.ts";
import { orExplained } from "./explain-failure.ts";
import { type ImportFlags, notImported, withImportTarget } from "./import-project.ts";
import { serviceKey } from "./open-client.ts";
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
    () =>
      withImportTarget({ ...flags, isForTerraform: true }, system, async ({ connection, project, target, loading }) => {
        const { api, target: service, embedded } = connection;
        // The provider reads one variable, whatever the project calls it.
        const key = serviceKey(project.service, system.env);
        const keyed = key === undefined ? {} : { LOADFORM_API_KEY: key };
        const outcome = await importTerraform({
          ...{ api, service, target, loading, chosen: flags.wanted, dryRun: flags.dryRun, signal },
          schema: terraformSchema(kinds),
          version: system.version,
          plan: embedded ? undefined : (folder, env) => plan(folder, { ...env, ...keyed }),
        });
        return { ...outcome, requests: connection.client.stats().requests };
      }),
    (diagnostics, thrown) => notImported(diagnostics, thrown, signal),
  );
}
