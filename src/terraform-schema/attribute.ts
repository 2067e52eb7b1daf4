import type { Field } from "../model/field.ts";
import type { Json } from "../model/json.ts";

/** A cty type without objects in it, in cty's own JSON spelling. */
export type CtyType = "string" | "number" | "bool" | readonly ["list" | "set" | "map", "string" | "number" | "bool"];

/** An object, or objects, within an object. */
export interface NestedType {
  readonly nesting: "single" | "list" | "set";
  readonly attributes: readonly TerraformAttribute[];
}

/** The form of an attribute's value, compared with the value that a user writes in a project file for the same field. */
export type ValueForm =
  /** As the field has it: text, number, flag, list, map; numbers and flags of a map are text, moments are ISO 8601 or epoch milliseconds as text. */
  | "plain"
  /** The id as text: "7" is `{ id: 7 }`. */
  | "id"
  /** JSON text of it. */
  | "json"
  /** Its bytes in base64. */
  | "base64";

/** The source of an attribute's value. Paths are within the object that has the attribute. */
export type AttributeSource =
  /** A declared field, or a key of one that is a map. Attributes with the same path are alternatives. */
  | {
      readonly is: "field";
      readonly path: readonly string[];
      readonly field: Field;
      readonly form: ValueForm;
    }
  /** Tells by a change of its number that the write-only attribute `of` is to be sent. */
  | { readonly is: "version"; readonly of: string }
  /** Id of the object above. */
  | { readonly is: "parent"; readonly kind: string }
  /** A member that each object of the service has. */
  | { readonly is: "identity"; readonly member: "id" | "createdAt" | "updatedAt" }
  /** A member of the answer that cannot be declared. */
  | { readonly is: "fact"; readonly member: string; readonly field: Field }
  /** Everything that a data source of several found. */
  | { readonly is: "found" }
  /** A setting of the provider block, or a condition of a data source. */
  | { readonly is: "setting" };

/** One attribute of a resource, of a data source, of the provider block, or of an object within one. */
export interface TerraformAttribute {
  readonly name: string;
  /** Markdown; says too what Terraform's flags say, since bindings keep nothing else. */
  readonly description: string;
  readonly type: CtyType | NestedType;
  readonly required?: true;
  /** May be set. Optional and computed: the provider chooses a value when it is not. */
  readonly optional?: true;
  readonly computed?: true;
  readonly sensitive?: true;
  /** In the configuration only, never in a state. */
  readonly writeOnly?: true;
  /** The value of an optional and computed attribute when nothing is set, as the attribute spells it. Without one the service chooses. */
  readonly default?: Json;
  readonly requiresReplace?: true;
  /** Text that programs pass on as it is: bindings escape Terraform's templates in it. */
  readonly literal?: true;
  readonly source: AttributeSource;
}

/** A setting of the provider block, or a condition of a data source, that may be given. */
export function setting(
  name: string,
  description: string,
  more: Partial<Pick<TerraformAttribute, "type" | "sensitive">> = {},
): TerraformAttribute {
  return { name, description, type: "string", optional: true, source: { is: "setting" }, ...more };
}

/** True for the type of an attribute that holds objects. */
export function isNested(type: CtyType | NestedType): type is NestedType {
  return typeof type === "object" && "nesting" in type;
}
