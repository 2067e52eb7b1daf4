import { isWithin } from "../model/address.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import type { State, StateResource } from "../state/state.ts";

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

/** A rename of an address, for itself and all below. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Leads every address of the state to its live object (engine.md 2.3). */
export function bindNodes(state: State, live: Tree, moves: readonly Move[]): Bindings {
  const byAddress = new Map<string, Binding>();
  const addressOf = new Map<string, string>();
  for (const [stored, resource] of Object.entries(state.resources)) {
    const address = movedAddress(stored, moves, state);
    const binding = bindOne(address, resource, live);
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

/** A move that is done, whose new address is bound already, may stay in the file. */
function movedAddress(address: string, moves: readonly Move[], state: State): string {
  const move = moves.find(({ from }) => isWithin(address, from));
  if (move === undefined) return address;
  const moved = move.to + address.slice(move.from.length);
  return moved in state.resources ? address : moved;
}
