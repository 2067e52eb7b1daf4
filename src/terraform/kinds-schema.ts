import { kinds } from "../kinds/index.ts";
import type { TerraformSchema } from "../schema/terraform-schema.ts";
import { terraformSchema } from "../schema/terraform-schema.ts";

/** The kinds as Terraform's schema. */
export function kindsSchema(): TerraformSchema {
  return terraformSchema(kinds);
}
