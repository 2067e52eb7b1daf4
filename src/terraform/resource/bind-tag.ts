import type { TreeNode } from "../../model/tree.ts";
import { liveHandle } from "../../model/tree.ts";
import type { ResourceSchema } from "../../schema/terraform-resource.ts";
import type { ResourceState } from "../provider-session.ts";
import { liveNode } from "../values/live-object.ts";
import { mergeState } from "../values/merge-state.ts";
import { writePrivate } from "../values/private-state.ts";
import { idIn } from "../values/resource-type.ts";
import type { ValueMap } from "../wire/values.ts";
import { isWhollyKnown, valueMap } from "../wire/values.ts";
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
  const node = byId ?? named([...tree.nodes.values()], values["name"]);
  const nothing = writePrivate({});
  if (node !== undefined) {
    context.known.add(node.handle);
    return { state: mergeState(resource, values, liveNode(node, tree.contents)), private: nothing, diagnostics: [] };
  }
  if (typeof values["name"] !== "string") return undefined;
  return { state: pending(resource, values), private: nothing, diagnostics: [] };
}

function named(nodes: readonly TreeNode[], name: ValueMap[string] | undefined): TreeNode | undefined {
  return typeof name === "string"
    ? nodes.find(({ fields, kind }) => kind === "tag" && fields["name"] === name.trim())
    : undefined;
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
