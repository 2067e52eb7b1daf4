import type { State } from "../state/state.ts";
import type { Move } from "./moved-address.ts";

const suffix = ".being-replaced";
const pattern = /^(.+)\.being-replaced(?:-(\d+))?$/;

/**
 * Where the binding of an object stands while another one takes its address: a crash must lose neither. An earlier one
 * may still stand there, because the service would not let it go.
 */
export function deposedAddress(address: string, isTaken: (address: string) => boolean): string {
  let deposed = `${address}${suffix}`;
  for (let count = 2; isTaken(deposed); count++) deposed = `${address}${suffix}-${count}`;
  return deposed;
}

/** Replacements that were cut short before the new object was made: the old one, deposed last, is led back to its address. */
export function undoneReplacements({ resources }: State): readonly Move[] {
  const last = new Map<string, { readonly from: string; readonly count: number }>();
  for (const from of Object.keys(resources)) {
    const [, to, number] = pattern.exec(from) ?? [];
    if (to === undefined || to in resources) continue;
    const count = Number(number ?? 1);
    if (count > (last.get(to)?.count ?? 0)) last.set(to, { from, count });
  }
  return [...last].map(([to, { from }]) => ({ from, to }));
}
