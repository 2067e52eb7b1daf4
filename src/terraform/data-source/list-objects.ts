import type { Answer } from "../../api/routes.ts";
import { region, tag } from "../../kinds/index.ts";
import { isObject } from "../../model/json.ts";
import { isDeactivated, type Wire } from "../../model/kind.ts";
import type { TreeNode } from "../../model/tree.ts";
import { nodeFromWire } from "../../remote/node-from-wire.ts";
import { isNested, type TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { DataSourceSchema } from "../../terraform-schema/data-sources.ts";
import { resourceType } from "../../terraform-schema/names.ts";
import { sha256 } from "../../workspace/hash.ts";
import { refuse } from "../resource/provider-problem.ts";
import type { ResourceContext } from "../resource/resource-context.ts";
import { liveNode } from "../values/live-object.ts";
import { mergeState } from "../values/merge-state.ts";
import { idIn, resourceOf } from "../values/resource-type.ts";
import type { Value, ValueMap } from "../wire/values.ts";

/** The active regions, by name; those of one grid where it is named. */
export async function listActiveRegions(
  context: ResourceContext,
  source: DataSourceSchema,
  config: ValueMap,
): Promise<ValueMap> {
  const grid = idIn(config["provider_id"]);
  const providers = await listProviders(context);
  if (grid !== undefined && !providers.some(({ id }) => id === grid))
    refuse(["provider_id"], "provider_id refers to nothing", `The service has no loadform_provider ${grid}`);
  const nodes = regionsIn(providers).filter(
    (node) => !isDeactivated(region, node) && (grid === undefined || gridOf(node) === grid),
  );
  return found(source, region.name, nodes);
}

/** The tags of the organization, by name. */
export async function listTags(context: ResourceContext, source: DataSourceSchema): Promise<ValueMap> {
  const tree = await context.trees.read(tag.name);
  return found(
    source,
    tag.name,
    [...tree.nodes.values()].filter(({ kind }) => kind === tag.name),
  );
}

/** The regions of all grids that the organization sees, public ones too. */
export async function listRegions(context: ResourceContext): Promise<readonly TreeNode[]> {
  return regionsIn(await listProviders(context));
}

type ListedProviders = Answer<"GET /orgs/:orgId/providers">;

async function listProviders({ access }: ResourceContext): Promise<ListedProviders> {
  const params = { orgId: await access.organization() };
  const query = { down: true, activeRegionsOnly: false };
  return access.api.call("GET /orgs/:orgId/providers", { params, query });
}

function regionsIn(providers: ListedProviders): readonly TreeNode[] {
  return providers.flatMap(({ id, regions = [] }) =>
    (regions as unknown as readonly Wire[]).map((wire) => {
      const placed: Wire = { ...wire, provider: { id } };
      return nodeFromWire({ kind: region, wire: placed, hash: sha256 });
    }),
  );
}

function gridOf({ fields }: TreeNode): number | undefined {
  const { provider } = fields;
  return isObject(provider) && typeof provider["id"] === "number" ? provider["id"] : undefined;
}

/** The list attribute of a data source, filled. */
function found({ attributes }: DataSourceSchema, kind: string, nodes: readonly TreeNode[]): ValueMap {
  const list = attributes.find(({ source }) => source.is === "found");
  if (list === undefined || !isNested(list.type)) return {};
  const members: readonly TerraformAttribute[] = list.type.attributes;
  const resource = { ...resourceOf(resourceType(kind)), attributes: members };
  const sorted = [...nodes].sort((left, right) => byName(left, right));
  const values: Value = sorted.map((node) => mergeState(resource, {}, liveNode(node, new Map())));
  return { [list.name]: values };
}

function byName(left: TreeNode, right: TreeNode): number {
  const [one, other] = [String(left.fields["name"]), String(right.fields["name"])];
  return one < other ? -1 : one > other ? 1 : (left.identity?.id ?? 0) - (right.identity?.id ?? 0);
}
