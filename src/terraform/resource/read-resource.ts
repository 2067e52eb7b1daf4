import { type AnyKind, isDeactivated } from "../../model/kind.ts";
import { liveHandle, type Tree, type TreeNode } from "../../model/tree.ts";
import { readObject } from "../../remote/confirm-gone.ts";
import { fillContents } from "../../remote/fill-contents.ts";
import { nodeFromWire } from "../../remote/node-from-wire.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { sha256 } from "../../workspace/hash.ts";
import type { PrivateBytes, ResourceState } from "../provider-session.ts";
import { isSameObject, type LiveObject, liveNode } from "../values/live-object.ts";
import { mayHoldSecrets, unreadMembers } from "../values/maybe-secret.ts";
import { finishedState, mergeState } from "../values/merge-state.ts";
import { privateOf, readPrivate, writePrivate } from "../values/private-state.ts";
import { idIn, parentIdOf } from "../values/resource-type.ts";
import { type ValueMap, valueMap } from "../wire/values.ts";
import { bindByUse } from "./bind-tag.ts";
import { findAnsweredOtherwise, findSavedAnew } from "./find-renumbered.ts";
import { sameValue } from "./plan-values.ts";
import { quoted, refuse } from "./provider-problem.ts";
import { type ResourceContext, scopeOf } from "./resource-context.ts";

/** An object as the service has it now; a null state when it is gone. */
export async function readResource(
  context: ResourceContext,
  resource: ResourceSchema,
  { state, bytes }: { readonly state: ValueMap; readonly bytes: PrivateBytes },
): Promise<ResourceState> {
  const { kind } = resource;
  const gone: ResourceState = { state: null, private: bytes, diagnostics: [] };
  if (kind.createdByUse) return (await bindByUse(context, resource, state)) ?? gone;
  const found = await findLive(context, resource, state);
  if (found === undefined || isDeactivated(kind, found.node)) return gone;
  if (state["created_at"] === null) refusePublic(resource, found.node);
  context.known.add(found.node.handle);
  const live = await withContents(context, resource, { ...found, bytes });
  const former = readPrivate(bytes);
  const isImported = mayHoldSecrets(resource) && (state["created_at"] === null || former.imported === true);
  const imported = isImported ? ({ imported: true } as const) : {};
  const unread = unreadMembers(kind, live.fields, { ...former, ...imported });
  const marks = { ...imported, ...(unread.length > 0 && { unread }) };
  const finished = state["created_at"] === null ? undefined : finishedState(resource, state, live);
  const merged = finished ?? mergeState(resource, state, live, marks);
  const kept = writePrivate({ ...privateOf(kind, live), ...marks });
  return { state: withoutForeignWrite(state, merged), private: kept, diagnostics: [] };
}

/** An import of what the service refuses to change or delete would end at the first apply that tries to. */
function refusePublic({ type }: ResourceSchema, { facts, identity, fields }: TreeNode): void {
  if (facts?.["public"] !== true) return;
  const named = `${type} ${identity?.id} (${quoted(fields["name"] ?? null)})`;
  const detail = `${named} belongs to no organization: the service refuses to change or delete it. Refer to it by data "${type}"`;
  refuse(undefined, "what is public is not imported", detail);
}

/**
 * The state with its former moment of change where nothing else of the object differs: a request about another object, as a
 * schedule that is written through its configuration, moves it too, and says nothing about this one.
 */
function withoutForeignWrite(before: ValueMap, now: ValueMap): ValueMap {
  const { updated_at: former } = before;
  if (typeof former !== "string") return now;
  const quiet = valueMap(Object.entries({ ...now, updated_at: former }));
  return sameValue(before, quiet) ? quiet : now;
}

interface Found {
  readonly node: TreeNode;
  readonly tree: Tree;
}

/** The very object of a state: the tree's, or, as lists may be late or cut short, what answers to its id. */
async function findLive(
  context: ResourceContext,
  resource: ResourceSchema,
  state: ValueMap,
): Promise<Found | undefined> {
  const { kind } = resource;
  const id = idIn(state["id"]);
  if (id === undefined) return undefined;
  const tree = await context.trees.read(kind.name);
  const node = tree.nodes.get(liveHandle(kind.name, id));
  if (node !== undefined && isSameObject(state, node)) return { node, tree };
  const anew = node === undefined ? findSavedAnew(context, resource, { state, tree }) : undefined;
  if (anew !== undefined) return { node: anew, tree };
  const hidden = node === undefined ? await findHidden(context, resource, { id, state, tree }) : undefined;
  if (hidden !== undefined) return hidden;
  const other = findAnsweredOtherwise(context, resource, { state, tree });
  return other && { node: other, tree };
}

/** An object that the lists do not show. */
async function findHidden(
  context: ResourceContext,
  resource: ResourceSchema,
  { id, state, tree }: { readonly id: number; readonly state: ValueMap; readonly tree: Tree },
): Promise<Found | undefined> {
  const { kind } = resource;
  const wire = await readObject(await scopeOf(context, resource), kind, id);
  if (wire === undefined) return undefined;
  const parentId = parentIdOf(resource, state);
  const parent =
    kind.parent !== undefined && parentId !== undefined ? { parent: liveHandle(kind.parent, parentId) } : {};
  const contents = new Map<string, string | Uint8Array>();
  const node = nodeFromWire({ kind, wire, hash: sha256, contents, ...parent });
  return isSameObject(state, node) ? { node, tree: { ...tree, contents } } : undefined;
}

/** The object with texts and files: those that the state has where they have not moved, else read. */
export async function withContents(
  context: ResourceContext,
  { kind }: ResourceSchema,
  { node, tree, bytes }: Found & { readonly bytes: PrivateBytes },
): Promise<LiveObject> {
  if (!hasContents(kind)) return liveNode(node, tree.contents);
  const { api, organization } = context.access;
  const filled = await fillContents(
    { nodes: new Map([[node.handle, node]]), contents: tree.contents },
    { api, organization: await organization(), kinds: [kind], hash: sha256, known: () => readPrivate(bytes) },
  );
  return liveNode(filled.nodes.get(node.handle) ?? node, filled.contents);
}

function hasContents(kind: AnyKind): boolean {
  return Object.values(kind.fields).some(({ content }) => content !== undefined);
}
