import { kinds } from "../kinds/index.ts";
import type { TerraformSchema } from "../terraform-schema/schema.ts";
import { terraformSchema } from "../terraform-schema/schema.ts";

/** What Terraform is told of loadform's kinds. */
export function kindsSchema(): TerraformSchema {
  return terraformSchema(kinds);
}
