import type { TreeNode } from "../model/tree.ts";
import type { Draft } from "./draft.ts";
import { isDormant } from "./find-live.ts";
import type { PlanContext } from "./plan-context.ts";
import { namedPlace } from "./plan-context.ts";

/** Live objects of a name where a wish is to stand, which is below the parent that it declares; none where that is yet to be made. */
export function liveBeside(
  { bindings, liveNamed }: PlanContext,
  { kind, node, live }: Pick<Draft, "kind" | "node" | "live">,
  name: string,
): readonly TreeNode[] {
  if (node === undefined) return [];
  const isTop = node.parent === undefined;
  const parent = isTop ? undefined : (bindings.byAddress.get(node.parent)?.live?.handle ?? live?.parent);
  if (parent === undefined && !isTop) return [];
  return (liveNamed.get(namedPlace(kind, parent, name)) ?? []).filter((holder) => !isDormant(kind, holder));
}
