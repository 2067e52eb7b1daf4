import type { Tree, TreeNode } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import type { State, StateResource } from "../state/state.ts";
import type { Move } from "./moved-address.ts";
import { followReferences, movedAddresses } from "./moved-address.ts";

/** What an address of the state leads to. */
export interface Binding {
  readonly address: string;
  /** Where it stood in the state before `moved:`. */
  readonly previousAddress?: string;
  readonly resource: StateResource;
  /** The live object, when it is still the same one. */
  readonly live?: TreeNode;
  /** Another object has its id now: the service was reset. */
  readonly foreign?: TreeNode;
}

/** Bindings by address, and addresses by live handle. */
export interface Bindings {
  readonly byAddress: ReadonlyMap<string, Binding>;
  readonly addressOf: ReadonlyMap<string, string>;
}

/** Leads every address of the state to its live object (docs/engine.md, Identity). */
export function bindNodes(state: State, live: Tree, moves: readonly Move[]): Bindings {
  const byAddress = new Map<string, Binding>();
  const addressOf = new Map<string, string>();
  const moved = moves.length === 0 ? undefined : movedAddresses(state.resources, moves);
  for (const [stored, resource] of Object.entries(state.resources)) {
    const address = moved?.get(stored) ?? stored;
    const applied = moved ? followReferences(resource.applied, moved) : resource.applied;
    const binding = bindOne(address, moved ? { ...resource, applied } : resource, live);
    byAddress.set(address, address === stored ? binding : { ...binding, previousAddress: stored });
    if (binding.live) addressOf.set(binding.live.handle, address);
  }
  return { byAddress, addressOf };
}

function bindOne(address: string, resource: StateResource, live: Tree): Binding {
  const found = live.nodes.get(liveHandle(resource.kind, resource.id));
  if (found === undefined) return { address, resource };
  return found.identity?.createdAt === resource.createdAt
    ? { address, resource, live: found }
    : { address, resource, foreign: found };
}
