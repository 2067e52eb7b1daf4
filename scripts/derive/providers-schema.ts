import type { JsonObject } from "../../src/model/json.ts";
import type { AnyKind } from "../../src/model/kind.ts";
import { type CtyType, isNested, type TerraformAttribute } from "../../src/terraform-schema/attribute.ts";
import { terraformSchema } from "../../src/terraform-schema/schema.ts";

const address = "registry.terraform.io/loadform/loadform";

/** The schema as `terraform providers schema -json` prints it: what bindings are generated from. */
export function providersSchema(kinds: readonly AnyKind[]): JsonObject {
  const { provider, resources, dataSources } = terraformSchema(kinds);
  return {
    format_version: "1.0",
    provider_schemas: {
      [address]: {
        provider: schemaOf({ attributes: provider }),
        resource_schemas: mapOf(resources),
        data_source_schemas: mapOf(dataSources),
      },
    },
  };
}

/** The same as the file that is checked in, by path in the repository. */
export function providersSchemaFile(kinds: readonly AnyKind[]): Readonly<Record<string, string>> {
  return { "schemas/terraform-provider.json": `${JSON.stringify(providersSchema(kinds), undefined, 2)}\n` };
}

interface Described {
  readonly attributes: readonly TerraformAttribute[];
  readonly description?: string;
  readonly version?: number;
}

function mapOf(schemas: ReadonlyMap<string, Described>): JsonObject {
  return Object.fromEntries(sorted([...schemas]).map(([type, schema]) => [type, schemaOf(schema)]));
}

function schemaOf({ attributes, description, version = 0 }: Described): JsonObject {
  return {
    version,
    block: {
      attributes: attributesOf(attributes),
      ...(description === undefined ? {} : { description }),
      description_kind: "markdown",
    },
  };
}

function attributesOf(attributes: readonly TerraformAttribute[]): JsonObject {
  return Object.fromEntries(sorted(attributes.map((each) => [each.name, attributeJson(each)] as const)));
}

function attributeJson(attribute: TerraformAttribute): JsonObject {
  const { type, description, required, optional, computed, sensitive, writeOnly } = attribute;
  return {
    ...(isNested(type)
      ? { nested_type: { attributes: attributesOf(type.attributes), nesting_mode: type.nesting } }
      : { type: type satisfies CtyType }),
    description,
    description_kind: "markdown",
    ...(required ? { required } : {}),
    ...(optional ? { optional } : {}),
    ...(computed ? { computed } : {}),
    ...(sensitive ? { sensitive } : {}),
    ...(writeOnly ? { write_only: true } : {}),
  };
}

function sorted<T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return [...entries].sort(([left], [right]) => (left < right ? -1 : 1));
}
