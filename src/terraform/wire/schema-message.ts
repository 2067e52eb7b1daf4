import type { GetProviderSchema_Response, Schema, Schema_Attribute } from "../../../gen/tfplugin6.js";
import { type AttributeSchema, isNestedSchema, type NestedSchema, type ProviderSchema } from "../provider-schema.ts";

/** StringKind: all our descriptions are Markdown. */
const markdown = 1;
/** Schema.Object.Nesting. */
const nestings = { single: 1, list: 2, set: 3 } as const;

/** The provider's capabilities: its schema need not be asked in every process, and a delete needs no plan of ours. */
export const serverCapabilities = { getProviderSchemaOptional: true, planDestroy: false, moveResourceState: false };

/** A provider's schema as the protocol says it. */
export function schemaMessage({ provider, resources, dataSources }: ProviderSchema): GetProviderSchema_Response {
  return {
    provider: blockMessage({ description: "", attributes: provider }),
    resourceSchemas: Object.fromEntries([...resources].map(([type, its]) => [type, blockMessage(its)])),
    dataSourceSchemas: Object.fromEntries([...dataSources].map(([type, its]) => [type, blockMessage(its)])),
    diagnostics: [],
    serverCapabilities,
  };
}

function blockMessage(object: {
  readonly description: string;
  readonly attributes: readonly AttributeSchema[];
}): Schema {
  const { description, attributes } = object;
  const block = { version: 0, attributes: attributes.map(attributeMessage), description, descriptionKind: markdown };
  return { version: 0, block: { ...block, deprecated: false } };
}

function attributeMessage(attribute: AttributeSchema): Schema_Attribute {
  const { name, description, type } = attribute;
  const isNested = isNestedSchema(type);
  return {
    name,
    type: isNested ? Buffer.alloc(0) : Buffer.from(JSON.stringify(type)),
    nestedType: isNested ? nestedMessage(type) : undefined,
    description,
    descriptionKind: markdown,
    required: attribute.required ?? false,
    optional: attribute.optional ?? false,
    computed: attribute.computed ?? false,
    sensitive: attribute.sensitive ?? false,
    writeOnly: attribute.writeOnly ?? false,
    deprecated: false,
  };
}

function nestedMessage({ nesting, attributes }: NestedSchema): NonNullable<Schema_Attribute["nestedType"]> {
  return { attributes: attributes.map(attributeMessage), nesting: nestings[nesting] };
}
