import { type Body, isBelow } from "./document.ts";
import { type Expected, expectedOf } from "./expected.ts";
import type { Bindings, Ledger } from "./ledger.ts";
import { parentOf, type Rows } from "./rows.ts";

/** Declared objects whose name somebody else's object has where ours would be, with those. */
export interface Collisions {
  /** An apply must refuse them. */
  readonly sure: ReadonlyMap<string, readonly string[]>;
  /**
   * An apply may refuse them: an object of ours, or the one above it, is bound under a key that changed without a word. Whether
   * it is taken for the same one depends on whether its content is known and equal; if not it is created anew, beside theirs.
   * Or the namesake is one of which nobody can tell whose it is.
   */
  readonly possible: ReadonlyMap<string, readonly string[]>;
}

/** What collisions are looked for in. */
export interface Sides {
  readonly document: Body;
  readonly bindings: Bindings;
  /** Keys that were said to have changed, in order. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  readonly ledger: Pick<Ledger, "foreign" | "unclear">;
  readonly rows: Rows;
}

/** Kinds whose names are unique below their parents. */
const unique = new Set(["testCase", "dataStore"]);

/** Every name of the document that somebody else took. */
export function collisionsOf(sides: Sides): Collisions {
  const declared = expectedOf(sides.document);
  const bound = underNewKeys(sides.bindings, sides.moved);
  const unsaid = Object.keys(bound).filter((address) => !declared.has(address));
  const found = [...declared.values()].flatMap((wanted) => {
    const collision = collisionOf(wanted, { ...sides, bound, unsaid });
    return collision ? [[wanted.address, collision] as const] : [];
  });
  const those = (isSure: boolean) =>
    new Map(found.flatMap(([address, each]) => (each.isSure === isSure ? [[address, each.twins] as const] : [])));
  return { sure: those(true), possible: those(false) };
}

interface Known extends Sides {
  /** Bindings under the keys of the document, as far as these were said to have changed. */
  readonly bound: Bindings;
  /** Those that are bound and not declared: deleted, or under a key that changed without a word. */
  readonly unsaid: readonly string[];
}

interface Collision {
  readonly twins: readonly string[];
  readonly isSure: boolean;
}

function collisionOf(wanted: Expected, known: Known): Collision | undefined {
  const { address, kind, name, parent } = wanted;
  const { bound, unsaid, rows, ledger } = known;
  const live = rows.get(handleOf(bound, address) ?? "");
  if (name === undefined || live?.row["name"] === name) return undefined;
  // A rename may give siblings one name, where the service lets them share it.
  if (live !== undefined && !unique.has(kind)) return undefined;
  const above = parent === undefined ? undefined : handleOf(bound, parent);
  const isAboveKnown = parent === undefined || above !== undefined;
  const holders = above === undefined ? unsaidLike(parent, known) : [above];
  const namesakes = namesakesOf({ kind, name, parent }, holders, rows);
  const isUnclear = (handle: string) => ledger.unclear.has(handle);
  const twins = namesakes.filter((handle) => ledger.foreign.has(handle) || isUnclear(handle));
  if (twins.length === 0) return undefined;
  if (twins.some(isUnclear)) return { twins, isSure: false };
  if (isAboveKnown && twins.length === namesakes.length) return { twins, isSure: true };
  // Any other one that is ours is about to be renamed: under its address, or under another one that is not said.
  const others = [...unsaid, ...Object.keys(bound).filter((each) => each !== address)];
  const isOurs = others.some((each) => namesakes.includes(handleOf(bound, each) ?? ""));
  return !isAboveKnown || isOurs ? { twins, isSure: false } : undefined;
}

const handleOf = (bound: Bindings, address: string) => {
  const binding = bound[address];
  return binding && `${binding.kind}#${binding.id}`;
};

/** Objects that may be the one of this address under its former key. */
function unsaidLike(address: string | undefined, { bound, unsaid }: Known): readonly string[] {
  const like = unsaid.filter((each) => withoutKey(each) === withoutKey(address ?? ""));
  return like.flatMap((each) => handleOf(bound, each) ?? []);
}

/** Where an address stands, and its kind. */
const withoutKey = (address: string) => address.slice(0, address.lastIndexOf("."));

function namesakesOf(
  { kind, name, parent }: Pick<Expected, "kind" | "name" | "parent">,
  holders: readonly string[],
  rows: Rows,
): readonly string[] {
  return [...rows].flatMap(([handle, { kind: of, row }]) => {
    const isThere = parent === undefined || holders.includes(parentOf(kind, row) ?? "");
    return of === kind && row["name"] === name && isThere ? [handle] : [];
  });
}

/** Bindings under the keys that they were said to have by now: an apply that is refused does not store them yet. */
function underNewKeys(bindings: Bindings, moved: Sides["moved"]): Bindings {
  const led = Object.entries(bindings).map(([address, binding]) => {
    const to = moved.reduce(
      (at, each) => (isBelow(at, each.from) ? each.to + at.slice(each.from.length) : at),
      address,
    );
    return [to, binding] as const;
  });
  return Object.fromEntries(led);
}
