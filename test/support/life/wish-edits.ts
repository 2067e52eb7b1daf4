import { childAddress, isWithin } from "../../../src/model/address.ts";
import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { Wish } from "../random-project.ts";

/** What a project says: its objects, and the blocks about former ones. */
export interface Project {
  readonly wishes: readonly Wish[];
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  readonly removed: readonly { readonly address: string; readonly destroy: boolean }[];
}

/** A wish with where it stands. */
export interface Placed {
  readonly address: string;
  readonly parent: string | undefined;
  readonly wish: Wish;
}

/** Every wish of a project, parents first. */
export function placed(wishes: readonly Wish[], parent?: string): readonly Placed[] {
  return wishes.flatMap((wish) => {
    const address = childAddress(parent, wish.kind, wish.key);
    return [{ address, parent, wish }, ...placed(wish.below, address)];
  });
}

/** The wish that a number picks. */
export function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % Math.max(from.length, 1)];
}

/** The same wishes with one of them changed, or gone. */
export function edited(
  wishes: readonly Wish[],
  address: string,
  change: (wish: Wish) => Wish | undefined,
  parent?: string,
): readonly Wish[] {
  return wishes.flatMap((wish) => {
    const own = childAddress(parent, wish.kind, wish.key);
    if (own === address) return change(wish) ?? [];
    return isWithin(address, own) ? { ...wish, below: edited(wish.below, address, change, own) } : wish;
  });
}

/** Another key for one wish, with every reference to it and below it led there. */
export function rekeyed(project: Project, at: number, key: string, said: boolean): Project {
  const all = placed(project.wishes);
  const chosen = pick(
    all.filter(({ wish }) => wish.kind !== "tag"),
    at,
  );
  if (chosen === undefined) return project;
  const { address: from, parent, wish } = chosen;
  const to = childAddress(parent, wish.kind, key);
  if (all.some(({ address }) => address === to)) return project;
  const wishes = edited(project.wishes, from, (each) => ({ ...each, key })).map((each) => led(each, from, to));
  const moved = said ? [...project.moved.filter((move) => move.from !== from), { from, to }] : project.moved;
  return { ...project, wishes, moved };
}

function led(wish: Wish, from: string, to: string): Wish {
  const fields = ledJson(wish.fields, from, to) as JsonObject;
  return { ...wish, fields, below: wish.below.map((each) => led(each, from, to)) };
}

function ledJson(value: Json, from: string, to: string): Json {
  if (Array.isArray(value)) return value.map((each: Json) => ledJson(each, from, to));
  if (!isObject(value)) return value;
  const { ref } = value;
  if (typeof ref === "string" && isWithin(ref, from)) return { ref: to + ref.slice(from.length) };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, ledJson(each, from, to)]));
}

/** The names of a wish and of its next sibling of the same kind, swapped. */
export function swapped(wishes: readonly Wish[], at: number): readonly Wish[] {
  const all = placed(wishes).filter(({ wish }) => "name" in wish.fields && wish.kind !== "tag");
  const one = pick(all, at);
  const other = all.find(
    ({ address, parent, wish }) => address !== one?.address && parent === one?.parent && wish.kind === one?.wish.kind,
  );
  if (one === undefined || other === undefined) return wishes;
  const named = (name: Json | undefined) => (wish: Wish) => ({
    ...wish,
    fields: { ...wish.fields, name: name ?? null },
  });
  const half = edited(wishes, one.address, named(other.wish.fields["name"]));
  return edited(half, other.address, named(one.wish.fields["name"]));
}

/** Roots of another project put in, or in the place of their namesakes. */
export function mixed(wishes: readonly Wish[], more: readonly Wish[]): readonly Wish[] {
  const isSame = (left: Wish) => (right: Wish) => left.kind === right.kind && left.key === right.key;
  return [...wishes.filter((each) => !more.some(isSame(each))), ...more];
}

/** The project as loading would accept it: no reference to nowhere, no region twice, and blocks only about what is not declared. */
export function sound({ wishes, moved, removed }: Project): Project {
  const addresses = new Set(placed(wishes).map(({ address }) => address));
  const grids = new Set(wishes.filter(isGrid).map(({ key }) => `provider.${key}`));
  const isWhole = ({ kind, fields }: Wish) =>
    referred(fields).every((ref) => (kind === "region" ? grids : addresses).has(ref));
  const kept = wishes
    .filter(isWhole)
    .filter(isFirst)
    .map((wish) => ({ ...wish, below: wish.below.filter((each) => each.kind !== "configuration" || isWhole(each)) }));
  const declared = new Set(placed(kept).map(({ address }) => address));
  const free = moved.filter(({ from }) => !declared.has(from));
  const isLed = ({ to }: { readonly to: string }) => declared.has(to) || free.some(({ from }) => from === to);
  return { wishes: kept, moved: free.filter(isLed), removed: removed.filter(({ address }) => !declared.has(address)) };
}

/** Whether no region before it has its name in its grid. */
function isFirst({ kind, fields }: Wish, index: number, wishes: readonly Wish[]): boolean {
  const isTwin = (other: Wish) =>
    other.kind === "region" &&
    other.fields["name"] === fields["name"] &&
    JSON.stringify(other.fields["provider"]) === JSON.stringify(fields["provider"]);
  return kind !== "region" || wishes.findIndex(isTwin) === index;
}

/** Whether regions can stand in a provider. */
const isGrid = ({ kind, fields }: Wish) => kind === "provider" && fields["providerType"] === "Shared";

function referred(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => referred(each));
  if (!isObject(value)) return [];
  const { ref } = value;
  return [...(typeof ref === "string" ? [ref] : []), ...Object.values(value).flatMap(referred)];
}
