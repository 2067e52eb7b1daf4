import { anyMatcher, parentAddress, topAddress } from "../model/address.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import { referencesIn } from "../model/references.ts";
import type { Tree } from "../model/tree.ts";
import { liveStep } from "../model/tree.ts";
import type { Bindings } from "./bind-nodes.ts";
import type { PlanInput } from "./plan-input.ts";

/** A test for the addresses that a plan is about: the targets, widened to the parents and references they need. */
export function selectTargets(input: PlanInput, desired: Tree, bindings: Bindings): (address: string) => boolean {
  const { targets } = input.options;
  if (targets.length === 0) return () => true;
  const isTarget = anyMatcher(targets);
  const kinds = kindsByName(input.kinds);
  const selected = new Set<string>();
  const goingParents = new Set<string>();
  const select = (address: string): void => {
    if (selected.has(address)) return;
    selected.add(address);
    for (const needed of neededBy(address, desired, kinds)) select(needed);
  };
  for (const address of desired.nodes.keys()) if (isTarget(address)) select(address);
  for (const address of bindings.byAddress.keys())
    if (!desired.nodes.has(address) && isTarget(address)) {
      selected.add(address);
      goingParents.add(address);
    }
  for (const address of bindings.byAddress.keys())
    if (!desired.nodes.has(address) && hasAncestorIn(address, goingParents)) selected.add(address);
  for (const carrier of carriersOf(input, bindings, { isTarget, kinds }))
    if (desired.nodes.has(carrier)) select(carrier);
  return (address) => selected.has(address);
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
  const references = referencesIn(kind, node.fields).flatMap(({ value }) =>
    isObject(value) && typeof value["ref"] === "string" ? [value["ref"]] : [],
  );
  const parent = node.parent === undefined ? [] : [node.parent];
  return [...parent, ...references, ...(node.dependsOn ?? [])];
}

function hasAncestorIn(address: string, ancestors: ReadonlySet<string>): boolean {
  for (let parent = parentAddress(address); parent !== undefined; parent = parentAddress(parent))
    if (ancestors.has(parent)) return true;
  return false;
}
