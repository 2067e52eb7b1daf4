import { type AnyKind, isDeactivated } from "../../model/kind.ts";
import { emptyTree, liveHandle, type Tree, type TreeNode } from "../../model/tree.ts";
import type { DataSourceSchema } from "../../terraform-schema/data-sources.ts";
import { foreignKey } from "../../terraform-schema/names.ts";
import { refuse } from "../resource/provider-problem.ts";
import { withContents } from "../resource/read-resource.ts";
import type { ResourceContext } from "../resource/resource-context.ts";
import { mergeState } from "../values/merge-state.ts";
import { idIn, resourceOf } from "../values/resource-type.ts";
import type { Value, ValueMap } from "../wire/values.ts";
import { listRegions } from "./list-objects.ts";

/** The one object that the conditions describe. */
export async function findObject(
  context: ResourceContext,
  { type, kind, attributes }: DataSourceSchema,
  config: ValueMap,
): Promise<ValueMap> {
  const resource = resourceOf(type);
  if (kind === undefined) return refuse(undefined, `unknown data source ${type}`, "It stands for no kind of objects");
  const tree = await treeOf(context, kind);
  const found = [...tree.nodes.values()].filter(
    (node) => node.kind === kind.name && !isDeactivated(kind, node) && fits(kind, node, config),
  );
  const [node] = found;
  if (node === undefined || found.length > 1) return unclear(type, found, config);
  const live = await withContents(context, resource, { node, tree, bytes: new Uint8Array() });
  return mergeState({ ...resource, attributes }, {}, live);
}

/** Regions of public grids can be run in too, though nobody manages them. */
async function treeOf(context: ResourceContext, kind: AnyKind): Promise<Tree> {
  if (kind.name !== "region") return context.trees.read(kind.name);
  const nodes = await listRegions(context);
  return { ...emptyTree, nodes: new Map(nodes.map((node) => [node.handle, node])) };
}

/** True for an object with the wanted id, name and parent. */
function fits(kind: AnyKind, node: TreeNode, config: ValueMap): boolean {
  const { id, name } = config;
  if (typeof id === "string" && node.identity?.id !== idIn(id)) return false;
  if (typeof name === "string" && node.fields["name"] !== name.trim()) return false;
  if (kind.parent !== undefined) {
    const parent = parentCondition(kind.parent, config);
    return parent === undefined || node.parent === liveHandle(kind.parent, parent);
  }
  const provider = typeof kind.naturalKey === "object" ? parentCondition(kind.naturalKey.within, config) : undefined;
  return provider === undefined || isInGrid(node, provider);
}

function isInGrid({ fields }: TreeNode, provider: number): boolean {
  const { provider: own } = fields;
  return typeof own === "object" && own !== null && "id" in own && own["id"] === provider;
}

function parentCondition(kind: string, config: ValueMap): number | undefined {
  const value: Value | undefined = config[foreignKey(kind)];
  return idIn(value);
}

function unclear(type: string, found: readonly TreeNode[], config: ValueMap): never {
  const asked = Object.entries(config).flatMap(([name, value]) =>
    typeof value === "string" ? [`${name} "${value}"`] : [],
  );
  if (found.length === 0)
    return refuse(undefined, `no ${type} was found`, `The service has none with ${asked.join(" and ")}`);
  const ids = found.map(({ identity }) => identity?.id).join(", ");
  return refuse(
    undefined,
    `several of ${type} were found`,
    `The ids ${ids} all have ${asked.join(" and ")}: name the one that is meant by id`,
  );
}
