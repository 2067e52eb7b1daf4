import type { Diagnostic, Position } from "../model/diagnostic.ts";

/** A path into the merged project document. */
export type DocumentPath = readonly (string | number)[];

/** What a problem points at: a value, or the key it stands under. */
export interface Place {
  readonly path: DocumentPath;
  readonly at: "key" | "value";
}

/** A problem before its line and column are worked out: files are parsed again only when there is one. */
export interface Problem extends Omit<Diagnostic, keyof Position> {
  readonly place: Place;
}

/** Takes a problem that was found. */
export type Report = (problem: Problem) => void;

/** The problem with the place where it stands, as far as one is known. */
export function toDiagnostic(problem: Problem, find: (place: Place) => Position | undefined): Diagnostic {
  const { place, ...rest } = problem;
  return { ...rest, ...find(place) };
}
