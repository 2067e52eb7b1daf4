import { kinds } from "../../kinds/index.ts";
import type { Json } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import { liveHandle, nodeName, type TreeNode } from "../../model/tree.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { ProviderDiagnostic, ResourceState } from "../provider-session.ts";
import { isSameObject, liveNode } from "../values/live-object.ts";
import { mergeState } from "../values/merge-state.ts";
import { writePrivate } from "../values/private-state.ts";
import { idIn } from "../values/resource-type.ts";
import { isValueMap, isWhollyKnown, type ValueMap, valueMap } from "../wire/values.ts";
import { deleteResource } from "./delete-resource.ts";
import { warningAt } from "./provider-problem.ts";
import type { ResourceContext } from "./resource-context.ts";

/**
 * The state of an object that its first use creates: bound to the one of that id or name, or pending, which is no error and
 * no missing object. Undefined when there is neither, nor a name to wait for.
 */
export async function bindByUse(
  context: ResourceContext,
  resource: ResourceSchema,
  values: ValueMap,
): Promise<ResourceState | undefined> {
  const { kind } = resource;
  const tree = await context.trees.read(kind.name);
  const id = idIn(values["id"]);
  const byId = id === undefined ? undefined : tree.nodes.get(liveHandle(kind.name, id));
  const own = byId && isSameObject(values, byId) ? byId : undefined;
  const node = own ?? named([...tree.nodes.values()], kind, values["name"]);
  const nothing = writePrivate({});
  if (node !== undefined) {
    context.known.add(node.handle);
    return { state: mergeState(resource, values, liveNode(node, tree.contents)), private: nothing, diagnostics: [] };
  }
  if (typeof values["name"] !== "string") return undefined;
  return { state: pending(resource, values), private: nothing, diagnostics: [] };
}

function named(nodes: readonly TreeNode[], kind: AnyKind, name: ValueMap[string] | undefined): TreeNode | undefined {
  if (typeof name !== "string") return undefined;
  return nodes.find((node) => node.kind === kind.name && node.fields["name"] === name.trim());
}

/** Nothing is known of it but what is declared. */
function pending({ attributes }: ResourceSchema, values: ValueMap): ValueMap {
  return valueMap(
    attributes.map(({ name, source }) => {
      const value = values[name] ?? null;
      return [name, source.is === "identity" || !isWhollyKnown(value) ? null : value];
    }),
  );
}

/**
 * Deletes one, and names what carried it: the service takes a deleted tag off all of them. One that is pending in the state is
 * bound first: Terraform plans the delete of a removed resource without what it has just read.
 */
export async function unbindByUse(
  context: ResourceContext,
  resource: ResourceSchema,
  planned: ValueMap,
): Promise<readonly ProviderDiagnostic[]> {
  const isPending = idIn(planned["id"]) === undefined;
  const bound = (isPending ? (await bindByUse(context, resource, planned))?.state : undefined) ?? planned;
  const prior = isValueMap(bound) ? bound : planned;
  const { name } = prior;
  const id = idIn(prior["id"]);
  if (id === undefined || context.adopted.has(liveHandle(resource.kind.name, id))) return [];
  const carriers = await carriersOf(context, resource.kind, name);
  await deleteResource(context, resource, prior);
  if (carriers.length === 0) return [];
  const named = carriers.slice(0, mostNamed).map(wordsOf);
  const more = carriers.length > mostNamed ? ` and ${carriers.length - mostNamed} more` : "";
  const summary = `${resource.type} ${JSON.stringify(name)} was taken off ${carriers.length === 1 ? "one scenario" : `${carriers.length} scenarios`}`;
  const detail = `The service takes a deleted tag off all that carry it: ${named.join(", ")}${more}. Where one of them is to keep it, save it with the tag again, which makes the tag anew`;
  return [warningAt(undefined, summary, detail)];
}

/** The most that a message names. */
const mostNamed = 20;

const wordsOf = (node: TreeNode) => `${node.kind} ${JSON.stringify(nodeName(node))} (id ${node.identity?.id})`;

/** Objects that name it in one of their fields; none where they cannot be read, for the delete does not depend on it. */
async function carriersOf(
  context: ResourceContext,
  { name: carried }: AnyKind,
  name: ValueMap[string] | undefined,
): Promise<readonly TreeNode[]> {
  const carrying = kinds.flatMap((kind) => {
    const fields = Object.entries(kind.fields).filter(([, { of }]) => of?.reference?.kind === carried);
    return fields.length === 0 ? [] : [{ kind: kind.name, fields: fields.map(([field]) => field) }];
  });
  const found = carrying.map(async ({ kind, fields }) => {
    const { nodes } = await context.trees.read(kind);
    return [...nodes.values()].filter(
      (node) =>
        node.kind === kind &&
        fields.some((field) => (node.fields[field] as readonly Json[] | undefined)?.includes(String(name))),
    );
  });
  return (await Promise.all(found).catch(() => [])).flat();
}
