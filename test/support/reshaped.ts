import fc from "fast-check";
import { childAddress } from "../../src/model/address.ts";
import { isObject, type Json } from "../../src/model/json.ts";
import type { Wish } from "./random-project.ts";

/** Numbers that choose what becomes of each object, in the order of the tree. */
export const choices = fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 12 });

function chooser(numbers: readonly number[]): (max: number) => number {
  let next = 0;
  return (max) => (numbers[next++ % numbers.length] ?? 0) % Math.max(1, max);
}

/** The same objects with their names passed around among siblings of one kind, at every level. */
export function withNamesPassedOn(wishes: readonly Wish[], numbers: readonly number[]): readonly Wish[] {
  const choose = chooser(numbers);
  const pass = (siblings: readonly Wish[]): readonly Wish[] => {
    const names = new Map<string, readonly Json[]>();
    for (const { kind, fields } of siblings)
      if (fields["name"] !== undefined) names.set(kind, [...(names.get(kind) ?? []), fields["name"]]);
    const shift = new Map([...names].map(([kind, list]) => [kind, choose(list.length)]));
    const taken = new Map<string, number>();
    return siblings.map((wish) => {
      const list = names.get(wish.kind);
      const below = pass(wish.below);
      if (list === undefined || !renamable.has(wish.kind)) return { ...wish, below };
      const index = taken.get(wish.kind) ?? 0;
      taken.set(wish.kind, index + 1);
      const name = list[(index + (shift.get(wish.kind) ?? 0)) % list.length];
      return { ...wish, fields: { ...wish.fields, name: name ?? wish.key }, below };
    });
  };
  return pass(wishes);
}

/** Kinds that take another name in place. */
const renamable = new Set(["testCase", "scenario", "dataStore", "configuration", "gateway", "vcsRoot", "provider"]);

/** The same objects with configurations that run on the project's own grids, where it has one with a region. */
export function onOwnGrids(wishes: readonly Wish[]): readonly Wish[] {
  const region = wishes.find(({ kind }) => kind === "region");
  if (region === undefined) return wishes;
  const provider = region.fields["provider"] ?? { id: 0 };
  const providers: Json = [{ provider, regions: [region.fields["name"] ?? ""] }];
  const moved = (wish: Wish): Wish => ({
    ...wish,
    ...(wish.kind === "configuration" && {
      fields: { ...wish.fields, providers },
      dependsOn: [`region.${region.key}`],
    }),
    below: wish.below.map(moved),
  });
  return wishes.map(moved);
}

/** The same objects under new keys, as chosen; references follow. Answers too which address became which. */
export function withNewKeys(
  wishes: readonly Wish[],
  numbers: readonly number[],
): { readonly wishes: readonly Wish[]; readonly became: ReadonlyMap<string, string> } {
  const choose = chooser(numbers);
  const became = new Map<string, string>();
  const rekey = (siblings: readonly Wish[], parent: readonly [string | undefined, string | undefined]): Wish[] =>
    siblings.map((wish) => {
      const isNew = renamable.has(wish.kind) && choose(3) === 0;
      const key = isNew ? `new-${wish.key}` : wish.key;
      const from = childAddress(parent[0], wish.kind, wish.key);
      const to = childAddress(parent[1], wish.kind, key);
      became.set(from, to);
      return { ...wish, key, below: rekey(wish.below, [from, to]) };
    });
  const rekeyed = rekey(wishes, [undefined, undefined]);
  return { wishes: rekeyed.map((wish) => withReferences(wish, became)), became };
}

function withReferences(wish: Wish, became: ReadonlyMap<string, string>): Wish {
  const follow = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(follow);
    if (!isObject(value)) return value;
    if (typeof value["ref"] === "string") return { ref: became.get(value["ref"]) ?? value["ref"] };
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, follow(each)]));
  };
  const fields = Object.fromEntries(Object.entries(wish.fields).map(([name, value]) => [name, follow(value)]));
  return { ...wish, fields, below: wish.below.map((each) => withReferences(each, became)) };
}

/** The lines to paste in a message, as moves. */
export function movesIn(detail: string): readonly { readonly from: string; readonly to: string }[] {
  return [...detail.matchAll(/\{ from: (\S+), to: (\S+) \}/g)].map(([, from = "", to = ""]) => ({ from, to }));
}
