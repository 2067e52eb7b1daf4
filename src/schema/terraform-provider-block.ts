import type { TerraformAttribute } from "./terraform-attribute.ts";

const setting = (
  name: string,
  description: string,
  more: Partial<Pick<TerraformAttribute, "type" | "sensitive">> = {},
): TerraformAttribute => ({
  name,
  description,
  type: "string",
  optional: true,
  source: { is: "setting" },
  ...more,
});

/** The attributes of `provider "loadform" { … }`. */
export const providerAttributes: readonly TerraformAttribute[] = [
  setting("url", "Where the service is, e.g. `https://load.example.com/api`. Default: `$LOADFORM_URL`."),
  setting("api_key", "The key for the service. Default: `$LOADFORM_API_KEY`. Sensitive.", { sensitive: true }),
  setting("organization", "Id or name of the organization. Default: the only one of the key."),
  setting("auth_header", "Header that carries the key. Default: `X-Api-Key`."),
  setting(
    "max_retries",
    "How often a request is sent again before it fails. Default: 4; 2 for a create, which is looked for in between.",
    { type: "number" },
  ),
  setting(
    "adopt_existing",
    "What a create does that finds an object of that name: `never` (default) is an error with the import block to write, `created_recently` takes over the single one that was made within the last hour.",
  ),
];
