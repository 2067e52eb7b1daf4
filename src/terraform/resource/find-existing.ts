import { same } from "../../model/fingerprint.ts";
import type { JsonObject } from "../../model/json.ts";
import { type AnyKind, isDeactivated } from "../../model/kind.ts";
import { inSameScope } from "../../model/normal-form.ts";
import { liveHandle, type Tree, type TreeNode } from "../../model/tree.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { errorAt, ProviderProblem } from "./provider-problem.ts";
import { nameKey, type ResourceContext } from "./resource-context.ts";

/** What is about to be created. */
export interface NewPlace {
  readonly resource: ResourceSchema;
  readonly fields: JsonObject;
  readonly parentId: number | undefined;
}

/** How old an object may be to be taken for that of a create whose answer was lost in a crash. */
const recentlyMs = 3_600_000;

/**
 * Looks for what a create would collide with (docs/engine.md, Identity). Answers the object to bind instead where the
 * provider block says `adopt_existing = "created_recently"`; otherwise a match is an error with the block that imports it.
 */
export async function findExisting(context: ResourceContext, place: NewPlace): Promise<TreeNode | undefined> {
  const { kind } = place.resource;
  const isGiven = context.given.has(nameKey(place.resource, { ...place, name: place.fields["name"] }));
  if (!isGiven && matches(context, place, await context.trees.recent(kind.name)).length === 0) return undefined;
  let found: readonly TreeNode[] = [];
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await context.access.sleep(pauseMs);
    context.trees.drop();
    found = matches(context, place, await context.trees.read(kind.name));
    const [only] = found;
    if (only === undefined) return undefined;
    if (found.length === 1 && mayAdopt(context, place, only)) return only;
    if (context.access.stopped.aborted) break;
  }
  throw new ProviderProblem([taken(context, place, found)]);
}

/** Terraform deletes and creates at the same time: a resource under another address may still have its former object in the way. */
const pausesMs = [0, 250, 750, 2_000];

function mayAdopt({ access, isKnown }: ResourceContext, place: NewPlace, node: TreeNode): boolean {
  const age = access.now() - Date.parse(node.identity?.createdAt ?? "");
  const isRecent = access.settings.adoptsRecent && age <= recentlyMs;
  return isRecent && !isKnown(node.handle) && canBecome(place, node);
}

/** Whether an update could bring it to what is desired: it may be the very object that a replacement is to take the place of. */
function canBecome({ resource, fields }: NewPlace, node: TreeNode): boolean {
  return resource.attributes.every(({ source, requiresReplace }) => {
    const name = source.is === "field" ? source.path[0] : undefined;
    if (!requiresReplace || name === undefined || fields[name] === undefined) return true;
    return same(fields[name], node.fields[name]);
  });
}

/** Objects of the kind, parent and name that are not this configuration's. */
function matches(context: ResourceContext, place: NewPlace, tree: Tree): readonly TreeNode[] {
  const { kind } = place.resource;
  const parent = kind.parent === undefined ? undefined : liveHandle(kind.parent, place.parentId ?? -1);
  return [...tree.nodes.values()].filter(
    (node) =>
      node.kind === kind.name &&
      node.parent === parent &&
      !isOurs(context, kind, node.handle) &&
      !isDeactivated(kind, node) &&
      isSameName(kind, place.fields, node.fields),
  );
}

/** Siblings may share a name unless it is unique: then one of ours is in the way too. */
function isOurs({ isKnown, deleted }: ResourceContext, kind: AnyKind, handle: string): boolean {
  return deleted.has(handle) || (kind.naturalKey === undefined && isKnown(handle));
}

function isSameName(kind: AnyKind, desired: JsonObject, live: JsonObject): boolean {
  const hasName = kind.fields["name"] !== undefined && same(desired["name"], live["name"]);
  return hasName && inSameScope(kind, desired, live);
}

function taken({ isKnown }: ResourceContext, { resource, fields }: NewPlace, found: readonly TreeNode[]) {
  const { type, kind } = resource;
  const ids = found.map(({ identity }) => String(identity?.id));
  const name = JSON.stringify(fields["name"] ?? "");
  const summary = `${type} ${name} exists already`;
  if (found.length > 1) {
    const detail = `There are ${ids.length} of this name here (ids ${ids.join(", ")}). Rename or delete them at the service, or take one over with an import block`;
    return errorAt(["name"], summary, detail);
  }
  const there = `${type} with id ${ids[0]} has this name`;
  if (isKnown(liveHandle(kind.name, Number(ids[0])))) {
    const detail = `${there}, and is another resource of this configuration: two may not share one here. Write another name; where this one replaces it (create_before_destroy), it can be changed to this one later`;
    return errorAt(["name"], summary, detail);
  }
  const block = `import {\n  to = ${type}.<name>\n  id = "${ids[0]}"\n}`;
  const later = kind.naturalKey === undefined ? "; after that apply it can be changed to this one" : "";
  const detail = `${there}. If a resource of this configuration has it, as terraform state list -id=${ids[0]} shows, or this one replaces it (create_before_destroy), write another name${later}. Otherwise, to manage it here, add this block and apply again; <name> is that of your resource:\n\n${block}`;
  return errorAt(["name"], summary, detail);
}
