import { addressesAbove, anyMatcher, parentAddress, topAddress } from "../model/address.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import { referredAddresses } from "../model/references.ts";
import type { Tree } from "../model/tree.ts";
import { liveStep } from "../model/tree.ts";
import type { Bindings } from "./bind-nodes.ts";
import type { PlanInput } from "./plan-input.ts";

/** Addresses that a plan is about, with the parents and references they need. */
export interface Selection {
  readonly addresses: ReadonlySet<string>;
  /** The same and more. */
  readonly with: (more: readonly string[]) => Selection;
}

/** What the targets name, widened to the parents and references it needs; undefined when nothing is named. */
export function selectTargets(input: PlanInput, desired: Tree, bindings: Bindings): Selection | undefined {
  const { targets } = input.options;
  if (targets.length === 0) return undefined;
  const matches = anyMatcher(targets);
  const isTarget = (address: string) => matches(address) || matches(formerAddress(bindings, address));
  const kinds = kindsByName(input.kinds);
  const gone = [...bindings.byAddress.keys()].filter((address) => !desired.nodes.has(address));
  const goneTargets = new Set(gone.filter(isTarget));
  return selectionOf(desired, kinds, [
    ...[...desired.nodes.keys()].filter(isTarget),
    ...goneTargets,
    ...gone.filter((address) => addressesAbove(address).some((above) => goneTargets.has(above))),
    ...carriersOf(input, bindings, { isTarget, kinds }).filter((carrier) => desired.nodes.has(carrier)),
  ]);
}

/** Where an object stood before its key moved: a target may name either. */
function formerAddress({ byAddress }: Bindings, address: string): string {
  return byAddress.get(address)?.previousAddress ?? address;
}

function selectionOf(
  desired: Tree,
  kinds: ReadonlyMap<string, AnyKind>,
  addresses: readonly string[],
  former: ReadonlySet<string> = new Set(),
): Selection {
  const selected = new Set(former);
  const select = (address: string): void => {
    if (selected.has(address)) return;
    selected.add(address);
    for (const needed of neededBy(address, desired, kinds)) select(needed);
  };
  for (const address of addresses) select(address);
  return { addresses: selected, with: (more) => selectionOf(desired, kinds, more, selected) };
}

/** Parents in whose requests targeted objects travel that no wish stands for: those that are gone, and those of nobody here. */
function carriersOf(
  { live, desired }: PlanInput,
  { byAddress, addressOf }: Bindings,
  of: { readonly isTarget: (address: string) => boolean; readonly kinds: ReadonlyMap<string, AnyKind> },
): readonly string[] {
  const gone = [...byAddress.values()].flatMap(({ address, resource }) =>
    of.kinds.get(resource.kind)?.embedded && of.isTarget(address) ? [parentAddress(address) ?? ""] : [],
  );
  const unmanaged = [...live.nodes.values()].flatMap((node) => {
    const parent = addressOf.get(node.parent ?? "");
    if (parent === undefined || addressOf.has(node.handle) || !of.kinds.get(node.kind)?.embedded) return [];
    const goes = desired.nodes.get(topAddress(parent))?.lifecycle?.unmanaged === "delete";
    return goes && of.isTarget(`${parent}/${liveStep(node)}`) ? [parent] : [];
  });
  return [...gone, ...unmanaged];
}

function neededBy(address: string, desired: Tree, kinds: ReadonlyMap<string, AnyKind>): readonly string[] {
  const node = desired.nodes.get(address);
  const kind = node && kinds.get(node.kind);
  if (node === undefined || kind === undefined) return [];
  const references = referredAddresses(kind, node.fields);
  const parent = node.parent === undefined ? [] : [node.parent];
  return [...parent, ...references, ...(node.dependsOn ?? [])];
}
