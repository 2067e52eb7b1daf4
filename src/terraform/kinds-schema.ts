import { kinds } from "../kinds/index.ts";
import type { TerraformSchema } from "../schema/terraform-schema.ts";
import { terraformSchema } from "../schema/terraform-schema.ts";

/** What Terraform is told of loadform's kinds. */
export function kindsSchema(): TerraformSchema {
  return terraformSchema(kinds);
}
