import {
  addressesAbove,
  addressMatcher,
  anyMatcher,
  isWithin,
  lastStep,
  parentAddress,
  topAddress,
} from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import { referredAddresses } from "../model/references.ts";
import { liveStep, type Tree } from "../model/tree.ts";
import type { Bindings } from "./bind.ts";
import type { PlanInput, PlanOptions } from "./plan-input.ts";

/** Addresses of the targets, with the parents and references they need. */
export interface TargetSelection {
  readonly addresses: ReadonlySet<string>;
  readonly with: (more: readonly string[]) => TargetSelection;
}

/** A selection with its most frequent question; without one everything is selected. */
export interface Selected {
  /** The targets; absent when the plan is about everything. */
  readonly selection?: TargetSelection;
  readonly isSelected: (address: string) => boolean;
}

/** True where a glob names the address; either one of an object that moves. */
export function namedBy(globs: readonly string[], { byAddress }: Bindings): (address: string) => boolean {
  const matches = anyMatcher(globs);
  if (globs.length === 0) return matches;
  return (address) => matches(address) || matches(byAddress.get(address)?.previousAddress ?? address);
}

/** The targets with the parents and references that they need; undefined when there are none. */
export function selectTargets(input: PlanInput, desired: Tree, bindings: Bindings): TargetSelection | undefined {
  const { targets } = input.options;
  if (targets.length === 0) return undefined;
  const isTarget = namedBy(targets, bindings);
  const kinds = kindsByName(input.kinds);
  const orphans = [...bindings.byAddress.keys()].filter((address) => !desired.nodes.has(address));
  const orphanTargets = new Set(orphans.filter(isTarget));
  const isThere = (address: string) => bindings.byAddress.get(address)?.live !== undefined;
  const needs = (address: string) =>
    neededBy(address, desired, kinds).filter((each) => !(input.options.bareTargets && isThere(each)));
  return selectionOf(needs, [
    ...[...desired.nodes.keys()].filter(isTarget),
    ...orphanTargets,
    ...orphans.filter((address) => addressesAbove(address).some((above) => orphanTargets.has(above))),
    ...parentsOfInline(input, bindings, { isTarget, kinds }).filter((parent) => desired.nodes.has(parent)),
  ]);
}

export function selectedBy(selection: TargetSelection | undefined): Selected {
  return selection === undefined
    ? { isSelected: () => true }
    : { selection, isSelected: (address) => selection.addresses.has(address) };
}

/** True where an address or anything below it, bound or declared, is within the targets. */
export function selectedWithin(
  context: Pick<Selected, "selection"> & { readonly bindings: Bindings; readonly desired: Tree },
): (address: string) => boolean {
  const { selection, bindings, desired } = context;
  if (selection === undefined) return () => true;
  const known = [...bindings.byAddress.keys(), ...desired.nodes.keys()];
  const selected = known.filter((each) => selection.addresses.has(each));
  return (address) => selected.some((each) => isWithin(each, address));
}

/** A problem for every --target and --replace that matches no address, declared or bound: most likely it is mistyped. */
export function unmatchedChoices(
  { targets, replace, declaredMovesOnly }: PlanOptions,
  addresses: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (declaredMovesOnly === true) return [];
  const choices = [
    ...targets.map((glob) => ({ flag: "--target", glob })),
    ...replace.map((glob) => ({ flag: "--replace", glob })),
  ];
  return choices.flatMap(({ flag, glob }): readonly Diagnostic[] => {
    const matches = addressMatcher(glob);
    if ([...addresses].some(matches)) return [];
    const detail = `None of the ${addresses.size} objects that are declared or bound has this address.${meantAddress(glob, addresses)}`;
    return [{ severity: "error", code: "LF3007", summary: `${flag} ${glob} matches nothing`, detail }];
  });
}

/** An address is often given by its last key alone. */
function meantAddress(glob: string, addresses: ReadonlySet<string>): string {
  const [first, ...others] = [...addresses].filter((address) => lastStep(address).key === glob);
  return first === undefined || others.length > 0 ? didYouMean(glob, addresses) : ` Did you mean ${first}?`;
}

/** A warning for every --target that matches objects and leaves out changes below them; `changed` is called only then. */
export function narrowTargets(
  { targets, declaredMovesOnly }: PlanOptions,
  addresses: ReadonlySet<string>,
  changed: () => ReadonlySet<string>,
): readonly Diagnostic[] {
  if (declaredMovesOnly === true) return [];
  const isNamed = anyMatcher(targets);
  return targets.flatMap((glob): readonly Diagnostic[] => {
    const matched = [...addresses].filter(addressMatcher(glob));
    const [first = "", ...others] = matched;
    const isBelow = (address: string) => matched.some((each) => address !== each && isWithin(address, each));
    const unnamed = [...addresses].filter((address) => !isNamed(address) && isBelow(address));
    const left = unnamed.filter((address) => changed().has(address)).length;
    if (left === 0) return [];
    const named = others.length === 0 ? first : `${first} and ${others.length} more`;
    const detail = `It names ${named}, and not the ${left === 1 ? "object" : `${left} objects`} below that would change, too. To include ${left === 1 ? "it" : "them"}: --target '${glob}/**'`;
    return [{ severity: "warning", code: "LF3007", summary: `--target ${glob} leaves out objects below it`, detail }];
  });
}

function selectionOf(
  needs: (address: string) => readonly string[],
  addresses: readonly string[],
  former: ReadonlySet<string> = new Set(),
): TargetSelection {
  const selected = new Set(former);
  const select = (address: string): void => {
    if (selected.has(address)) return;
    selected.add(address);
    for (const needed of needs(address)) select(needed);
  };
  for (const address of addresses) select(address);
  return { addresses: selected, with: (more) => selectionOf(needs, more, selected) };
}

/** Parents in whose requests targeted objects are written: declared ones, orphans and unmanaged ones. */
function parentsOfInline(
  { live, desired }: PlanInput,
  { byAddress, addressOf }: Bindings,
  of: { readonly isTarget: (address: string) => boolean; readonly kinds: ReadonlyMap<string, AnyKind> },
): readonly string[] {
  const known = [...byAddress.keys(), ...desired.nodes.keys()].flatMap((address) =>
    of.kinds.get(lastStep(address).kind)?.inline && of.isTarget(address) ? [parentAddress(address) ?? ""] : [],
  );
  const unmanaged = [...live.nodes.values()].flatMap((node) => {
    const parent = addressOf.get(node.parent ?? "");
    if (parent === undefined || addressOf.has(node.handle) || !of.kinds.get(node.kind)?.inline) return [];
    const isDeleted = desired.nodes.get(topAddress(parent))?.lifecycle?.unmanaged === "delete";
    return isDeleted && of.isTarget(`${parent}/${liveStep(node)}`) ? [parent] : [];
  });
  return [...known, ...unmanaged];
}

function neededBy(address: string, desired: Tree, kinds: ReadonlyMap<string, AnyKind>): readonly string[] {
  const node = desired.nodes.get(address);
  const kind = node && kinds.get(node.kind);
  if (node === undefined || kind === undefined) return [];
  const references = referredAddresses(kind, node.fields);
  const parent = node.parent === undefined ? [] : [node.parent];
  return [...parent, ...references, ...(node.dependsOn ?? [])];
}
