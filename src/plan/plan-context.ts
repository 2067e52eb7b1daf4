import { anyMatcher } from "../model/address.ts";
import type { Code } from "../model/codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { grouped } from "../model/group-by.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import { sensitiveText } from "../model/redact.ts";
import { secretsIn } from "../model/secret-texts.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { childIndex, emptyTree, liveStep, nodeName } from "../model/tree.ts";
import type { Bindings } from "./bind-nodes.ts";
import { bindNodes } from "./bind-nodes.ts";
import { undoneReplacements } from "./deposed.ts";
import type { FoundMoves, MoveRules } from "./find-moves.ts";
import { findMoves } from "./find-moves.ts";
import type { PlanInput } from "./plan-input.ts";
import type { ReferenceResolver } from "./resolve-references.ts";
import { referenceResolver } from "./resolve-references.ts";
import type { Selection } from "./select-targets.ts";
import { selectTargets } from "./select-targets.ts";

/** What every step of planning looks things up in; built once, when first asked for, linear in the number of objects. */
export interface PlanContext {
  readonly input: PlanInput;
  readonly kinds: ReadonlyMap<string, AnyKind>;
  readonly desired: Tree;
  readonly bindings: Bindings;
  readonly foundMoves: FoundMoves["moves"];
  readonly ambiguousMoves: FoundMoves["ambiguous"];
  readonly resolver: ReferenceResolver;
  /** Live children by parent handle. */
  readonly liveChildren: ReadonlyMap<string | undefined, readonly TreeNode[]>;
  /** Live objects by {@link namedPlace}. */
  readonly liveNamed: ReadonlyMap<string, readonly TreeNode[]>;
  /** What the plan is about; absent when it is about everything. */
  readonly selection?: Selection;
  /** Whether an address is planned at all. */
  readonly isSelected: (address: string) => boolean;
  /** Whether the user named an address, or left all to the plan. */
  readonly isTarget: (address: string) => boolean;
  readonly mustReplace: (address: string) => boolean;
  /** Addresses by the live handle that they take over; it grows as wishes are drafted, and references follow it. */
  readonly adopted: Map<string, string>;
  /** Sensitive texts of the project: whoever else carries such a name is not called by it either. */
  readonly secretTexts: ReadonlySet<string>;
}

/** The context of one plan. */
export function planContext(input: PlanInput): PlanContext {
  const desired = input.options.destroy ? emptyTree : input.desired;
  const kinds = kindsByName(input.kinds);
  const isMovable = (name: string) => !kinds.get(name)?.carried && kinds.get(name)?.fields.name?.change !== "replace";
  const said = [...input.moved, ...undoneReplacements(input.state)];
  const found = input.options.saidMovesOnly
    ? { moves: [], ambiguous: [] }
    : findMoves(input.state, desired, { said, isMovable, resolve: resolverBeforeMoves(input, kinds) });
  const bindings = bindNodes(input.state, input.live, [...said, ...found.moves]);
  const mustReplace = anyMatcher(input.options.replace);
  const { targets } = input.options;
  const adopted = new Map<string, string>();
  let liveChildren: PlanContext["liveChildren"] | undefined;
  let liveNamed: PlanContext["liveNamed"] | undefined;
  let secretTexts: PlanContext["secretTexts"] | undefined;
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
    }),
    get liveChildren() {
      liveChildren ??= childIndex(input.live);
      return liveChildren;
    },
    get liveNamed() {
      liveNamed ??= placeIndex(input.live, kinds);
      return liveNamed;
    },
    get secretTexts() {
      secretTexts ??= new Set(secretsIn(input.desired.nodes.values()));
      return secretTexts;
    },
    ...selectedBy(selectTargets(input, desired, bindings)),
    isTarget: targets.length === 0 ? () => true : anyMatcher(targets),
    mustReplace,
    adopted,
  };
}

/** What a selection says of addresses; none says yes to all. */
export function selectedBy(selection: Selection | undefined): Pick<PlanContext, "selection" | "isSelected"> {
  return selection === undefined
    ? { isSelected: () => true }
    : { selection, isSelected: (address) => selection.addresses.has(address) };
}

/** Spells references as they were bound before any move was found; the index is built when a key is gone and one is new. */
function resolverBeforeMoves(input: PlanInput, kinds: PlanContext["kinds"]): MoveRules["resolve"] {
  let resolver: ReferenceResolver | undefined;
  return (name, fields) => {
    if (resolver === undefined) {
      const { addressOf } = bindNodes(input.state, input.live, input.moved);
      resolver = referenceResolver({ ...input, addressOf: (handle) => addressOf.get(handle) });
    }
    const kind = kinds.get(name);
    return kind === undefined ? fields : resolver.desired(kind, fields);
  };
}

/** Where a name stands: the kind, the parent's live handle, the name. Kinds without names share one place per parent. */
export function namedPlace(kind: AnyKind, parent: string | undefined, name: string): string {
  return `${kind.name} ${parent ?? ""} ${kind.fields["name"] === undefined ? "" : name}`;
}

function placeIndex(live: Tree, kinds: ReadonlyMap<string, AnyKind>): ReadonlyMap<string, readonly TreeNode[]> {
  return grouped(
    [...live.nodes.values()].flatMap((node) => {
      const kind = kinds.get(node.kind);
      return kind ? [[namedPlace(kind, node.parent, nodeName(node)), node] as const] : [];
    }),
  );
}

/** The name of a live object, as it may be shown. */
export function openName({ secretTexts }: PlanContext, node: TreeNode): string {
  const name = nodeName(node);
  return secretTexts.has(name) ? sensitiveText : name;
}

/** A problem with one object, at its place in the user's files. */
export function problemAt(
  context: PlanContext,
  address: string,
  problem: {
    readonly code: Code;
    readonly summary: string;
    readonly detail: string;
    readonly path?: readonly (string | number)[];
  },
): Diagnostic {
  const { code, summary, detail, path } = problem;
  return { severity: "error", code, summary, detail, address, ...context.input.locate(address, path) };
}

/** A readable handle for a live object: its address when it is ours, else `kind#id` under its parent's. */
export function liveAddress(context: PlanContext, node: TreeNode): string {
  const ours = context.bindings.addressOf.get(node.handle);
  if (ours !== undefined) return ours;
  const parent = node.parent === undefined ? undefined : context.input.live.nodes.get(node.parent);
  return parent === undefined ? liveStep(node) : `${liveAddress(context, parent)}/${liveStep(node)}`;
}
