import { anyMatcher, coveringEntry, lastStep, parentAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { atFirstUse, groupBy, grouped } from "../model/group-by.ts";
import { type AnyKind, canBeRenamed, kindsByName } from "../model/kind.ts";
import { sensitiveText } from "../model/redact.ts";
import { type ReferenceResolver, referenceResolver } from "../model/references.ts";
import { secretsIn } from "../model/secret-texts.ts";
import { childIndex, emptyTree, liveStep, nodeName, type Tree, type TreeNode } from "../model/tree.ts";
import { type Bindings, bindNodes, undoneReplacements, withChildrenAtHome } from "./bind.ts";
import { type MatchedMoves, type MoveRules, matchMoves } from "./match-moves.ts";
import type { PlanInput } from "./plan-input.ts";
import { namedBy, type Selected, selectedBy, selectTargets } from "./select-targets.ts";

/** The lookups of every step of planning; built once, when first used, linear in the number of objects. */
export interface PlanContext extends Selected {
  readonly input: PlanInput;
  readonly kinds: ReadonlyMap<string, AnyKind>;
  readonly desired: Tree;
  readonly bindings: Bindings;
  readonly foundMoves: MatchedMoves["moves"];
  readonly ambiguousMoves: MatchedMoves["ambiguous"];
  readonly resolver: ReferenceResolver;
  /** Live children by parent handle. */
  readonly liveChildren: () => ReadonlyMap<string | undefined, readonly TreeNode[]>;
  /** Objects by the name of their kind. */
  readonly desiredOfKind: () => ReadonlyMap<string, readonly TreeNode[]>;
  readonly liveOfKind: () => ReadonlyMap<string, readonly TreeNode[]>;
  /** Live objects by {@link nameKey}. */
  readonly liveNamed: () => ReadonlyMap<string, readonly TreeNode[]>;
  /** True where a target names the address, and for every address when there are no targets. */
  readonly isTarget: (address: string) => boolean;
  readonly mustReplace: (address: string) => boolean;
  /** Addresses by the live handle that they adopt; it grows as objects are planned, and references follow it. */
  readonly adopted: Map<string, string>;
  /** Sensitive texts of the project: an unmanaged object with such a name is not called by it either. */
  readonly secretTexts: () => ReadonlySet<string>;
  /** The entry of `removed:` that is about an address. */
  readonly removedBlock: (address: string) => PlanInput["removed"][number] | undefined;
}

export function planContext(input: PlanInput): PlanContext {
  const desired = input.options.destroy ? emptyTree : input.desired;
  const kinds = kindsByName(input.kinds);
  const isMovable = (name: string) => canBeRenamed(kinds.get(name));
  const entryOf = coveringEntry(input.removed);
  const removed = input.removed.length > 0 && { isRemoved: (address: string) => entryOf(address) !== undefined };
  const declared = [...input.moved, ...undoneReplacements(input.state)];
  const found = input.options.declaredMovesOnly
    ? { moves: [], ambiguous: [] }
    : matchMoves(input.state, desired, { declared, isMovable, ...removed, resolve: resolverBeforeMoves(input, kinds) });
  const stored = bindNodes(input.state, input.live, [...declared, ...found.moves], desired);
  const isInline = (name: string) => kinds.get(name)?.inline !== undefined;
  const bindings = withChildrenAtHome(stored, isInline);
  const { targets } = input.options;
  const adopted = new Map<string, string>();
  const selected = selectedBy(selectTargets(input, desired, bindings));
  // The entry names an address that the object had; `moved:` may have given it another one.
  const ownBlock = (address: string) =>
    entryOf(address) ?? entryOf(bindings.byAddress.get(address)?.previousAddress ?? address);
  const removedBlock = (address: string) => {
    // The request of its parent alone would delete an inline child, and a parent that is forgotten sends none.
    const above = isInline(lastStep(address).kind) ? (parentAddress(address) ?? "") : "";
    const block = desired.nodes.has(above) ? undefined : ownBlock(above);
    return block?.destroy === false ? block : ownBlock(address);
  };
  const nameAfter = (node: TreeNode): string | undefined => {
    const address = bindings.addressOf.get(node.handle);
    const declared = desired.nodes.get(address ?? "");
    if (address === undefined || !selected.isSelected(address)) return nodeName(node);
    if (declared !== undefined) return nodeName(declared.lifecycle?.ignore?.includes("name") ? node : declared);
    return removedBlock(address)?.destroy === false ? nodeName(node) : undefined;
  };
  return {
    input,
    kinds,
    desired,
    bindings,
    foundMoves: found.moves,
    ambiguousMoves: found.ambiguous,
    resolver: referenceResolver({
      ...input,
      addressOf: (handle) => bindings.addressOf.get(handle) ?? adopted.get(handle),
      nameAfter,
    }),
    desiredOfKind: atFirstUse(() => groupBy(desired.nodes.values(), ({ kind }) => kind)),
    liveOfKind: atFirstUse(() => groupBy(input.live.nodes.values(), ({ kind }) => kind)),
    liveChildren: atFirstUse(() => childIndex(input.live)),
    liveNamed: atFirstUse(() => liveNameIndex(input.live, kinds)),
    removedBlock,
    secretTexts: atFirstUse(() => new Set(secretsIn(input.desired.nodes.values()))),
    ...selected,
    isTarget: targets.length === 0 ? () => true : anyMatcher(targets),
    mustReplace: namedBy(input.options.replace, bindings),
    adopted,
  };
}

/** Spells references by the bindings before any move was matched; the index is built when a key is gone and one is new. */
function resolverBeforeMoves(input: PlanInput, kinds: PlanContext["kinds"]): MoveRules["resolve"] {
  const resolver = atFirstUse(() => {
    const { addressOf } = bindNodes(input.state, input.live, input.moved);
    return referenceResolver({ ...input, addressOf: (handle) => addressOf.get(handle) });
  });
  return (name, fields) => {
    const kind = kinds.get(name);
    return kind === undefined ? fields : resolver().spell(kind, fields);
  };
}

/** The key that siblings of one name share: the kind, the parent's live handle, the name. Kinds without names share one key per parent. */
export function nameKey(kind: AnyKind, parent: string | undefined, name: string): string {
  return `${kind.name} ${parent ?? ""} ${kind.fields["name"] === undefined ? "" : name}`;
}

function liveNameIndex(live: Tree, kinds: ReadonlyMap<string, AnyKind>): ReadonlyMap<string, readonly TreeNode[]> {
  return grouped(
    [...live.nodes.values()].flatMap((node) => {
      const kind = kinds.get(node.kind);
      return kind ? [[nameKey(kind, node.parent, nodeName(node)), node] as const] : [];
    }),
  );
}

/** The name of a live object, as it may be shown. */
export function openName({ secretTexts }: PlanContext, node: TreeNode): string {
  const name = nodeName(node);
  return secretTexts().has(name) ? sensitiveText : name;
}

/** A problem with one object, with its position in the user's files. */
export function problemAt(
  context: PlanContext,
  address: string,
  problem: Pick<Diagnostic, "code" | "summary" | "detail"> & {
    readonly severity?: "warning";
    readonly path?: readonly (string | number)[];
  },
): Diagnostic {
  const { path, ...words } = problem;
  return { severity: "error", ...words, address, ...context.input.locate(address, path) };
}

/** A readable handle for a live object: its address when it is bound, else `kind#id` under its parent's. */
export function liveAddress(context: PlanContext, node: TreeNode): string {
  const bound = context.bindings.addressOf.get(node.handle);
  if (bound !== undefined) return bound;
  const parent = node.parent === undefined ? undefined : context.input.live.nodes.get(node.parent);
  return parent === undefined ? liveStep(node) : `${liveAddress(context, parent)}/${liveStep(node)}`;
}
