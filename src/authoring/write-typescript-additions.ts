import { childAddress } from "../model/address.ts";
import type { AnyKind } from "../model/kind.ts";
import type { WrittenObject } from "../model/written.ts";
import { importLine, typescriptStatements, wordFor } from "./write-typescript.ts";

/** The last line of a program that we wrote; new objects are added above it. */
const end = "export default app;\n";

const importPattern = /^import \{ ([^}\n]*) \} from "loadform";$/m;
const newPattern = /^(?:const (\w+) = )?new (\w+)\((\w+), "([A-Za-z0-9][\w.-]*)"/gm;

interface ProgramObject {
  readonly address: string;
  /** Undefined: nothing names it yet. */
  readonly name: string | undefined;
  /** Start of its statement. */
  readonly at: number;
}

/**
 * A program of ours with more objects in it, every other statement unchanged but for names that the new ones need;
 * undefined when it does not look as we write it.
 */
export function withStatements(
  text: string,
  objects: readonly WrittenObject[],
  kinds: readonly AnyKind[],
): string | undefined {
  const taken = importPattern.exec(text)?.[1]?.split(", ");
  if (taken === undefined || !text.endsWith(end)) return undefined;
  const made = madeIn(text, kinds);
  const parents = new Set(objects.flatMap(({ parent }) => parent ?? []));
  if (![...parents].every((parent) => made.some(({ address }) => address === parent))) return undefined;
  const named = nameParents(text, made, parents);
  const { statements, imports } = typescriptStatements(objects, kinds, named.names);
  const body = named.text.slice(0, -end.length) + statements.map((each) => `${each}\n\n`).join("") + end;
  return body.replace(importPattern, () => importLine([...taken, ...imports]));
}

/** The words by which a program calls its objects, by address, as far as its text shows them. */
export function namesIn(text: string, kinds: readonly AnyKind[]): ReadonlyMap<string, string> {
  return new Map(madeIn(text, kinds).flatMap(({ address, name }) => (name === undefined ? [] : [[address, name]])));
}

function madeIn(text: string, kinds: readonly AnyKind[]): readonly ProgramObject[] {
  const addresses = new Map<string, string | undefined>([["app", undefined]]);
  return [...text.matchAll(newPattern)].flatMap(({ 1: name, 2: type = "", 3: parent = "", 4: key = "", index }) => {
    const kind = kinds.find((each) => each.name === type.charAt(0).toLowerCase() + type.slice(1));
    if (kind === undefined || !addresses.has(parent)) return [];
    const address = childAddress(addresses.get(parent), kind.name, key);
    if (name !== undefined) addresses.set(name, address);
    return [{ address, name, at: index }];
  });
}

function nameParents(text: string, made: readonly ProgramObject[], parents: ReadonlySet<string>) {
  const names = new Map(made.flatMap(({ address, name }) => (name === undefined ? [] : [[address, name]])));
  const nameless = made.filter(({ address, name }) => name === undefined && parents.has(address));
  for (const { address } of nameless) names.set(address, wordFor(address, new Set(names.values())));
  const changed = nameless.reduceRight(
    (before, { address, at }) => `${before.slice(0, at)}const ${names.get(address)} = ${before.slice(at)}`,
    text,
  );
  return { text: changed, names };
}
