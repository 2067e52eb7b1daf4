import { kinds } from "../kinds/index.ts";
import { type TerraformSchema, terraformSchema } from "../terraform-schema/schema.ts";

/** The kinds as Terraform's schema. */
export function kindsSchema(): TerraformSchema {
  return terraformSchema(kinds);
}
