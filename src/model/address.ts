import type { AnyKind } from "./kind.ts";
import { type Wild, wildMatcher } from "./wildcards.ts";

/** One step of an address: `scenario.browse`. */
export interface AddressStep {
  readonly kind: string;
  readonly key: string;
}

export const keyPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** The word, or the first of `word-2`, `word-3`, … that is free. */
export function firstFree(word: string, isTaken: (word: string) => boolean, before = "-"): string {
  let free = word;
  for (let number = 2; isTaken(free); number++) free = `${word}${before}${number}`;
  return free;
}

/** The address of `key` under a parent's address: `testCase.checkout/scenario.browse`. */
export function childAddress(parent: string | undefined, kind: string, key: string): string {
  return parent === undefined ? `${kind}.${key}` : `${parent}/${kind}.${key}`;
}

/** The address of the parent, or undefined at the top. */
export function parentAddress(address: string): string | undefined {
  const cut = address.lastIndexOf("/");
  return cut < 0 ? undefined : address.slice(0, cut);
}

/** Addresses of the objects around one, the nearest first. */
export function addressesAbove(address: string): readonly string[] {
  const parent = parentAddress(address);
  return parent === undefined ? [] : [parent, ...addressesAbove(parent)];
}

/** The address of the outermost object around one: its test case. */
export function topAddress(address: string): string {
  const cut = address.indexOf("/");
  return cut < 0 ? address : address.slice(0, cut);
}

/** The steps of an address, or undefined when the text is none. */
export function parseAddress(text: string): readonly AddressStep[] | undefined {
  const steps: AddressStep[] = [];
  for (let from = 0; from <= text.length; ) {
    const slash = text.indexOf("/", from);
    const end = slash < 0 ? text.length : slash;
    const dot = text.indexOf(".", from);
    const key = text.slice(dot + 1, end);
    if (dot <= from || dot >= end || !keyPattern.test(key)) return undefined;
    steps.push({ kind: text.slice(from, dot), key });
    from = end + 1;
  }
  return steps;
}

/** The last step of an address known to be one. */
export function lastStep(address: string): AddressStep {
  const part = address.slice(address.lastIndexOf("/") + 1);
  const dot = part.indexOf(".");
  return { kind: part.slice(0, dot), key: part.slice(dot + 1) };
}

/** True for `ancestor` itself and everything below it. */
export function isWithin(address: string, ancestor: string): boolean {
  return address === ancestor || address.startsWith(`${ancestor}/`);
}

const within = (character: string) => character !== "/";
const wilds: Readonly<Record<string, Wild>> = {
  "**": { accepts: () => true, repeats: true },
  "*": { accepts: within, repeats: true },
  "?": { accepts: within, repeats: false },
};

/**
 * A test for addresses from a glob: `*` matches within one step, `**` crosses steps, `?` is one character.
 * A trailing `/**` also matches the object itself, as a person naming a subtree means it.
 */
export function addressMatcher(glob: string): (address: string) => boolean {
  const parts = (glob.match(/\*\*|./gsu) ?? []).map((found) => wilds[found] ?? found);
  const matches = wildMatcher(parts);
  if (!glob.endsWith("/**")) return matches;
  const isObject = wildMatcher(parts.slice(0, -2));
  return (address) => isObject(address) || matches(address);
}

/** A test for addresses from several globs; no globs match nothing. */
export function anyMatcher(globs: readonly string[]): (address: string) => boolean {
  const matchers = globs.map(addressMatcher);
  return (address) => matchers.some((matches) => matches(address));
}

/** Finds the entry whose address, or glob, names an object or one above it: the nearest plain address, else the first glob. */
export function coveringEntry<T extends { readonly address: string }>(entries: readonly T[]) {
  const plain = new Map(entries.map((entry) => [entry.address, entry]));
  const globs = entries.filter(({ address }) => /[*?]/.test(address));
  const matchers = globs.map((entry) => ({ entry, matches: addressMatcher(entry.address) }));
  return (address: string): T | undefined => {
    const chain = [address, ...addressesAbove(address)];
    const named = chain.find((each) => plain.has(each));
    return named === undefined ? matchers.find(({ matches }) => chain.some(matches))?.entry : plain.get(named);
  };
}

/** The path in the document of the object at an address; undefined when it is no address of these kinds. */
export function pathOfAddress(address: string, kinds: readonly AnyKind[]): readonly string[] | undefined {
  const path: string[] = [];
  let parent: string | undefined;
  for (const step of address.split("/")) {
    const dot = step.indexOf(".");
    const kind = kinds.find((each) => each.name === step.slice(0, dot) && each.parent === parent);
    if (kind === undefined) return undefined;
    path.push(kind.plural, step.slice(dot + 1));
    parent = kind.name;
  }
  return path;
}
