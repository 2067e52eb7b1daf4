import type { Json } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import type { DeclaredObject } from "./declared-object.ts";

/** Finds declared objects by the ways in which a user refers to them. */
export interface ObjectIndex {
  /** The address that a reference text in `from` leads to: a key beside it, or `otherCase/key`. */
  addressOf(text: string, kind: string, from: DeclaredObject): string | undefined;
  /** A declared object by key or by name. */
  named(text: string, kind: string): { readonly address: string; readonly name: string } | undefined;
  /** Every text that would lead to an object of the kind, for hints. */
  candidates(kind: string, from: DeclaredObject): readonly string[];
}

/** Indexes the declared objects; `nameOf` gives the name of one by address, with everything replaced. */
export function indexObjects(
  objects: readonly DeclaredObject[],
  kinds: readonly AnyKind[],
  nameOf: (address: string) => Json | undefined,
): ObjectIndex {
  const addresses = new Set(objects.map((object) => object.address));
  const byName = kindsByName(kinds);
  const names = new Map<string, Map<string, { readonly address: string; readonly name: string }>>();
  return {
    addressOf(text, kind, from) {
      const address = text.includes("/") ? fromRoot(text, kind, byName) : beside(text, kind, from, byName);
      return address !== undefined && addresses.has(address) ? address : undefined;
    },
    named(text, kind) {
      const known = names.get(kind) ?? namesOf(objects, kind, nameOf);
      names.set(kind, known);
      return known.get(text);
    },
    candidates(kind, from) {
      const parent = byName.get(kind)?.parent;
      const scope = parent === undefined ? undefined : ancestor(from, parent);
      return objects
        .filter((object) => object.kind.name === kind)
        .map((object) => (object.parent?.address === scope ? object.key : keysOf(object.address)));
    },
  };
}

/** `otherCase/browse`: keys from the top down. */
function fromRoot(text: string, kind: string, kinds: ReadonlyMap<string, AnyKind>): string | undefined {
  const steps: string[] = [];
  const keys = text.split("/");
  let current = kinds.get(kind);
  while (current) {
    steps.unshift(`${current.name}.${keys.pop()}`);
    current = current.parent === undefined ? undefined : kinds.get(current.parent);
  }
  return keys.length === 0 ? steps.join("/") : undefined;
}

/** A key under the same parent as the one who refers, or under an ancestor of that kind. */
function beside(
  text: string,
  kind: string,
  from: DeclaredObject,
  kinds: ReadonlyMap<string, AnyKind>,
): string | undefined {
  const parent = kinds.get(kind)?.parent;
  if (parent === undefined) return `${kind}.${text}`;
  const scope = ancestor(from, parent);
  return scope === undefined ? undefined : `${scope}/${kind}.${text}`;
}

/** The address of the nearest object at or above this one that is of the kind. */
function ancestor(from: DeclaredObject, kind: string): string | undefined {
  let object: DeclaredObject | undefined = from;
  while (object !== undefined && object.kind.name !== kind) object = object.parent;
  return object?.address;
}

function keysOf(address: string): string {
  return address
    .split("/")
    .map((step) => step.slice(step.indexOf(".") + 1))
    .join("/");
}

function namesOf(
  objects: readonly DeclaredObject[],
  kind: string,
  nameOf: (address: string) => Json | undefined,
): Map<string, { readonly address: string; readonly name: string }> {
  const found = new Map<string, { readonly address: string; readonly name: string }>();
  const ofKind = objects.filter((object) => object.kind.name === kind);
  const entry = (object: DeclaredObject) => ({
    address: object.address,
    name: String(nameOf(object.address) ?? object.key),
  });
  for (const object of ofKind) found.set(entry(object).name, entry(object));
  for (const object of ofKind) found.set(object.key, entry(object));
  return found;
}
