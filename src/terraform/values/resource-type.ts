import type { TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { TerraformSchema } from "../../terraform-schema/schema.ts";
import { kindsSchema } from "../kinds-schema.ts";
import { refuse } from "../resource/provider-problem.ts";
import { isValueMap, type Value, type ValueMap, valueMap } from "../wire/values.ts";

/** The provider's resources and data sources. */
export const schema: TerraformSchema = kindsSchema();

/** The schema of a resource. */
export function resourceOf(type: string): ResourceSchema {
  return (
    schema.resources.get(type) ??
    refuse(undefined, `unknown resource ${type}`, `The resources are ${[...schema.resources.keys()].join(", ")}`)
  );
}

/** The attributes of a value; those of an object that is null are null. */
export function attributesOf(value: Value): ValueMap {
  return isValueMap(value) ? value : {};
}

/** The attribute that holds the id of the object above. */
function parentAttribute({ attributes }: ResourceSchema): TerraformAttribute | undefined {
  return attributes.find(({ source }) => source.is === "parent");
}

/** The id in an attribute; undefined when it is null, not known, or no id as the service spells it. */
export function idIn(value: Value | undefined): number | undefined {
  return typeof value === "string" && /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : undefined;
}

/** An object of these attributes with nothing but `values` in it. */
export function sparseState({ attributes }: ResourceSchema, values: ValueMap): ValueMap {
  return valueMap(attributes.map(({ name }) => [name, values[name] ?? null]));
}

/** The id of the object above. */
export function parentIdOf(resource: ResourceSchema, values: ValueMap): number | undefined {
  const attribute = parentAttribute(resource);
  return attribute && idIn(values[attribute.name]);
}
