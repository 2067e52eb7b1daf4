import type { Field } from "../model/field.ts";
import type { AnyKind } from "../model/kind.ts";
import type { TerraformAttribute } from "./attribute.ts";
import { describeParent } from "./descriptions.ts";
import { fieldAttributes } from "./fields.ts";
import { foreignKey, resourceType, snakeCase } from "./names.ts";

/** One resource: an object of a kind. */
export interface ResourceSchema {
  /** `loadform_test_case`. */
  readonly type: string;
  readonly kind: AnyKind;
  readonly description: string;
  readonly attributes: readonly TerraformAttribute[];
}

export function resourceSchema(kind: AnyKind): ResourceSchema {
  return {
    type: resourceType(kind.name),
    kind,
    description: kind.description,
    attributes: [
      ...identityAttributes,
      ...parentAttributes(kind),
      ...fieldAttributes(kind.fields),
      ...factAttributes(kind),
    ],
  };
}

const identityAttributes: readonly TerraformAttribute[] = [
  identity("id", "The id at the service."),
  identity("createdAt", "When it was created, ISO 8601."),
  identity("updatedAt", "When it was last changed, ISO 8601."),
];

function identity(member: "id" | "createdAt" | "updatedAt", description: string): TerraformAttribute {
  return { name: snakeCase(member), description, type: "string", computed: true, source: { is: "identity", member } };
}

function parentAttributes({ parent }: AnyKind): readonly TerraformAttribute[] {
  if (parent === undefined) return [];
  return [
    {
      name: foreignKey(parent),
      description: `${describeParent(parent)} A change replaces the object.`,
      type: "string",
      required: true,
      requiresReplace: true,
      source: { is: "parent", kind: parent },
    },
  ];
}

/** Facts of which there is a field are the field's. */
function factAttributes({ facts, fields }: AnyKind): readonly TerraformAttribute[] {
  return Object.entries(facts ?? {})
    .filter(([name]) => !(name in fields))
    .map(([name, field]) => factAttribute(name, field));
}

function factAttribute(name: string, field: Field): TerraformAttribute {
  const [shape] = fieldAttributes({ [name]: field });
  return {
    name: snakeCase(name),
    description: shape?.description ?? field.description,
    type: shape?.type ?? "string",
    computed: true,
    source: { is: "fact", member: name, field },
  };
}
