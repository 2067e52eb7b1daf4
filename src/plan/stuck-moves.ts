import { isWithin } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { PlanContext } from "./plan-context.ts";
import { selectedWithin } from "./selected-within.ts";

/**
 * Moves that are said and cannot be made, because an object stands at either end: to delete the one that moved would be the
 * opposite of what was said (docs/engine.md, Moves and names). A target within either end meets them too.
 */
export function stuckMoves(context: PlanContext): readonly Diagnostic[] {
  const { input, bindings, desired } = context;
  if (input.options.destroy) return [];
  const standing = (address: string) => bindings.byAddress.get(address)?.live !== undefined;
  const isForgotten = (address: string) =>
    input.removed.some((block) => !block.destroy && isWithin(address, block.address));
  const isMeant = selectedWithin(context);
  return input.moved
    .filter(({ from, to }) => standing(from) && standing(to) && desired.nodes.has(to))
    .filter(({ from }) => !desired.nodes.has(from) && !isForgotten(from))
    .filter(({ from, to }) => isMeant(from) || isMeant(to))
    .map(({ from, to }) => {
      const detail = `found an object at ${from} and another one at ${to}; expected one of them. To keep the first, take the second out of the project, apply, and say it again; to let the first go, take the entry out of moved:`;
      return { severity: "error", code: "LF3011", summary: `${from} cannot become ${to}`, detail, address: from };
    });
}
