import { parseAddress, topAddress } from "../model/address.ts";

/** The instances of modules that declare test cases, by keys of these. */
export type Instances = ReadonlyMap<string, string>;

/** Changes of one instance; those of no instance have none. */
interface InstanceGroup<C> {
  readonly instance?: string;
  readonly changes: readonly C[];
}

/** So many instances are read one after the other without headings. */
const mostWithout = 3;

/** The instance that declares an object; undefined for an object that no module declares. */
export function instanceOf(address: string, instances: Instances): string | undefined {
  const [top] = parseAddress(topAddress(address)) ?? [];
  return top?.kind === "testCase" ? instances.get(top.key) : undefined;
}

/** Changes by instance, those of none first; one group of all where few instances change. */
export function instanceGroups<C extends { readonly address: string }>(
  changes: readonly C[],
  instances: Instances,
): readonly InstanceGroup<C>[] {
  const groups = new Map<string | undefined, C[]>([[undefined, []]]);
  for (const change of changes) {
    const instance = instanceOf(change.address, instances);
    const group = groups.get(instance) ?? [];
    groups.set(instance, group);
    group.push(change);
  }
  if (groups.size - 1 <= mostWithout) return [{ changes }];
  return [...groups]
    .filter(([, group]) => group.length > 0)
    .map(([instance, group]) => ({ ...(instance !== undefined && { instance }), changes: group }));
}
