import { isContentMark } from "../model/fingerprint.ts";
import type { JsonObject } from "../model/json.ts";
import { sameJson } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { TreeNode } from "../model/tree.ts";
import type { StateResource } from "../state/state.ts";
import { refersTo, same } from "./diff-fields.ts";
import type { Progress } from "./draft-desired.ts";
import { isDormant } from "./find-live.ts";
import type { PlanContext } from "./plan-context.ts";

/**
 * The live object of a wish when wish, binding and live object plainly say the same: a draft of it would be a no-op with
 * nothing to store. Most objects of most plans are such, so they are told apart cheaply; undefined is not yet a change.
 */
export function settledLive(context: PlanContext, node: TreeNode, progress: Progress): TreeNode | undefined {
  const kind = context.kinds.get(node.kind);
  const binding = context.bindings.byAddress.get(node.handle);
  if (kind === undefined || binding?.live === undefined || binding.previousAddress !== undefined) return undefined;
  const { live, resource } = binding;
  const parent = node.parent === undefined ? undefined : progress.liveOf.get(node.parent);
  const stays = live.parent === parent && !isDormant(kind, live) && !context.mustReplace(node.handle);
  if (!stays || !isBoundAs(context, node, { live, resource })) return undefined;
  return isAsApplied(context, { kind, node, live, resource, progress }) ? live : undefined;
}

/** What a binding says besides the fields; an object with secrets is left to the full comparison. */
function isBoundAs(
  { input }: PlanContext,
  { sensitive, lifecycle }: TreeNode,
  { live, resource }: { readonly live: TreeNode; readonly resource: StateResource },
): boolean {
  const parent = live.parent === undefined ? undefined : input.live.nodes.get(live.parent)?.identity?.id;
  return (
    sensitive === undefined &&
    resource.secrets === undefined &&
    resource.parent === parent &&
    sameJson(resource.seen, live.seen) &&
    (resource.protect ?? false) === (lifecycle?.protect ?? false) &&
    sameJson(resource.ignore, lifecycle?.ignore)
  );
}

interface BoundWish {
  readonly kind: AnyKind;
  readonly node: TreeNode;
  readonly live: TreeNode;
  readonly resource: StateResource;
  readonly progress: Progress;
}

/** Every declared field is as it was applied and as it stands, nothing else was applied, and every reference leads somewhere. */
function isAsApplied({ resolver }: PlanContext, { kind, node, live, resource, progress }: BoundWish): boolean {
  const desired = resolver.desired(kind, node.fields);
  const standing = resolver.live(kind, live.fields);
  const { applied, content = none } = resource;
  let contents = 0;
  let declared = 0;
  for (const name in desired) {
    const value = desired[name];
    const isContent = isContentMark(value);
    if (isContent ? value.$content !== content[name] : !sameJson(value, applied[name])) return false;
    if (value === undefined || !same(value, standing[name]) || refersTo(value, progress.renewed)) return false;
    if (isContent) contents++;
    else declared++;
  }
  return declared === size(applied) && contents === size(content) && resolver.lost(kind, node.fields).length === 0;
}

const none: Readonly<Record<string, string>> = {};

function size(object: JsonObject | Readonly<Record<string, string>>): number {
  return Object.keys(object).length;
}
