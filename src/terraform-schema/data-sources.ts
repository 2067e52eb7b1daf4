import { text } from "../model/field.ts";
import type { AnyKind } from "../model/kind.ts";
import { isNested, setting, type TerraformAttribute } from "./attribute.ts";
import { describeAttribute, describeParent } from "./descriptions.ts";
import { foreignKey, resourceType } from "./names.ts";
import type { ResourceSchema } from "./resource.ts";

/** One data source: what exists at the service, and the conditions that it is found by. */
export interface DataSourceSchema {
  /** `loadform_regions`. */
  readonly type: string;
  /** The kind of the one object, or of those that it finds. */
  readonly kind?: AnyKind;
  readonly description: string;
  /** An attribute that may be set is a condition; of `id` and `name` one is enough. An object that was found has the same sources as in a resource. */
  readonly attributes: readonly TerraformAttribute[];
}

/** Kinds of which one object can be looked up. */
const single = ["testCase", "scenario", "provider", "region"];

export function dataSources(resources: readonly ResourceSchema[]): readonly DataSourceSchema[] {
  const of = (kind: string) => resources.filter((resource) => resource.kind.name === kind);
  return [
    organization,
    ...single.flatMap(of).map(objectSource),
    ...of("region").map((region) => regionsSource(region)),
    ...of("tag").map(tagsSource),
    ...of("vcsRoot").map(refsSource),
  ];
}

const organizationId = "The id at the service.";

const organization: DataSourceSchema = {
  type: "loadform_organization",
  description: "The organization that the provider works in, or another one of the key.",
  attributes: [
    condition({ name: "id", type: "string", description: organizationId, source: { is: "identity", member: "id" } }),
    condition({
      name: "name",
      type: "string",
      description: "Name of the organization.",
      source: { is: "fact", member: "name", field: text({ description: "Name of the organization." }) },
    }),
  ],
};

function objectSource({ kind, type, description, attributes }: ResourceSchema): DataSourceSchema {
  const conditions = conditionsOf(kind);
  return {
    type,
    kind,
    description: `${description} Found by \`id\` or \`name\`.`,
    attributes: attributes
      .filter(isReadable)
      .map((attribute) => (conditions.includes(attribute.name) ? condition(attribute) : found(attribute))),
  };
}

/** A name is unique only beside its siblings. */
function conditionsOf({ parent, naturalKey }: AnyKind): readonly string[] {
  const within = typeof naturalKey === "object" ? naturalKey.within : parent;
  return ["id", "name", ...(within === undefined ? [] : [foreignKey(within)])];
}

function regionsSource({ kind, attributes }: ResourceSchema): DataSourceSchema {
  const provider = setting(foreignKey("provider"), `Only those of this \`${resourceType("provider")}\`.`);
  const list = foundList("regions", "The active regions, by name.", attributes);
  return { type: "loadform_regions", kind, description: "The active regions.", attributes: [provider, list] };
}

function tagsSource({ kind, attributes }: ResourceSchema): DataSourceSchema {
  const list = foundList("tags", "The tags, by name.", attributes);
  return { type: "loadform_tags", kind, description: "The tags of the organization.", attributes: [list] };
}

function refsSource({ kind }: ResourceSchema): DataSourceSchema {
  return {
    type: "loadform_vcs_root_refs",
    kind,
    description: "The branches and tags of a repository, as the service sees them.",
    attributes: [
      {
        name: foreignKey(kind.name),
        description: `The id of the \`${resourceType(kind.name)}\`.`,
        type: "string",
        required: true,
        source: { is: "setting" },
      },
      {
        name: "refs",
        description: "Names of the branches and tags.",
        type: ["list", "string"],
        computed: true,
        source: { is: "found" },
      },
    ],
  };
}

function foundList(name: string, description: string, attributes: readonly TerraformAttribute[]): TerraformAttribute {
  const type = { nesting: "list", attributes: attributes.filter(isReadable).map(found) } as const;
  return { name, description, type, computed: true, source: { is: "found" } };
}

/** Secrets are never answered. */
function isReadable({ source }: TerraformAttribute): boolean {
  if (source.is !== "field") return source.is !== "version";
  const { field, path } = source;
  return !field.secret && !(path.length > 1 && field.secretKeys);
}

function condition(attribute: TerraformAttribute): TerraformAttribute {
  return { ...found(attribute), optional: true };
}

function found({ name, description, type, sensitive, source }: TerraformAttribute): TerraformAttribute {
  const read: TerraformAttribute = {
    name,
    description,
    type: isNested(type) ? { ...type, attributes: type.attributes.map(found) } : type,
    computed: true,
    ...(sensitive ? { sensitive } : {}),
    source,
  };
  if (source.is === "parent") return { ...read, description: describeParent(source.kind) };
  if (source.is !== "field") return read;
  return { ...read, description: describeAttribute({ ...read, description: source.field.description }) };
}
