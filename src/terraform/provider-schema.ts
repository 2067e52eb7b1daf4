import type { CtyType } from "./wire/values.ts";

/** An attribute in Terraform's terms. */
export interface AttributeSchema {
  readonly name: string;
  /** Markdown. */
  readonly description: string;
  readonly type: CtyType | NestedSchema;
  readonly required?: true;
  readonly optional?: true;
  readonly computed?: true;
  readonly sensitive?: true;
  readonly writeOnly?: true;
}

/** An object, or objects, within an object. */
export interface NestedSchema {
  readonly nesting: "single" | "list" | "set";
  readonly attributes: readonly AttributeSchema[];
}

/** A resource or a data source. */
export interface ObjectSchema {
  readonly description: string;
  readonly attributes: readonly AttributeSchema[];
}

/** A provider in Terraform's terms; resources and data sources by type. */
export interface ProviderSchema {
  readonly provider: readonly AttributeSchema[];
  readonly resources: ReadonlyMap<string, ObjectSchema>;
  readonly dataSources: ReadonlyMap<string, ObjectSchema>;
}

/** The type of an object of these attributes. */
export function objectType(attributes: readonly AttributeSchema[]): CtyType {
  return ["object", Object.fromEntries(attributes.map(({ name, type }) => [name, attributeType(type)]))];
}

/** True for an attribute whose objects have attributes of their own. */
export function isNestedSchema(type: CtyType | NestedSchema): type is NestedSchema {
  return typeof type === "object" && "nesting" in type;
}

function attributeType(type: CtyType | NestedSchema): CtyType {
  if (!isNestedSchema(type)) return type;
  const object = objectType(type.attributes);
  return type.nesting === "single" ? object : [type.nesting, object];
}
