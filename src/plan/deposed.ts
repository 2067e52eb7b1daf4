import type { State } from "../state/state.ts";
import type { Move } from "./moved-address.ts";

const suffix = ".being-replaced";

/** Where the binding of an object stands while another one takes its address: a crash must lose neither. */
export const deposedAddress = (address: string) => `${address}${suffix}`;

/** Replacements that were cut short before the new object was made: the old one is led back to its address. */
export function undoneReplacements({ resources }: State): readonly Move[] {
  return Object.keys(resources)
    .filter((address) => address.endsWith(suffix) && !(address.slice(0, -suffix.length) in resources))
    .map((from) => ({ from, to: from.slice(0, -suffix.length) }));
}
