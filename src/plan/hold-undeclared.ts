import { referredHandles } from "../model/references.ts";
import type { TreeNode } from "../model/tree.ts";
import type { Draft } from "./draft.ts";
import type { Undeclared } from "./find-undeclared.ts";
import { isEnding } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";
import { liveAddress } from "./plan-context.ts";

/** Undeclared objects that cannot go because something that stays needs them: by live handle, who that is. */
export function findHolders(
  context: PlanContext,
  drafts: readonly Draft[],
  undeclared: readonly Undeclared[],
): ReadonlyMap<string, string> {
  const held = new Map<string, string>();
  if (undeclared.length === 0) return held;
  const candidates = new Map(undeclared.map((each) => [each.live.handle, each]));
  const hold = (handle: string | undefined, holder: string): void => {
    const found = handle === undefined ? undefined : candidates.get(handle);
    if (found === undefined || held.has(found.live.handle)) return;
    held.set(found.live.handle, holder);
    hold(found.live.parent, found.address);
    for (const needed of referredHandles(found.kind, found.live.fields)) hold(needed, found.address);
    for (const child of context.liveChildren.get(found.live.handle) ?? []) hold(child.handle, found.address);
  };
  for (const { address, handles } of wishedReferences(context)) for (const each of handles) hold(each, address);
  for (const { node, address, handles } of standing(context, drafts, candidates)) {
    hold(node.parent, address);
    for (const each of handles) hold(each, address);
  }
  return held;
}

interface Referring {
  readonly address: string;
  readonly handles: readonly string[];
}

/** What the project refers to, planned now or not. */
function wishedReferences({ desired, kinds, resolver }: PlanContext): readonly Referring[] {
  return [...desired.nodes.values()].flatMap((node) => {
    const kind = kinds.get(node.kind);
    return kind ? [{ address: node.handle, handles: referredHandles(kind, resolver.desired(kind, node.fields)) }] : [];
  });
}

/** Live objects that stay, with what they will refer to. */
function standing(
  context: PlanContext,
  drafts: readonly Draft[],
  candidates: ReadonlyMap<string, Undeclared>,
): readonly (Referring & { readonly node: TreeNode })[] {
  const byHandle = new Map(drafts.flatMap((draft) => (draft.live ? [[draft.live.handle, draft] as const] : [])));
  return [...context.input.live.nodes.values()].flatMap((node) => {
    const kind = context.kinds.get(node.kind);
    const draft = byHandle.get(node.handle);
    const isGoing = draft !== undefined && isEnding(draft.change);
    if (kind === undefined || isGoing || candidates.has(node.handle)) return [];
    const fields = { ...node.fields, ...draft?.send };
    return [{ node, address: liveAddress(context, node), handles: referredHandles(kind, fields) }];
  });
}
