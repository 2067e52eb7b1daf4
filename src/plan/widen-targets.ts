import { addressesAbove, parentAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { referredAddresses } from "../model/references.ts";
import type { TreeNode } from "../model/tree.ts";
import { nodeName } from "../model/tree.ts";
import type { Draft } from "./draft.ts";
import { draftEnds } from "./draft-ends.ts";
import type { Wishes } from "./draft-wishes.ts";
import { draftWishes } from "./draft-wishes.ts";
import { inSameScope } from "./find-live.ts";
import { liveBeside } from "./live-beside.ts";
import { isEnding } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";
import { problemAt, selectedBy } from "./plan-context.ts";

/** What a plan is about, drafted. */
export interface DraftedTargets {
  readonly context: PlanContext;
  readonly wishes: Wishes;
  /** The wishes, and what ends. */
  readonly owned: readonly Draft[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Drafts what the targets name, and widens them until nothing that is left out would be broken or stand in the way: what
 * lies below an object that goes, what still refers to it, what holds a name that is taken, what moves along with a key.
 * They are never widened to a delete that would not happen anyway: that is for the user to say.
 */
export function draftTargets(start: PlanContext): DraftedTargets {
  let context = start;
  for (;;) {
    const wishes = draftWishes(context);
    const owned = [...wishes.drafts, ...draftEnds(context)];
    const { more, problems } = missing(context, owned);
    if (more.length === 0 || context.selection === undefined) return { context, wishes, owned, problems };
    context = { ...context, ...selectedBy(context.selection.with(more)) };
  }
}

interface Missing {
  readonly more: readonly string[];
  readonly problems: readonly Diagnostic[];
}

/** A saved plan names everything that it changes, so it is never widened. */
function missing(context: PlanContext, drafts: readonly Draft[]): Missing {
  if (context.selection === undefined || context.input.options.saidMovesOnly) return { more: [], problems: [] };
  const needs = [
    ...movedAlong(context),
    ...goingAlong(context, drafts),
    ...stillReferring(context, drafts),
    ...drafts.flatMap((draft) => holdersOfName(context, draft)),
    ...drafts.flatMap((draft) => carrierOf(context, draft)),
  ].filter(({ address }) => !context.isSelected(address));
  return {
    more: needs.filter(({ isDelete }) => !isDelete).map(({ address }) => address),
    problems: needs.filter(({ isDelete }) => isDelete).map((need) => leftOut(context, need)),
  };
}

/** Something that the targets leave out and what is planned cannot do without. */
interface Need {
  readonly address: string;
  readonly neededBy: string;
  /** What it does to `neededBy`, after "which ". */
  readonly why: string;
  /** It would be deleted, which no widening may do. */
  readonly isDelete: boolean;
}

function leftOut(context: PlanContext, { address, neededBy, why }: Need): Diagnostic {
  const detail = `found ${address}, which ${why} and is to be deleted, outside the target; expected it inside. Name it too: --target '${address}'`;
  return problemAt(context, neededBy, {
    code: "LF3015",
    summary: `${neededBy} cannot be changed without ${address}`,
    detail,
  });
}

/** What lies below a key that moves moves too, and so does what stood where it goes. */
function movedAlong({ bindings, desired, isSelected }: PlanContext): readonly Need[] {
  const moved = [...bindings.byAddress.values()].filter(({ previousAddress }) => previousAddress !== undefined);
  const selected = moved.filter(({ address }) => isSelected(address));
  const roots = new Set(selected.map(({ previousAddress }) => previousAddress));
  const rooms = new Set(selected.map(({ address }) => address));
  return moved.flatMap(({ address, previousAddress = "" }) => {
    const isAlong = addressesAbove(previousAddress).some((above) => roots.has(above));
    const isNeeded = (isAlong && desired.nodes.has(address)) || rooms.has(previousAddress);
    return isNeeded ? [{ address, neededBy: previousAddress, why: "moves along", isDelete: false }] : [];
  });
}

/** Bound objects below one that goes are gone with it. */
function goingAlong(context: PlanContext, drafts: readonly Draft[]): readonly Need[] {
  const below = (handle: string): readonly TreeNode[] =>
    (context.liveChildren.get(handle) ?? []).flatMap((child) => [child, ...below(child.handle)]);
  return drafts
    .filter(({ change }) => isEnding(change))
    .flatMap(({ live, address: neededBy }) =>
      (live ? below(live.handle) : []).flatMap((node) => {
        const address = context.bindings.addressOf.get(node.handle);
        return address === undefined ? [] : [{ address, neededBy, why: "lies below it", isDelete: false }];
      }),
    );
}

/** What refers to an object that goes has to let it go first. */
function stillReferring(context: PlanContext, drafts: readonly Draft[]): readonly Need[] {
  const ending = new Set(drafts.filter(({ change }) => isEnding(change)).map(({ address }) => address));
  if (ending.size === 0) return [];
  return [...context.bindings.byAddress.values()].flatMap(({ address, live }) => {
    const kind = live && context.kinds.get(live.kind);
    if (live === undefined || kind === undefined || context.isSelected(address)) return [];
    const referred = referredAddresses(kind, context.resolver.live(kind, live.fields));
    const isDelete = !context.desired.nodes.has(address);
    return referred
      .filter((each) => ending.has(each))
      .map((neededBy) => ({ address, neededBy, why: "refers to it", isDelete }));
  });
}

/** What has a name that another object takes must have given it up. */
function holdersOfName(context: PlanContext, draft: Draft): readonly Need[] {
  const { kind, node, change, send, address: neededBy } = draft;
  const takes = change.action === "create" || change.action === "replace" || typeof send["name"] === "string";
  if (kind.naturalKey === undefined || node === undefined || !takes) return [];
  const name = nodeName(node);
  return liveBeside(context, draft, name).flatMap((holder) => {
    const address = context.bindings.addressOf.get(holder.handle);
    if (address === undefined || !inSameScope(context, { node, kind }, holder)) return [];
    const wish = context.desired.nodes.get(address);
    if (wish && nodeName(wish) === name) return [];
    return [{ address, neededBy, why: `is called ${JSON.stringify(name)}`, isDelete: wish === undefined }];
  });
}

/** What travels in its parent's request cannot go alone when the parent goes. */
function carrierOf(context: PlanContext, { kind, change, node, address: neededBy }: Draft): readonly Need[] {
  const isCut = kind.embedded && node === undefined && change.action === "delete";
  const parent = isCut ? parentAddress(neededBy) : undefined;
  if (parent === undefined) return [];
  return [{ address: parent, neededBy, why: "carries it", isDelete: !context.desired.nodes.has(parent) }];
}
