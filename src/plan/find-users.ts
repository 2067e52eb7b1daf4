import type { AnyKind } from "../model/kind.ts";
import { kindReferencePaths, referredHandles } from "../model/references.ts";
import type { TreeNode } from "../model/tree.ts";
import type { Draft } from "./draft.ts";

import type { PlanContext } from "./plan-context.ts";
import { liveAddress, openName } from "./plan-context.ts";

/**
 * What stays and uses an object that a delete or replacement takes, in words, by the address of that; the service refuses
 * such a delete. Users that are ours let it go first, so mostly these are somebody else's.
 */
export function findUsers(
  context: PlanContext,
  drafts: readonly Draft[],
  ending: readonly Draft[],
): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  if (ending.length === 0) return users;
  const taken = takenBy(context, ending);
  const sends = new Map(drafts.flatMap(({ live, send }) => (live ? [[live.handle, send] as const] : [])));
  for (const node of context.input.live.nodes.values()) {
    const kind = context.kinds.get(node.kind);
    if (kind === undefined || kindReferencePaths(kind).length === 0 || taken.has(node.handle)) continue;
    if (isLeftOut(context, node)) continue;
    for (const used of new Set(
      referredHandles(kind, usingFields(kind, { ...node.fields, ...sends.get(node.handle) })),
    )) {
      const address = taken.get(used);
      if (address !== undefined) users.set(address, [...(users.get(address) ?? []), inWords(context, node)]);
    }
  }
  return users;
}

/** Handles of all that goes, with the address of the nearest object that is deleted or replaced by a request of its own. */
function takenBy(context: PlanContext, ending: readonly Draft[]): ReadonlyMap<string, string> {
  const taken = new Map(ending.flatMap(({ live, address }) => (live ? [[live.handle, address] as const] : [])));
  const below = (handle: string, address: string): void => {
    for (const child of context.liveChildren.get(handle) ?? []) {
      if (taken.has(child.handle)) continue;
      taken.set(child.handle, address);
      below(child.handle, address);
    }
  };
  for (const [handle, address] of [...taken]) below(handle, address);
  return taken;
}

/** What a `--target` leaves out is spoken of there (widen-targets.ts). */
function isLeftOut({ bindings, isSelected }: PlanContext, { handle }: TreeNode): boolean {
  const ours = bindings.addressOf.get(handle);
  return ours !== undefined && !isSelected(ours);
}

/** A region stands in its grid: that is no use of it, for it goes along. */
function usingFields({ naturalKey }: AnyKind, fields: TreeNode["fields"]): TreeNode["fields"] {
  if (typeof naturalKey !== "object") return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== naturalKey.within));
}

function inWords(context: PlanContext, node: TreeNode): string {
  const address = liveAddress(context, node);
  return context.bindings.addressOf.has(node.handle)
    ? address
    : `${address} ${JSON.stringify(openName(context, node))}`;
}
