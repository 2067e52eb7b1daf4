import { referredHandles } from "../model/references.ts";
import type { TreeNode } from "../model/tree.ts";
import type { Draft } from "./draft.ts";
import type { LooseOperation } from "./make-operations.ts";
import { operationId } from "./make-operations.ts";
import { isEnding } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";

/** What the objects that go along with a delete, by no request of their own, add to the order. */
export interface Cascades {
  /** Operations without the deletes that can only happen together with that of the object around them. */
  readonly operations: readonly LooseOperation[];
  /** Ids of operations by those that they are a part of now. */
  readonly partOf: ReadonlyMap<string, string>;
  /** `[after, before]`. */
  readonly edges: readonly (readonly [string, string])[];
}

/**
 * What somebody else left below an object that goes may use what goes too: a configuration that runs our scenario. That can
 * be deleted only after it, or together with it.
 */
export function findCascades(
  context: PlanContext,
  drafts: readonly Draft[],
  operations: readonly LooseOperation[],
): Cascades {
  const going = goingByHandle(drafts);
  const partOf = new Map<string, string>();
  const edges: (readonly [string, string])[] = [];
  for (const [top, draft] of going)
    for (const used of new Set(usedBelow(context, top, going))) {
      const target = going.get(used);
      if (target === undefined || used === top) continue;
      const pair = [operationId("delete", target.address), operationId("delete", draft.address)] as const;
      if (isBelow(context, used, top)) partOf.set(...pair);
      else edges.push(pair);
    }
  return { operations: partOf.size === 0 ? operations : merged(operations, partOf), partOf, edges };
}

function goingByHandle(drafts: readonly Draft[]): ReadonlyMap<string, Draft> {
  const going = drafts.filter(({ kind, change }) => !kind.embedded && isEnding(change));
  return new Map(going.flatMap((draft) => (draft.live ? [[draft.live.handle, draft] as const] : [])));
}

/** Handles of what is used by objects that no delete of their own takes. */
function usedBelow(context: PlanContext, top: string, going: ReadonlyMap<string, Draft>): readonly string[] {
  return (context.liveChildren.get(top) ?? [])
    .filter(({ handle }) => !going.has(handle))
    .flatMap((node) => [...usedBy(context, node), ...usedBelow(context, node.handle, going)]);
}

function usedBy({ kinds }: PlanContext, node: TreeNode): readonly string[] {
  const kind = kinds.get(node.kind);
  return kind ? referredHandles(kind, node.fields) : [];
}

function isBelow({ input }: PlanContext, handle: string, top: string): boolean {
  for (let up = input.live.nodes.get(handle)?.parent; up !== undefined; up = input.live.nodes.get(up)?.parent)
    if (up === top) return true;
  return false;
}

/** Bindings of what is deleted together end together. */
function merged(operations: readonly LooseOperation[], partOf: ReadonlyMap<string, string>): readonly LooseOperation[] {
  const parts = new Map<string, string[]>();
  for (const { id, address, ends } of operations) {
    const whole = partOf.get(id);
    if (whole !== undefined) parts.set(whole, [...(parts.get(whole) ?? []), ...(ends ?? [address])]);
  }
  return operations
    .filter(({ id }) => !partOf.has(id))
    .map((operation) => {
      const more = parts.get(operation.id);
      return more === undefined ? operation : { ...operation, ends: [...(operation.ends ?? []), ...more] };
    });
}
