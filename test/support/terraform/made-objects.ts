import type { Service } from "../../../src/service/index.ts";
import { rowsOf } from "../hostile/rows.ts";
import type { TerraformProject } from "./terraform-project.ts";

/**
 * Looks for the objects of a service but for what it had before, by kind and id; a region remains when it is deleted, tags come and
 * go, and schedules start runs.
 */
export function madeSince(service: Service): () => readonly string[] {
  const before = new Set(rowsOf(service).keys());
  return () =>
    [...rowsOf(service)]
      .filter(
        ([key, { kind, row }]) =>
          !before.has(key) && kind !== "execution" && (kind !== "region" || row["active"] === true),
      )
      .map(([key]) => key)
      .sort();
}

/** The same of a state of Terraform. */
export function objectsInState(project: TerraformProject): readonly string[] {
  return Object.entries(project.attributes())
    .filter(([address]) => !address.startsWith("loadform_tag."))
    .map(([address, { id }]) => `${kindOf(address)}#${String(id)}`)
    .sort();
}

function kindOf(address: string): string {
  const type = (address.split(".")[0] ?? "").replace("loadform_", "");
  return type.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
