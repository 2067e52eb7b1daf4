import type { DocumentPlace, Locate, Position } from "../model/diagnostic.ts";
import type { AnyKind } from "../model/kind.ts";
import { objectAt, pathOfAddress } from "./declared-object.ts";
import type { SourceDocument } from "./merge-documents.ts";

export interface LocateContext {
  readonly sources: readonly Pick<SourceDocument, "locate">[];
  readonly kinds: readonly AnyKind[];
  readonly environment?: string;
}

/**
 * Finds a place of the merged document in the files. The environment's patch wins over the document, and that over
 * defaults; a missing field is found at what it is missing from.
 */
export function placeFinder(context: LocateContext): (place: DocumentPlace) => Position | undefined {
  return (place) => {
    const { path } = place;
    for (let length = path.length; length >= 0; length--) {
      const isWhole = length === path.length;
      const found = findExact(isWhole ? place : { path: path.slice(0, length), at: "key" }, context);
      if (found) return found;
    }
    return undefined;
  };
}

function findExact({ path, ...spot }: DocumentPlace, context: LocateContext): Position | undefined {
  const { environment, sources, kinds } = context;
  const patch = environment === undefined ? [] : [["environments", environment]];
  const object = objectAt(path, kinds);
  const fallback = object && object.within.length > 0 ? [["defaults", object.kind.name, ...object.within]] : [];
  const paths = [path, ...fallback].flatMap((each) => [...patch.map((prefix) => [...prefix, ...each]), each]);
  for (const each of paths)
    for (const source of sources) {
      const found = source.locate({ ...spot, path: each });
      if (found) return found;
    }
  return undefined;
}

/** Positions by address, for the stages after this one; `path` leads into the object's fields. */
export function addressLocator(
  kinds: readonly AnyKind[],
  find: (place: DocumentPlace) => Position | undefined,
): Locate {
  return (address, path = []) => {
    const object = pathOfAddress(address, kinds);
    return object && find({ path: [...object, ...path], at: path.length === 0 ? "key" : "value" });
  };
}
