import { kinds } from "../kinds/index.ts";
import type { TerraformSchema } from "../terraform-schema/schema.ts";
import { terraformSchema } from "../terraform-schema/schema.ts";

/** The kinds as Terraform's schema. */
export function kindsSchema(): TerraformSchema {
  return terraformSchema(kinds);
}
