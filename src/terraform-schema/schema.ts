import type { AnyKind } from "../model/kind.ts";
import { setting, type TerraformAttribute } from "./attribute.ts";
import { type DataSourceSchema, dataSources } from "./data-sources.ts";
import { type ResourceSchema, resourceSchema } from "./resource.ts";

/**
 * The schema of loadform for Terraform, derived from the kinds as plain data. Nothing about a field is declared here: a codec
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

/** Everything that Terraform knows of the provider; resources and data sources by type. */
export interface TerraformSchema {
  readonly provider: readonly TerraformAttribute[];
  readonly resources: ReadonlyMap<string, ResourceSchema>;
  readonly dataSources: ReadonlyMap<string, DataSourceSchema>;
}

export function terraformSchema(kinds: readonly AnyKind[]): TerraformSchema {
  const resources = kinds.map((kind) => resourceSchema(kind));
  const found = dataSources(resources);
  return {
    provider: providerAttributes,
    resources: new Map(resources.map((resource) => [resource.type, resource])),
    dataSources: new Map(found.map((source) => [source.type, source])),
  };
}

const providerAttributes: readonly TerraformAttribute[] = [
  setting("url", "Where the service is, e.g. `https://load.example.com/api`. Default: `$LOADFORM_URL`."),
  setting("api_key", "The key for the service. Default: `$LOADFORM_API_KEY`. Sensitive.", { sensitive: true }),
  setting("organization", "Id or name of the organization. Default: the only one of the key."),
  setting("auth_header", "Header that carries the key. Default: `X-Api-Key`."),
  setting(
    "max_retries",
    "How often a request is sent again before it fails. Default: 4. A create is looked for in between.",
    { type: "number" },
  ),
  setting(
    "adopt_existing",
    "What a create does that finds an object of that name: `never` (default) is an error with the import block to write, `created_recently` takes over the single one that was made within the last hour.",
  ),
];
