import { childAddress } from "../model/address.ts";
import type { DocumentPath } from "../model/diagnostic.ts";
import { nearest } from "../model/did-you-mean.ts";
import { atFirstUse } from "../model/group-by.ts";
import { isObject, type Json, type JsonObject, objectOf } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { inactiveFields } from "../model/variant.ts";

/** One object of the document: its members, with the kind's defaults under them. */
export interface DeclaredObject {
  readonly kind: AnyKind;
  readonly key: string;
  readonly address: string;
  readonly parent: DeclaredObject | undefined;
  readonly input: JsonObject;
}

/** The path of an object in the merged document. */
export function pathOf({ kind, key, parent }: DeclaredObject): DocumentPath {
  return parent === undefined ? [kind.plural, key] : [...pathOf(parent), kind.plural, key];
}

interface KindMembers {
  readonly kind: AnyKind;
  readonly children: readonly KindMembers[];
  readonly names: ReadonlySet<string>;
}

const lifecycle = ["protect", "ignore", "unmanaged"];

/** Every object of the document by kind, in the order of the kinds: parents and referred objects are first. */
export function declaredObjects(document: JsonObject, kinds: readonly AnyKind[]): readonly DeclaredObject[] {
  const found = new Map<AnyKind, DeclaredObject[]>(kinds.map((kind) => [kind, []]));
  const defaults = objectOf(document.defaults);
  const take = (holder: JsonObject, below: readonly KindMembers[], parent: DeclaredObject | undefined): void => {
    for (const members of below) takeAll(members, holder[members.kind.plural], parent);
  };
  const takeAll = (members: KindMembers, collection: Json | undefined, parent: DeclaredObject | undefined): void => {
    const objects = objectOf(collection);
    const { kind } = members;
    for (const key in objects) {
      // An empty object has no fields; a value of another type is reported elsewhere.
      const own = objects[key] ?? {};
      if (!isObject(own)) continue;
      const address = childAddress(parent?.address, kind.name, key);
      const object = { kind, key, address, parent, input: inputOf(members, own, defaults[kind.name]) };
      found.get(kind)?.push(object);
      take(own, members.children, object);
    }
  };
  take(document, membersBelow(kinds, undefined), undefined);
  return [...found.values()].flat();
}

/** The inputs of a document's objects by address, collected at the first use. */
export function inputsOf(document: JsonObject, kinds: readonly AnyKind[]): (address: string) => JsonObject | undefined {
  const inputs = atFirstUse(() => new Map(declaredObjects(document, kinds).map((each) => [each.address, each.input])));
  return (address) => inputs().get(address);
}

function membersBelow(kinds: readonly AnyKind[], parent: string | undefined): readonly KindMembers[] {
  return kinds
    .filter((kind) => kind.parent === parent)
    .map((kind) => {
      const children = membersBelow(kinds, kind.name);
      const plurals = children.map((child) => child.kind.plural);
      return { kind, children, names: new Set([...Object.keys(kind.fields), ...plurals, ...lifecycle]) };
    });
}

function inputOf({ kind, names }: KindMembers, own: JsonObject, defaults: Json | undefined): JsonObject {
  const all = isObject(defaults) ? { ...applicable(kind, defaults, own), ...own } : own;
  return areKnown(all, names) ? all : withMisspelt(all, names);
}

/** The defaults of a kind without those of variants that an object does not have: a ramp-up where its profile has none. */
function applicable({ variants }: AnyKind, defaults: JsonObject, own: JsonObject): JsonObject {
  const chosen = (variants ?? []).filter(({ by }) => {
    const choice = typeof by === "string" ? (own[by] ?? defaults[by]) : undefined;
    return typeof choice !== "string" || !choice.includes("${");
  });
  const inactive = new Set(
    chosen.flatMap((variant) => {
      const isChosenByItself = typeof variant.by !== "string" && variant.by.some((field) => own[field] !== undefined);
      return [...inactiveFields([variant], isChosenByItself ? own : { ...defaults, ...own })];
    }),
  );
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !inactive.has(name)));
}

function areKnown(input: JsonObject, names: ReadonlySet<string>): boolean {
  for (const name in input) if (!names.has(name)) return false;
  return true;
}

/** A misspelt key is reported once; otherwise it counts as the key it resembles, so that nothing seems missing. */
function withMisspelt(input: JsonObject, names: ReadonlySet<string>): JsonObject {
  const meant: Record<string, Json> = { ...input };
  for (const [name, value] of Object.entries(input)) {
    const near = names.has(name) ? undefined : nearest(name, names);
    if (near !== undefined && meant[near] === undefined) meant[near] = value;
  }
  return meant;
}

/** The object that a document path leads to or into, and the path within it. */
export function objectAt(
  path: DocumentPath,
  kinds: readonly AnyKind[],
): { readonly kind: AnyKind; readonly address: string; readonly within: DocumentPath } | undefined {
  let kind: AnyKind | undefined;
  let address: string | undefined;
  let depth = 0;
  for (;;) {
    const parent: string | undefined = kind?.name;
    const next = kinds.find((each) => each.parent === parent && each.plural === path[depth]);
    if (next === undefined || path[depth + 1] === undefined) break;
    kind = next;
    address = childAddress(address, kind.name, String(path[depth + 1]));
    depth += 2;
  }
  return kind && { kind, address: address ?? "", within: path.slice(depth) };
}

/** The address of the object that a document path leads to or into. */
export function addressOfPath(path: DocumentPath, kinds: readonly AnyKind[]): string | undefined {
  return objectAt(path, kinds)?.address;
}
