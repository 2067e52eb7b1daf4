import { kinds } from "../kinds/index.ts";
import { parentAddress } from "../model/address.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { type ObjectGraph, objectGraph } from "../model/graph/object-graph.ts";
import type { TreeNode } from "../model/tree.ts";
import type { Change } from "../plan/plan.ts";
import { orExplained } from "./explain-failure.ts";
import { type LoadedProject, loadFolder, offline } from "./open-project.ts";
import type { PlanOutcome } from "./plan-opened.ts";
import type { ProjectFlags, System } from "./system.ts";

/** The graph of a project's declared objects; without service, state or credentials. */
export async function graphProject(
  flags: ProjectFlags,
  system: System,
): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  /** Absent where the project has errors. */
  readonly drawn?: { readonly project: LoadedProject; readonly graph: ObjectGraph };
}> {
  return orExplained(
    async () => {
      const project = await loadFolder(flags, system, offline);
      const { diagnostics, tree } = project;
      return hasErrors(diagnostics)
        ? { diagnostics }
        : { diagnostics, drawn: { project, graph: objectGraph(tree, kinds) } };
    },
    (diagnostics) => ({ diagnostics }),
  );
}

/** The graph of everything that a plan is about. */
export function plannedGraph(outcome: PlanOutcome): ObjectGraph {
  return objectGraph({ nodes: plannedNodes(outcome) }, kinds);
}

/** Everything that a plan is about: what is declared, and what it deletes or forgets. */
export function plannedNodes({ plan, made }: PlanOutcome): ReadonlyMap<string, TreeNode> {
  const nodes = new Map(made?.project.tree.nodes);
  const others = (plan?.changes ?? []).filter(({ address }) => !nodes.has(address));
  for (const change of others) nodes.set(change.address, undeclaredNode(change));
  for (const { address } of others) {
    const node = nodes.get(address);
    const parent = parentAddress(address);
    if (node && parent !== undefined && nodes.has(parent)) nodes.set(address, { ...node, parent });
  }
  return nodes;
}

function undeclaredNode({ address: handle, kind, before = {} }: Change): TreeNode {
  return { handle, kind, key: handle.slice(handle.lastIndexOf("/") + kind.length + 2), fields: before };
}
