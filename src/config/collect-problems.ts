import { pathOfAddress } from "../model/address.ts";
import type { Code } from "../model/codes.ts";
import {
  type Diagnostic,
  type DocumentPlace,
  hasErrors,
  inReadingOrder,
  type Locate,
  type Position,
  redactDiagnostic,
} from "../model/diagnostic.ts";
import { groupBy } from "../model/group-by.ts";
import type { AnyKind } from "../model/kind.ts";
import { redactor } from "../model/redact.ts";
import { addressOfPath, objectAt } from "./declared-object.ts";
import { asWrittenIn } from "./read-files.ts";

/** A problem before its line and column are worked out: files are parsed again only when there is one. */
export interface DocumentProblem extends Omit<Diagnostic, keyof Position> {
  /** Absent where the problem is not in the files. */
  readonly place?: DocumentPlace;
}

/** Takes a problem. */
export type Report = (problem: DocumentProblem) => void;

export interface ProblemContext {
  /** Problems that the entry has reported already. */
  readonly known: readonly Diagnostic[];
  /** A line of a program makes many objects; a line of YAML says something once, whatever repeats it. */
  readonly isProgram: boolean;
  readonly kinds: readonly AnyKind[];
  readonly find: (place: DocumentPlace) => Position | undefined;
  readonly secrets: readonly string[];
}

/** The problems of a document with their places, and those of its entry: each once, in reading order, without secrets. */
export function collectProblems(
  problems: readonly DocumentProblem[],
  { known, isProgram, kinds, find, secrets }: ProblemContext,
): readonly Diagnostic[] {
  const redact = redactor(secrets);
  const located = problems.map(({ place, ...problem }): Diagnostic => {
    const address = problem.address ?? (place && addressOfPath(place.path, kinds));
    const placed = { ...problem, ...(address === undefined ? {} : { address }), ...(place && find(place)) };
    return redactDiagnostic(withOwnPaths(placed), redact);
  });
  const byText = groupBy([...known, ...located], (each) => problemKey(each, isProgram));
  return readable(groupUnset([...byText.values()].flatMap(saidOnce)));
}

/** Paths of files are suggested as they are written at the place of the problem. */
function withOwnPaths(problem: Diagnostic): Diagnostic {
  const { code, file, suggestion } = problem;
  const isPath = code === "LF1002" && file !== undefined && suggestion !== undefined;
  return isPath ? { ...problem, suggestion: asWrittenIn(file, suggestion) } : problem;
}

/** One problem of many that are the same: in a module, its first instance with the number of those that have it. */
function saidOnce(same: readonly Diagnostic[]): readonly Diagnostic[] {
  const [first, last] = [same[0], same.at(-1)];
  if (first?.used === undefined || last === undefined) return last ? [last] : [];
  const uses = new Set(same.map(({ used }) => JSON.stringify(used)));
  if (uses.size === 1) return [first];
  const end = /[.?!]$/.test(first.detail) ? "" : ".";
  return [{ ...first, detail: `${first.detail}${end} ${uses.size} instances have this problem` }];
}

const mostPlaces = 20;

/** An environment variable that is not set is one problem, however often it is used: said at its first use, with all others. */
function groupUnset(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const unset = inReadingOrder(diagnostics.filter(({ code }) => code === "LF1303"));
  const bySummary = groupBy(unset, ({ summary }) => summary);
  const grouped = [...bySummary.values()].flatMap(([first, ...others]) => (first ? [withUses(first, others)] : []));
  return [...diagnostics.filter(({ code }) => code !== "LF1303"), ...grouped];
}

function withUses(first: Diagnostic, others: readonly Diagnostic[]): Diagnostic {
  if (others.length === 0) return first;
  const places = others.map(({ file, line, column, address }) =>
    file === undefined ? (address ?? "") : [file, line, column].filter((part) => part !== undefined).join(":"),
  );
  const more = places.length > mostPlaces ? [`and ${places.length - mostPlaces} more`] : [];
  const list = [...places.slice(0, mostPlaces), ...more].join(", ");
  return {
    ...first,
    detail: `${first.detail}. It is used here and in ${others.length === 1 ? "one more place" : `${others.length} more places`}: ${list}`,
  };
}

function problemKey({ code, summary, file, line, column, address }: Diagnostic, isProgram: boolean): string {
  return JSON.stringify([code, summary, file, line, column, line === undefined || isProgram ? address : ""]);
}

/** More problems than anybody reads; a file that is none of ours can have any number. */
const mostShown = 500;

/** Problems in reading order, as many as anybody reads. */
export function readable(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const all = inReadingOrder(diagnostics);
  const [shown, more] = [all.slice(0, mostShown), all.slice(mostShown)];
  const [first] = more;
  if (first === undefined) return all;
  const severity = hasErrors(more) ? "error" : "warning";
  const detail = "Fix the problems above first, then run the command again";
  return [...shown, { severity, code: first.code, summary: `and ${more.length} more problems`, detail }];
}

/** Problems that no part which could not be read would take away, as defaults, variables and other objects in it may. */
const independent: ReadonlySet<Code> = new Set([
  "LF1002",
  "LF1005",
  "LF1101",
  "LF1102",
  "LF1104",
  "LF1105",
  "LF1203",
  "LF1303",
]);

/** Of the problems of an incomplete project, those that it would have as a whole too. */
export function certainProblems(all: readonly Diagnostic[], known: readonly Diagnostic[]): readonly Diagnostic[] {
  const keys = new Set(known.map((each) => problemKey(each, false)));
  return all.filter((each) => independent.has(each.code) || keys.has(problemKey(each, false)));
}

export interface LocateContext {
  readonly sources: readonly { readonly locate: (place: DocumentPlace) => Position | undefined }[];
  readonly kinds: readonly AnyKind[];
  readonly environment?: string;
  /** Places of the test cases of modules. */
  readonly findInModules?: (place: DocumentPlace) => Position | undefined;
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
      const near = isWhole ? place : ({ path: path.slice(0, length), at: "key" } as const);
      const found = context.findInModules?.(near) ?? findExact(near, context);
      if (found) return found;
    }
    return undefined;
  };
}

/** The place itself, in an environment's patch, the files, or the defaults of its kind. */
export function findExact({ path, ...spot }: DocumentPlace, context: LocateContext): Position | undefined {
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
export function addressLocator(kinds: readonly AnyKind[], at: (place: DocumentPlace) => Position | undefined): Locate {
  return (address, path = []) => {
    const object = pathOfAddress(address, kinds);
    return object && at({ path: [...object, ...path], at: path.length === 0 ? "key" : "value" });
  };
}
