import { addressesAbove, parentAddress } from "../model/address.ts";
import { grouped } from "../model/group-by.ts";
import { referredAddresses } from "../model/references.ts";
import type { Binding } from "./bind.ts";
import type { Operation, Pause } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";

/**
 * Bound objects that start runs by themselves while several objects that they run change: in between they would run half of
 * the change (docs/engine.md, Write routes). Whether one may start that soon is decided when the plan is applied.
 */
export function planPauses(context: PlanContext, operations: readonly Operation[]): readonly Pause[] {
  if (operations.length < 2) return [];
  const writes = indexWrites(operations);
  return [...context.bindings.byAddress.values()].flatMap((binding) => pauseOf(context, binding, writes));
}

interface WritesByAddress {
  /** Ids of the operations at an address. */
  readonly at: ReadonlyMap<string, readonly string[]>;
  /** Ids of the operations at or below an address. */
  readonly within: ReadonlyMap<string, readonly string[]>;
}

function pauseOf(context: PlanContext, { address, live }: Binding, writes: WritesByAddress): readonly Pause[] {
  const kind = live && context.kinds.get(live.kind);
  const runner = parentAddress(address);
  if (live?.identity === undefined || kind?.pause === undefined || runner === undefined) return [];
  const isActive = live.facts?.[kind.pause.field] !== false;
  const isDeleted = writes.at.get(runner)?.includes(`delete ${runner}`) ?? false;
  if (!isActive || isDeleted || !kind.pause.applies(live.fields)) return [];
  const around = new Set(writes.at.get(runner) ?? []);
  for (const used of runObjects(context, runner)) for (const id of writes.within.get(used) ?? []) around.add(id);
  if (around.size < 2) return [];
  for (const id of writes.at.get(address) ?? []) around.add(id);
  const { id, createdAt } = live.identity;
  return [{ address, kind: kind.name, id, createdAt, fields: live.fields, around: [...around] }];
}

function indexWrites(operations: readonly Operation[]): WritesByAddress {
  const upwards = (address: string) => [address, ...addressesAbove(address)];
  return {
    at: grouped(operations.map(({ id, address }) => [address, id] as const)),
    within: grouped(operations.flatMap(({ id, address }) => upwards(address).map((up) => [up, id] as const))),
  };
}

/** Everything that a run of it uses, now or once the plan is applied. */
function runObjects(context: PlanContext, runner: string): ReadonlySet<string> {
  const live = context.bindings.byAddress.get(runner)?.live;
  const desired = context.desired.nodes.get(runner);
  const found = [live, desired].flatMap((node) => {
    const kind = node && context.kinds.get(node.kind);
    return kind ? referredAddresses(kind, context.resolver.spell(kind, node.fields)) : [];
  });
  return new Set(found);
}
