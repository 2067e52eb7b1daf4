import { isWithin, parentAddress } from "../model/address.ts";
import { isContentMark } from "../model/fingerprint.ts";
import { groupBy, keysOnce } from "../model/group-by.ts";
import { canonicalJson, isObject, type Json, type JsonObject, withValueAt } from "../model/json.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import type { State, StateResource } from "../state/state.ts";

/** A rename of an address, for itself and all below. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Moves that the digests propose, and those where more than one fits (docs/engine.md, Moves and names). */
export interface MatchedMoves {
  readonly moves: readonly Move[];
  /** Old addresses that could be any of these new ones. */
  readonly ambiguous: readonly { readonly from: readonly string[]; readonly to: readonly string[] }[];
}

/** The limits of the search. */
export interface MoveRules {
  readonly declared: readonly Move[];
  /** True for kinds whose objects can take another name in place. */
  readonly isMovable: (kind: string) => boolean;
  /** True for addresses of which the project says that they are removed: no match makes them others. Absent where there are none. */
  readonly isRemoved?: (address: string) => boolean;
  /** References in one spelling, whether they were written as a key, by name or by id. */
  readonly resolve: (kind: string, fields: JsonObject) => JsonObject;
}

/**
 * Keys that changed: one key gone and one new, of the same kind under the same parent, with the same content but for
 * names and keys, and one match each way. Parents are matched first; a parent that moves carries everything below.
 */
export function matchMoves(state: State, desired: Tree, rules: MoveRules): MatchedMoves {
  const { declared, isMovable, isRemoved, resolve } = rules;
  const withoutRemoved = (all: State["resources"]): State["resources"] =>
    isRemoved ? Object.fromEntries(Object.entries(all).filter(([address]) => !isRemoved(address))) : all;
  // An entry may name either address.
  const resources = withoutRemoved(rebased(withoutRemoved(state.resources), declared));
  const gone = keysOnce(resources).filter(
    (address) => !desired.nodes.has(address) && isMovable(resources[address]?.kind ?? ""),
  );
  if (gone.length === 0) return { moves: [], ambiguous: [] };
  const fresh = [...desired.nodes.keys()].filter((address) => !(address in resources));
  if (fresh.length === 0) return { moves: [], ambiguous: [] };
  const moves: Move[] = [];
  const ambiguous: MatchedMoves["ambiguous"][number][] = [];
  const boundBelow = groupBy(keysOnce(resources), parentAddress);
  const desiredBelow = groupBy(desired.nodes.keys(), parentAddress);
  const sides = { resources, desired, boundBelow, desiredBelow, resolve };
  const freshBelow = groupBy(fresh, parentAddress);
  for (const [parent, group] of groupBy(gone, parentAddress)) {
    const beside = freshBelow.get(parent);
    if (beside === undefined) continue;
    const matched = matchGroup(group, beside, sides);
    moves.push(...matched.moves);
    ambiguous.push(...matched.ambiguous);
  }
  if (moves.length === 0) return { moves, ambiguous };
  const below = matchMoves({ ...state, resources: rebased(resources, moves) }, desired, rules);
  return { moves: [...moves, ...below.moves], ambiguous: below.ambiguous };
}

function rebased(resources: State["resources"], moves: readonly Move[]): State["resources"] {
  return moves.length === 0 ? resources : movedBindings(resources, movedAddresses(resources, moves));
}

interface MoveSides {
  readonly resources: State["resources"];
  readonly desired: Tree;
  readonly boundBelow: ReadonlyMap<string | undefined, readonly string[]>;
  readonly desiredBelow: ReadonlyMap<string | undefined, readonly string[]>;
  readonly resolve: MoveRules["resolve"];
}

/** Matches the objects below one parent, which does not move. */
function matchGroup(gone: readonly string[], fresh: readonly string[], sides: MoveSides): MatchedMoves {
  const from = groupBy(gone, (address) => canonicalJson(appliedContent(address, sides)));
  const to = groupBy(fresh, (address) => canonicalJson(desiredContent(address, sides)));
  const moves: Move[] = [];
  const ambiguous: MatchedMoves["ambiguous"][number][] = [];
  for (const [digest, olds] of from) {
    const news = to.get(digest);
    const [old, next] = [olds[0], news?.[0]];
    if (news === undefined || old === undefined || next === undefined) continue;
    if (olds.length === 1 && news.length === 1) moves.push({ from: old, to: next });
    else ambiguous.push({ from: olds, to: news });
  }
  return { moves, ambiguous };
}

function appliedContent(root: string, { resources, boundBelow, resolve }: MoveSides): Json {
  const content = (address: string): Json => {
    const resource = resources[address];
    const kind = resource?.kind ?? "";
    const fields = { ...resolve(kind, resource?.applied ?? {}), ...(resource?.content ?? {}) };
    const children = boundBelow.get(address) ?? [];
    return branchContent(root, { kind, fields, secrets: Object.keys(resource?.secrets ?? {}) }, children.map(content));
  };
  return content(root);
}

function desiredContent(root: string, { desired, desiredBelow, resolve }: MoveSides): Json {
  const content = (node: TreeNode): Json => {
    const children = (desiredBelow.get(node.handle) ?? []).flatMap((address) => desired.nodes.get(address) ?? []);
    const plain = (node.sensitive ?? []).reduce<JsonObject>(
      (fields, path) => withValueAt(fields, path.split("."), undefined),
      node.fields,
    );
    return branchContent(
      root,
      { kind: node.kind, fields: resolve(node.kind, plain), secrets: node.sensitive ?? [] },
      children.map(content),
    );
  };
  const node = desired.nodes.get(root);
  return node ? content(node) : null;
}

function branchContent(
  root: string,
  object: { readonly kind: string; readonly fields: JsonObject; readonly secrets: readonly string[] },
  children: readonly Json[],
): Json {
  const { name: _name, ...fields } = object.fields;
  const below = children.map((child) => canonicalJson(child)).sort();
  return { kind: object.kind, fields: withoutKeys(root, fields), secrets: [...object.secrets].sort(), children: below };
}

/** Sets are in the order of their references, which are keys too. */
function withoutOrder(items: readonly Json[]): Json {
  const texts = items.map((item) => canonicalJson(item));
  return texts.some((text) => text.includes('"ref":')) ? texts.sort() : items;
}

/** References within the branch would name its keys; hashes of texts count, their sizes do not. */
function withoutKeys(root: string, value: Json): Json {
  if (isContentMark(value)) return value.$content;
  if (Array.isArray(value)) return withoutOrder(value.map((item) => withoutKeys(root, item)));
  if (!isObject(value)) return value;
  const { ref } = value;
  if (typeof ref === "string" && isWithin(ref, root)) return { ref: "within" };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutKeys(root, member)]));
}

/** Every bound address, with its address after all moves. */
export function movedAddresses(resources: State["resources"], moves: readonly Move[]): ReadonlyMap<string, string> {
  const isBound = (address: string) => address in resources;
  return new Map(Object.keys(resources).map((address) => [address, movedAddress(address, moves, isBound)]));
}

/** Bindings under the addresses that they moved to, with every reference changed accordingly. */
export function movedBindings(
  resources: State["resources"],
  moved: ReadonlyMap<string, string>,
): Readonly<Record<string, StateResource>> {
  const entries = Object.entries(resources).map(([address, resource]): [string, StateResource] => [
    moved.get(address) ?? address,
    { ...resource, applied: followReferences(resource.applied, moved) },
  ]);
  return Object.fromEntries(entries);
}

/**
 * An address after all moves, one after the other, the closest first. A move a → b that was applied may remain in the file: with b bound it
 * moves nothing, unless b → c is declared too: then both move one step. A move within what another one moved starts from the new address.
 */
function movedAddress(
  address: string,
  moves: readonly Move[],
  isBound: (address: string) => boolean,
  on: readonly string[] = [],
): string {
  const path = [...on, address];
  const isFixed = (next: string) => path.includes(next) || movedAddress(next, moves, isBound, path) === next;
  let current = address;
  let rest = moves;
  for (;;) {
    const move = closestMove(current, rest);
    if (move === undefined) return current;
    const next = move.to + current.slice(move.from.length);
    const isTaken = isBound(move.to);
    const isDone = isTaken && isBound(move.from) && isFixed(move.to);
    rest = rest.filter((each) => each !== move && (!isTaken || isDone || each.from.startsWith(`${move.to}/`)));
    if (!isDone && !(isBound(next) && isFixed(next))) current = next;
  }
}

/** A move of an object itself has precedence over moves of the objects around it. */
function closestMove(address: string, moves: readonly Move[]): Move | undefined {
  let closest: Move | undefined;
  for (const move of moves)
    if (isWithin(address, move.from) && move.from.length > (closest?.from.length ?? 0)) closest = move;
  return closest;
}

/** Fields with every reference to the address that its own moved to. */
export function followReferences(fields: JsonObject, moved: ReadonlyMap<string, string>): JsonObject {
  const follow = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(follow);
    if (!isObject(value)) return value;
    const { ref } = value;
    if (typeof ref === "string") return moved.has(ref) ? { ref: moved.get(ref) ?? ref } : value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, follow(member)]));
  };
  return follow(fields) as JsonObject;
}
