import { getOrMake, groupBy } from "../model/group-by.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { usualTimeoutMs } from "../model/service-error.ts";
import type { Operation } from "../plan/plan.ts";
import { traceableFields } from "../remote/find-lost-create.ts";
import type { CreateIntent } from "../state/state.ts";
import type { ApplyContext } from "./apply-context.ts";

/**
 * Announces creates by generations of the plan's order (docs/engine.md, Journal and recovery): parents, then children, whatever becomes ready
 * when. A store that writes its state as a whole then writes once for all of them; others record each create as it is sent.
 * The function resolves once the store knows of all creates of an operation's generation.
 */
export function announceCreates(context: ApplyContext): (operation: Operation) => Promise<void> {
  const announce = context.session.announce;
  if (announce === undefined) return async () => undefined;
  const depths = depthsOf(context.plan.operations);
  const depthOf = ({ id }: Operation) => depths.get(id) ?? 0;
  const generations = groupBy(context.plan.operations, depthOf);
  const told = new Map<number, Promise<void>>();
  return (operation) => {
    const depth = depthOf(operation);
    return getOrMake(told, depth, () => {
      // Not one whose address is bound to the replaced object: its new address is stored with the intent.
      const isAnnounced = ({ unapproved, deposes }: Operation) => unapproved !== true && deposes === undefined;
      const pending = generations.get(depth)?.filter(isAnnounced) ?? [];
      const intents = pending.flatMap((each) => intentsOf(context, each));
      return intents.length === 0 ? Promise.resolve() : announce(intents);
    });
  };
}

/** The length of the longest chain of operations before each; a plan lists them in an order that respects its dependencies. */
function depthsOf(operations: readonly Operation[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { id, after } of operations)
    depths.set(
      id,
      after.reduce((depth, before) => Math.max(depth, (depths.get(before) ?? -1) + 1), 0),
    );
  return depths;
}

/** The intents of a request: one for the object when it makes one, one for each inline child that it makes. */
export function intentsOf(context: ApplyContext, operation: Operation): readonly CreateIntent[] {
  if (operation.op !== "create" && operation.inlineChildren === undefined) return [];
  const kind = context.kindOf(operation.kind);
  const own = context.resources.get(operation.address)?.id;
  const makesObject = operation.op === "create";
  const self = makesObject ? [intentOf(context, kind, operation)] : [];
  const { inlineChildren } = operation;
  if (inlineChildren === undefined) return self;
  const childKind = context.kindOf(inlineChildren.kind);
  const children = inlineChildren.items
    .filter((item) => item.address !== undefined && item.id === undefined)
    .map(
      (item): CreateIntent => ({
        address: item.address ?? operation.address,
        kind: childKind.name,
        parent: operation.address,
        preIds: makesObject || own === undefined ? [] : context.idsUnder(childKind, own),
        sent: traceableFields(childKind, item.fields),
        ...sendingTime(context),
      }),
    );
  return [...self, ...children];
}

function intentOf(context: ApplyContext, kind: AnyKind, operation: Operation): CreateIntent {
  const { parent } = operation;
  const isUnderNew = parent !== undefined && context.plannedCreates.has(parent);
  // Until a replaced parent is created, its address is bound to the old object.
  const isMissing = isUnderNew && !context.touched.has(parent);
  const parentId = parent === undefined || isMissing ? undefined : context.resources.get(parent)?.id;
  const sent = traceableFields(kind, operation.fields);
  const { name: _name, ...unnamed } = sent;
  const name = operation.declared["name"];
  const within = typeof kind.naturalKey === "object" ? operation.declared[kind.naturalKey.within] : undefined;
  return {
    address: operation.address,
    kind: kind.name,
    ...(parent === undefined ? {} : { parent }),
    preIds: isUnderNew ? [] : context.idsUnder(kind, parentId),
    ...(typeof name === "string" && { name, sent: unnamed }),
    ...(isObject(within) && { within }),
    ...sendingTime(context),
  };
}

function sendingTime({ clock, timeoutMs = 0 }: ApplyContext): Pick<CreateIntent, "t" | "timeoutMs"> {
  return { t: clock.now(), ...(timeoutMs > usualTimeoutMs && { timeoutMs }) };
}
