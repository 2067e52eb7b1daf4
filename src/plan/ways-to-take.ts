import type { TreeNode } from "../model/tree.ts";
import { placeWords } from "./command-place.ts";
import type { PlanInput } from "./plan-input.ts";

/** The commands that bind what is there already (docs/engine.md, Identity): with what is declared, or, by an import, as it stands. */
export function waysToTake(
  input: PlanInput,
  node: TreeNode,
  { live, isAsDeclared }: { readonly live: TreeNode; readonly isAsDeclared: boolean },
): string {
  const { environment, desired, folder } = input;
  const hasChildren = [...desired.nodes.values()].some(({ parent }) => parent === node.handle);
  const target = hasChildren ? `${node.handle}/**` : node.handle;
  const adopting = `To take it over with what is declared:\n  loadform apply${placeWords(input)} --adopt name --target '${target}'`;
  const inFolder = folder === undefined ? {} : { folder };
  // An import is one of the project without an environment.
  if (environment !== undefined) return adopting;
  const other = isAsDeclared
    ? "It stands as it is declared, so an import binds it too, with what else is there:"
    : "To take it over as it stands, take its declaration out of the project and run:";
  return `${adopting}\n${other}\n  loadform import${placeWords(inFolder)} ${imported(input, live)}`;
}

/** What holds others can be imported by itself, with all below it. */
function imported({ kinds, live: { nodes } }: PlanInput, live: TreeNode): string {
  const top = topOf(live, nodes);
  const holdsOthers = kinds.some(({ parent }) => parent === top.kind);
  return holdsOthers ? `--test-case ${top.identity?.id}` : "--all";
}

function topOf(node: TreeNode, nodes: PlanInput["live"]["nodes"]): TreeNode {
  const above = node.parent === undefined ? undefined : nodes.get(node.parent);
  return above === undefined ? node : topOf(above, nodes);
}
