import { isWithin } from "../model/address.ts";
import type { PlanContext } from "./plan-context.ts";

/** Whether the plan is about an address or anything below it, bound or declared. */
export function selectedWithin({ selection, bindings, desired }: PlanContext): (address: string) => boolean {
  if (selection === undefined) return () => true;
  const known = [...bindings.byAddress.keys(), ...desired.nodes.keys()];
  const selected = known.filter((each) => selection.addresses.has(each));
  return (address) => selected.some((each) => isWithin(each, address));
}
