import { isWithin, parentAddress } from "../model/address.ts";
import { canonicalJson } from "../model/canonical.ts";
import { isContentMark } from "../model/fingerprint.ts";
import { groupBy, grouped } from "../model/group-by.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject, withValueAt } from "../model/json.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import type { State } from "../state/state.ts";
import type { Move } from "./moved-address.ts";
import { movedAddresses, movedBindings } from "./moved-address.ts";

/** Moves that the digests propose, and those where more than one fits (docs/engine.md, Moves and names). */
export interface FoundMoves {
  readonly moves: readonly Move[];
  /** Old addresses that could be any of these new ones. */
  readonly ambiguous: readonly { readonly from: readonly string[]; readonly to: readonly string[] }[];
}

/** What bounds the search. */
export interface MoveRules {
  /** Moves that the user said. */
  readonly said: readonly Move[];
  /** Whether objects of a kind can take another name in place. */
  readonly isMovable: (kind: string) => boolean;
  /** References in one spelling, whether they were written as a key, by name or by id. */
  readonly resolve: (kind: string, fields: JsonObject) => JsonObject;
}

/** One object of either side, with what lies below. */
interface Branch {
  readonly address: string;
  readonly kind: string;
  readonly content: Json;
}

/**
 * Keys that changed: one key gone and one new, of the same kind under the same parent, with the same content when names
 * and keys are left aside, and one match each way. Parents go first, and take what is below along.
 */
export function findMoves(state: State, desired: Tree, rules: MoveRules): FoundMoves {
  const { said, isMovable, resolve } = rules;
  const resources = rebased(state.resources, said);
  const gone = Object.keys(resources).filter(
    (address) => !desired.nodes.has(address) && isMovable(resources[address]?.kind ?? ""),
  );
  const fresh = [...desired.nodes.keys()].filter((address) => !(address in resources));
  if (gone.length === 0 || fresh.length === 0) return { moves: [], ambiguous: [] };
  const moves: Move[] = [];
  const ambiguous: FoundMoves["ambiguous"][number][] = [];
  const sides = { ...indexSides(resources, desired), resolve };
  for (const group of groupByPlace(gone, fresh, sides)) {
    const matched = matchGroup(group, sides);
    moves.push(...matched.moves);
    ambiguous.push(...matched.ambiguous);
  }
  if (moves.length === 0) return { moves, ambiguous };
  const below = findMoves({ ...state, resources: rebased(resources, moves) }, desired, rules);
  return { moves: [...moves, ...below.moves], ambiguous: [...ambiguous, ...below.ambiguous] };
}

/** What is bound where the moves lead, references along with it. */
function rebased(resources: State["resources"], moves: readonly Move[]): State["resources"] {
  return moves.length === 0 ? resources : movedBindings(resources, movedAddresses(resources, moves));
}

/** Both sides, with children by parent. */
interface Sides {
  readonly resources: State["resources"];
  readonly desired: Tree;
  readonly boundBelow: ReadonlyMap<string | undefined, readonly string[]>;
  readonly wishedBelow: ReadonlyMap<string | undefined, readonly string[]>;
  readonly resolve: MoveRules["resolve"];
}

function indexSides(resources: State["resources"], desired: Tree): Omit<Sides, "resolve"> {
  return {
    resources,
    desired,
    boundBelow: groupBy(Object.keys(resources), parentAddress),
    wishedBelow: groupBy(desired.nodes.keys(), parentAddress),
  };
}

interface Group {
  readonly gone: string[];
  readonly fresh: string[];
}

/** Candidates of one kind under one parent that stays. */
function groupByPlace(
  gone: readonly string[],
  fresh: readonly string[],
  { resources, desired }: Sides,
): Iterable<Group> {
  const groups = new Map<string, Group>();
  const add = (side: keyof Group, address: string, kind: string | undefined): void => {
    const place = `${parentAddress(address) ?? ""} ${kind ?? ""}`;
    const group = groups.get(place) ?? { gone: [], fresh: [] };
    group[side].push(address);
    groups.set(place, group);
  };
  for (const address of gone) add("gone", address, resources[address]?.kind);
  for (const address of fresh) add("fresh", address, desired.nodes.get(address)?.kind);
  return groups.values();
}

function matchGroup(group: Group, sides: Sides): FoundMoves {
  if (group.gone.length === 0 || group.fresh.length === 0) return { moves: [], ambiguous: [] };
  const from = byDigest(group.gone.map((address) => appliedBranch(address, sides)));
  const to = byDigest(group.fresh.map((address) => desiredBranch(address, sides)));
  const moves: Move[] = [];
  const ambiguous: FoundMoves["ambiguous"][number][] = [];
  for (const [digest, olds] of from) {
    const news = to.get(digest);
    const [old, next] = [olds[0], news?.[0]];
    if (news === undefined || old === undefined || next === undefined) continue;
    if (olds.length === 1 && news.length === 1) moves.push({ from: old, to: next });
    else ambiguous.push({ from: olds, to: news });
  }
  return { moves, ambiguous };
}

function byDigest(branches: readonly Branch[]): ReadonlyMap<string, readonly string[]> {
  return grouped(branches.map(({ address, content }) => [canonicalJson(content), address] as const));
}

function appliedBranch(root: string, { resources, boundBelow, resolve }: Sides): Branch {
  const content = (address: string): Json => {
    const resource = resources[address];
    const kind = resource?.kind ?? "";
    const fields = { ...resolve(kind, resource?.applied ?? {}), ...(resource?.content ?? {}) };
    const children = boundBelow.get(address) ?? [];
    return branchContent(root, { kind, fields, secrets: Object.keys(resource?.secrets ?? {}) }, children.map(content));
  };
  return { address: root, kind: resources[root]?.kind ?? "", content: content(root) };
}

function desiredBranch(root: string, { desired, wishedBelow, resolve }: Sides): Branch {
  const content = (node: TreeNode): Json => {
    const children = (wishedBelow.get(node.handle) ?? []).flatMap((address) => desired.nodes.get(address) ?? []);
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
  return { address: root, kind: node?.kind ?? "", content: node ? content(node) : null };
}

/** What a branch is, names and keys left aside. */
function branchContent(
  root: string,
  own: { readonly kind: string; readonly fields: JsonObject; readonly secrets: readonly string[] },
  children: readonly Json[],
): Json {
  const { name: _name, ...fields } = own.fields;
  const sorted = children.map((child) => canonicalJson(child)).sort();
  return { kind: own.kind, fields: withoutOwnKeys(root, fields), secrets: [...own.secrets].sort(), children: sorted };
}

/** Sets stand in the order of their references, which are keys too. */
function withoutOwnOrder(items: readonly Json[]): Json {
  const texts = items.map((item) => canonicalJson(item));
  return texts.some((text) => text.includes('"ref":')) ? texts.sort() : items;
}

/** References within the branch would name its keys; hashes of texts count, their sizes do not. */
function withoutOwnKeys(root: string, value: Json): Json {
  if (isContentMark(value)) return value.$content;
  if (Array.isArray(value)) return withoutOwnOrder(value.map((item) => withoutOwnKeys(root, item)));
  if (!isObject(value)) return value;
  const { ref } = value;
  if (typeof ref === "string" && isWithin(ref, root)) return { ref: "within" };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutOwnKeys(root, member)]));
}
