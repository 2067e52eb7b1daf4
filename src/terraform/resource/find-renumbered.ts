import { isSavedAnew, normalObject } from "../../model/normal-form.ts";
import { liveHandle, type Tree, type TreeNode } from "../../model/tree.ts";
import { findLostCreate } from "../../remote/find-lost-create.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { decodeFields, knownFields } from "../values/decode-fields.ts";
import { idIn, parentIdOf } from "../values/resource-type.ts";
import type { ValueMap } from "../wire/values.ts";
import { idNow, type ResourceContext } from "./resource-context.ts";

/**
 * The object that took the place of one that is written within another and has no name: whoever saves a configuration may
 * give its schedules new ids (docs/engine.md, Assumptions A4). It has the same fields and is nobody else's.
 */
export function findSavedAnew(
  context: ResourceContext,
  resource: ResourceSchema,
  { state, tree }: { readonly state: ValueMap; readonly tree: Tree },
): TreeNode | undefined {
  const { kind, attributes } = resource;
  const parentId = parentIdOf(resource, state);
  if (kind.inline === undefined || kind.parent === undefined || parentId === undefined) return undefined;
  const former = idIn(state["id"]) ?? -1;
  const noted = tree.nodes.get(liveHandle(kind.name, idNow(context, kind, former)));
  if (noted !== undefined) return noted;
  const { known, shared } = context;
  const parent = liveHandle(kind.parent, parentId);
  const fields = normalObject(kind, knownFields(decodeFields(attributes, state, new Map())).known);
  const found = [...tree.nodes.values()].find(
    (node) =>
      node.kind === kind.name &&
      node.parent === parent &&
      !known.has(node.handle) &&
      isSavedAnew(kind, fields, node.fields),
  );
  if (found?.identity === undefined) return undefined;
  known.add(found.handle);
  // Terraform plans the delete of what is no longer declared with the state before its refresh.
  shared.renumbered.set(liveHandle(kind.name, former), found.identity.id);
  return found;
}

/**
 * The object of a create whose answer named another id (docs/engine.md, Retries): the only one of that kind, parent
 * and name that was made at the very moment that the answer named, and is nobody else's.
 */
export function findAnsweredOtherwise(
  { known }: ResourceContext,
  resource: ResourceSchema,
  { state, tree }: { readonly state: ValueMap; readonly tree: Tree },
): TreeNode | undefined {
  const { name, created_at: createdAt } = state;
  if (typeof name !== "string" || typeof createdAt !== "string") return undefined;
  const lost = { kind: resource.kind, parentId: parentIdOf(resource, state), name, createdAt, sent: {}, sentAt: 0 };
  const match = findLostCreate({ ...lost, known: [], isBound: (handle) => known.has(handle) }, tree);
  return match.outcome === "found" ? match.node : undefined;
}
