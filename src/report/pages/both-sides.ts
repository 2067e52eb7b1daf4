import type { Tree, TreeNode } from "../../model/tree.ts";
import type { Change } from "../../plan/plan.ts";

/** The objects of a project as they are at the service, and as they are declared. */
export interface BothSides {
  readonly live: Pick<Tree, "nodes">;
  readonly declared: Pick<Tree, "nodes">;
}

/** Both sides of a plan; `nodes` is everything that it is about. What it does not change is alike on both. */
export function bothSides(nodes: ReadonlyMap<string, TreeNode>, changes: readonly Change[]): BothSides {
  const [live, declared] = [new Map(nodes), new Map(nodes)];
  for (const { address, action, before } of changes) {
    const node = nodes.get(address);
    if (action === "create") live.delete(address);
    else if (node !== undefined && before !== undefined) live.set(address, { ...node, fields: before });
    if (action === "delete" || action === "forget") declared.delete(address);
  }
  return { live: { nodes: live }, declared: { nodes: declared } };
}
