import type { DocumentPath, DocumentPlace, Position } from "../../model/diagnostic.ts";
import { isObject, type JsonObject, valueAt } from "../../model/json.ts";
import type { SourceDocument } from "../merge-documents.ts";
import type { ReferenceContext } from "../object-references.ts";
import type { Use } from "./read-uses.ts";

/** Finds a place of one document; undefined where it is not in it. */
export type Find = (place: DocumentPlace) => Position | undefined;

/** A document that may have uses: the project, or a module as one instance has it. */
export interface Holder {
  /** As it is written: of a module without its patch, and with nothing replaced. */
  readonly document: JsonObject;
  /** The use that a module is there by, and the document of that; absent for the project. */
  readonly within?: { readonly use: Use; readonly outer: Holder };
  readonly find: Find;
  /** The uses that led to it, the innermost first; none for the project. */
  readonly chain: () => readonly Position[];
}

/** A module as one use has it; a place in the patch is found there, every other one, and what both declare, in the module's file. */
export function instanceOf(
  use: Use,
  holder: Holder,
  {
    value,
    locate,
    written,
  }: Pick<SourceDocument, "value" | "locate"> & { readonly written: ReadonlyMap<string, string> },
): Holder {
  const chain = () => {
    const position = holder.find({ path: use.at, at: "key" });
    return position === undefined ? holder.chain() : [position, ...holder.chain()];
  };
  const inPatch: Find = (place) => holder.find({ ...place, path: [...use.path, "patch", ...place.path] });
  const areMerged = ({ path }: DocumentPlace) =>
    [use.patch, value].every((document) => isObject(valueAt(document, path.map(String)) ?? null));
  return {
    document: value,
    within: { use, outer: holder },
    chain,
    find: (filled) => {
      const place = { ...filled, path: withWrittenKeys(filled.path, written) };
      return (areMerged(place) ? locate(place) : undefined) ?? inPatch(place) ?? locate(place);
    },
  };
}

/** A path as it is written, of one in which keys are replaced. */
function withWrittenKeys(path: DocumentPath, written: ReadonlyMap<string, string>): DocumentPath {
  return written.size === 0 ? path : path.map((step, index) => written.get(pathKey(path.slice(0, index + 1))) ?? step);
}

/** The position of a place, or of the nearest one above it, with the uses that led there. */
export function placeIn({ find, chain }: Holder, { path, ...spot }: DocumentPlace): Position | undefined {
  for (let length = path.length; length >= 0; length--) {
    const isWhole = length === path.length;
    const found = find(isWhole ? { path, ...spot } : { path: path.slice(0, length), at: "key" });
    if (found) return withChain(found, chain());
  }
  return undefined;
}

/** A position that is reached by uses. */
export function withChain<T extends object>(
  found: T,
  chain: readonly Position[],
): T & { readonly used?: readonly Position[] } {
  return chain.length === 0 ? found : { ...found, used: chain };
}

/** A test case that a module declares. */
export interface Origin {
  readonly instance: Holder;
  /** Its key in the module, with nothing replaced. */
  readonly key: string;
  /** Keys below it as they are written, by the path as it is now. */
  readonly written: ReadonlyMap<string, string>;
  /** The part of its key in the project that its instance adds. */
  readonly prefix: string;
}

/** The key of a path in {@link Origin.written}. */
export function pathKey(path: DocumentPath): string {
  return JSON.stringify(path);
}

/** The exact position of a place in the test cases of modules; undefined for all others. */
export function originFinder(origins: ReadonlyMap<string, Origin>): Find {
  return ({ path, ...spot }) => {
    const [collection, key, ...below] = path;
    const origin = collection === "testCases" ? origins.get(String(key)) : undefined;
    if (origin === undefined) return undefined;
    const found = origin.instance.find({ ...spot, path: writtenPath(origin, below) });
    return found && withChain(found, origin.instance.chain());
  };
}

/** The inverse of expanding a module's references: those to its own test cases have their keys in it. */
export function ownWords(origins: ReadonlyMap<string, Origin>): NonNullable<ReferenceContext["inModule"]> {
  return (text, testCase) => {
    const [from, cut] = [origins.get(testCase), text.indexOf("/")];
    const key = text.slice(0, Math.max(cut, 0));
    const target = origins.get(key);
    if (from === undefined || target === undefined || !isOfInstance(target.instance, from.instance)) return text;
    const own = target.instance === from.instance ? target.key : key.slice(from.prefix.length);
    return own + text.slice(cut);
  };
}

/** True for an instance, and for those that its module uses. */
function isOfInstance(instance: Holder, outer: Holder): boolean {
  return instance === outer || (instance.within !== undefined && isOfInstance(instance.within.outer, outer));
}

/** The path of a place below a test case as it is written in its module. */
export function writtenPath({ key, written }: Origin, below: DocumentPath): DocumentPath {
  if (written.size === 0) return ["testCases", key, ...below];
  const path = ["testCases", key, ...below];
  const now: (string | number)[] = ["testCases", key];
  for (const [index, step] of below.entries()) {
    now.push(step);
    path[index + 2] = written.get(pathKey(now)) ?? step;
  }
  return path;
}
