import type { AnyKind } from "../model/kind.ts";
import type { TreeNode } from "../model/tree.ts";
import { liveStep, nodeName } from "../model/tree.ts";
import type { Draft } from "./draft.ts";
import { isEnding } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";
import { namedPlace } from "./plan-context.ts";

/** A live object below a test case that says `unmanaged: delete`, which is nobody's here and which no wish could mean. */
export interface Undeclared {
  readonly live: TreeNode;
  readonly kind: AnyKind;
  /** Address of its parent, and its kind and id. */
  readonly address: string;
  /** Address of the test case. */
  readonly owner: string;
}

/** What planning knows of the wishes and of what ends. */
interface Known {
  readonly drafts: readonly Draft[];
  /** Handle of an address's live object, when it has one that stays. */
  readonly liveOf: ReadonlyMap<string, string>;
}

/** Undeclared objects that the plan is about, parents first, and the test cases that want them gone. */
export function findUndeclared(
  context: PlanContext,
  known: Known,
): { readonly undeclared: readonly Undeclared[]; readonly owners: readonly string[] } {
  const wanting = [...context.desired.nodes.values()].filter(({ lifecycle }) => lifecycle?.unmanaged === "delete");
  if (wanting.length === 0) return { undeclared: [], owners: [] };
  const search = searchOf(context, known);
  const undeclared = wanting.flatMap(({ handle: owner }) => {
    const top = known.liveOf.get(owner) ?? context.bindings.byAddress.get(owner)?.live?.handle;
    return top === undefined ? [] : below(search, { owner, handle: top, address: owner, isGoing: false });
  });
  return { undeclared, owners: wanting.map(({ handle }) => handle) };
}

interface Search {
  readonly context: PlanContext;
  /** Addresses of live objects that are ours, or become it. */
  readonly ours: ReadonlyMap<string, string>;
  /** Live objects that a delete or replacement takes. */
  readonly going: ReadonlySet<string | undefined>;
  /** Places in which a wish without an object looks for its own (docs/engine.md, Identity). */
  readonly awaited: ReadonlySet<string>;
}

function searchOf(context: PlanContext, { drafts, liveOf }: Known): Search {
  const ours = new Map(context.bindings.addressOf);
  for (const { address, live } of drafts) if (live) ours.set(live.handle, address);
  const awaited = new Set<string>();
  for (const node of context.desired.nodes.values()) {
    const kind = context.kinds.get(node.kind);
    const parent = node.parent === undefined ? undefined : liveOf.get(node.parent);
    const isFound = liveOf.has(node.handle) || context.bindings.byAddress.get(node.handle)?.live !== undefined;
    if (kind?.fields["name"] === undefined || isFound) continue;
    awaited.add(namedPlace(kind, parent, nodeName(node)));
  }
  return {
    context,
    ours,
    going: new Set(drafts.filter(({ change }) => isEnding(change)).map(({ live }) => live?.handle)),
    awaited,
  };
}

interface Place {
  readonly owner: string;
  readonly handle: string;
  readonly address: string;
  /** It goes, and takes what is below along. */
  readonly isGoing: boolean;
}

function below(search: Search, { owner, handle, address, isGoing }: Place): readonly Undeclared[] {
  const { context, ours, going } = search;
  return (context.liveChildren.get(handle) ?? []).flatMap((live) => {
    const known = ours.get(live.handle);
    const at = known ?? `${address}/${liveStep(live)}`;
    const kind = context.kinds.get(live.kind);
    const isWanted = known === undefined && isWithinReach(context, { kind, at, address, isGoing });
    const isTaken = isWanted && !isAwaited(search, kind, live);
    const next = { owner, handle: live.handle, address: at, isGoing: isTaken || going.has(live.handle) };
    const own = isTaken && kind ? [{ live, kind, address: at, owner }] : [];
    return [...own, ...below(search, next)];
  });
}

/** What travels in the request of its parent goes only when the plan is about the parent. */
function isWithinReach(
  { isTarget, isSelected }: PlanContext,
  of: { readonly kind: AnyKind | undefined; readonly at: string; readonly address: string; readonly isGoing: boolean },
): boolean {
  return of.isGoing || (isTarget(of.at) && (!of.kind?.embedded || isSelected(of.address)));
}

function isAwaited({ awaited }: Search, kind: AnyKind | undefined, live: TreeNode): boolean {
  return kind?.fields["name"] !== undefined && awaited.has(namedPlace(kind, live.parent, nodeName(live)));
}
