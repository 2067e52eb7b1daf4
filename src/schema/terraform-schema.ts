/**
 * What Terraform is told of loadform, derived from the kinds as plain data. Nothing about a field is declared here: a codec
 * walks the attributes and finds in `source` where each value is from.
 *
 *     const { resources } = terraformSchema(kinds);
 *     const attributes = resources.get("loadform_configuration")?.attributes ?? [];
 *     attributes.find(({ name }) => name === "scenario_id");
 *     // { name: "scenario_id", type: "string", required: true, description: "…",
 *     //   source: { is: "field", path: ["scenario"], form: "id", field: … } }
 *
 * So `scenario_id = "7"` is `scenario: { id: 7 }` in a project file, and back. Attributes whose sources have the same path
 * are alternatives: `password` and `password_wo`, `contents` and `contents_base64`.
 */
import type { AnyKind } from "../model/kind.ts";
import type { TerraformAttribute } from "./terraform-attribute.ts";
import type { DataSourceSchema } from "./terraform-data-sources.ts";
import { dataSources } from "./terraform-data-sources.ts";
import { providerAttributes } from "./terraform-provider-block.ts";
import type { ResourceSchema } from "./terraform-resource.ts";
import { resourceSchema } from "./terraform-resource.ts";

/** Everything that Terraform knows of the provider; resources and data sources by type. */
export interface TerraformSchema {
  readonly provider: readonly TerraformAttribute[];
  readonly resources: ReadonlyMap<string, ResourceSchema>;
  readonly dataSources: ReadonlyMap<string, DataSourceSchema>;
}

/** The schema of the provider with these kinds. */
export function terraformSchema(kinds: readonly AnyKind[]): TerraformSchema {
  const resources = kinds.map((kind) => resourceSchema(kind));
  const found = dataSources(resources);
  return {
    provider: providerAttributes,
    resources: new Map(resources.map((resource) => [resource.type, resource])),
    dataSources: new Map(found.map((source) => [source.type, source])),
  };
}
