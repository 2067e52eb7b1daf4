import type { State, StateResource } from "../state/state.ts";
import { followReferences } from "./moved-address.ts";
import type { Plan } from "./plan.ts";

/**
 * Bindings once what needs no request is settled. Those that the plan does not speak of follow what moved too: a key that
 * changes later is only known as such by what was applied under the former one (docs/engine.md, Moves and names).
 */
export function settleBindings(
  resources: State["resources"],
  { settles, changes }: Pick<Plan, "settles" | "changes">,
): State["resources"] {
  const settled = Object.entries({ ...resources, ...settles });
  const bound = settled.filter((entry): entry is [string, StateResource] => entry[1] !== null);
  const moved = new Map(
    changes.flatMap(({ address, previousAddress }) =>
      previousAddress === undefined ? [] : [[previousAddress, address] as const],
    ),
  );
  if (moved.size === 0) return Object.fromEntries(bound);
  return Object.fromEntries(
    bound.map(([address, resource]) => [address, { ...resource, applied: followReferences(resource.applied, moved) }]),
  );
}
