import { groupBy } from "../model/group-by.ts";
import type { Operation } from "../plan/plan.ts";
import type { ApplyContext } from "./apply-context.ts";
import { intentsOf } from "./write-request.ts";

/** Resolves once the store knows of all creates of an operation's generation. */
export type Announce = (operation: Operation) => Promise<void>;

/**
 * Announces creates by generations of the plan's order (docs/engine.md, Journal and recovery): parents, then children, whatever becomes ready
 * when. A store that writes its state as a whole then writes once for all of them; others are told of each as it is sent.
 */
export function announceCreates(context: ApplyContext): Announce {
  const announce = context.session.announce;
  if (announce === undefined) return async () => undefined;
  const depths = depthsOf(context.plan.operations);
  const depthOf = ({ id }: Operation) => depths.get(id) ?? 0;
  const generations = groupBy(context.plan.operations, depthOf);
  const told = new Map<number, Promise<void>>();
  return (operation) => {
    const depth = depthOf(operation);
    const known = told.get(depth);
    if (known) return known;
    const open = generations.get(depth)?.filter(isAnnounced) ?? [];
    const intents = open.flatMap((each) => intentsOf(context, each));
    const telling = intents.length === 0 ? Promise.resolve() : announce(intents);
    told.set(depth, telling);
    return telling;
  };
}

/** What takes an address while another object stands there is stored together with the other's new place. */
function isAnnounced({ unapproved, deposes }: Operation): boolean {
  return unapproved !== true && deposes === undefined;
}

/** How many operations stand before each in a row; a plan lists them in an order that respects its dependencies. */
function depthsOf(operations: readonly Operation[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { id, after } of operations)
    depths.set(
      id,
      after.reduce((depth, before) => Math.max(depth, (depths.get(before) ?? -1) + 1), 0),
    );
  return depths;
}
