import type { TreeNode } from "../model/tree.ts";
import type { Draft } from "./draft.ts";
import { draftDesired } from "./draft-desired.ts";
import type { PlanContext } from "./plan-context.ts";
import { settledLive } from "./settled-live.ts";

/** What the wishes come to. */
export interface Wishes {
  readonly drafts: readonly Draft[];
  /** Wishes that are plainly fulfilled already. */
  readonly settled: readonly TreeNode[];
  readonly progress: Tracked;
}

interface Tracked {
  readonly liveOf: Map<string, string>;
  readonly renewed: Set<string>;
}

/** Every wish, kind by kind, so that parents and what is referred to are known before what needs them. */
export function draftWishes(context: PlanContext): Wishes {
  const progress: Tracked = { liveOf: new Map(), renewed: new Set() };
  const drafts: Draft[] = [];
  const settled: TreeNode[] = [];
  for (const node of inKindOrder(context)) {
    const isSelected = context.isSelected(node.handle);
    const live = isSelected ? settledLive(context, node, progress) : context.bindings.byAddress.get(node.handle)?.live;
    if (live) progress.liveOf.set(node.handle, live.handle);
    if (isSelected && live) settled.push(node);
    else if (isSelected) drafts.push(...draftOne(context, node, progress));
  }
  return { drafts, settled, progress };
}

function inKindOrder({ input, desired }: PlanContext): readonly TreeNode[] {
  const ofKind = new Map<string, TreeNode[]>(input.kinds.map((kind) => [kind.name, []]));
  for (const node of desired.nodes.values()) ofKind.get(node.kind)?.push(node);
  return [...ofKind.values()].flat();
}

/** One wish, remembered for those that need it. */
export function draftOne(context: PlanContext, node: TreeNode, progress: Tracked): readonly Draft[] {
  const draft = draftDesired(context, node, progress);
  if (draft === undefined) return [];
  const { action, reason } = draft.change;
  if (draft.live && context.bindings.addressOf.get(draft.live.handle) !== node.handle)
    context.adopted.set(draft.live.handle, node.handle);
  if (draft.live && action !== "replace") progress.liveOf.set(node.handle, draft.live.handle);
  if (action === "replace" || (action === "create" && reason !== undefined)) progress.renewed.add(node.handle);
  return [draft];
}
