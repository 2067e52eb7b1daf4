import { addressMatcher } from "../model/address.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import type { State, StateResource } from "../state/state.ts";
import { problem } from "./problem.ts";

/** The binding of an address. */
export function bound(resources: State["resources"], address: string): StateResource {
  const resource = Object.hasOwn(resources, address) ? resources[address] : undefined;
  if (resource) return resource;
  throw notBound(resources, address, `${address} is not in the state`);
}

function notBound(resources: State["resources"], wanted: string, summary: string) {
  const hint = didYouMean(wanted, Object.keys(resources));
  return problem("LF5005", summary, `found no binding of it; expected one of those of: loadform state list.${hint}`);
}

/** Whether several addresses may be meant. */
export const isGlob = (address: string): boolean => /[*?]/.test(address);

/** Addresses that an address or a glob names, at least one. */
export function chosen(resources: State["resources"], wanted: string): readonly string[] {
  if (!isGlob(wanted)) {
    bound(resources, wanted);
    return [wanted];
  }
  const found = Object.keys(resources).filter(addressMatcher(wanted)).sort();
  if (found.length === 0) throw notBound(resources, wanted, `${wanted} matches nothing in the state`);
  return found;
}
