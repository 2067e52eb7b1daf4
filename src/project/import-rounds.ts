import type { Imported } from "../import/import-tree.ts";
import { importTree } from "../import/import-tree.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import { layOutYaml } from "./import-layout.ts";
import type { ImportOutcome } from "./import-outcome.ts";
import { noImport } from "./import-outcome.ts";
import { byHandProblems, leftOutProblems } from "./import-problems.ts";
import { layOutProgram } from "./import-program.ts";
import type { ImportAttempt, Learned, Round } from "./import-round.ts";
import { again, done, placeOf } from "./import-round.ts";
import { handlesIn, proveRound } from "./prove-round.ts";
import { putInPlace } from "./put-in-place.ts";
import type { TakenPaths } from "./taken-paths.ts";
import { takenPaths } from "./taken-paths.ts";

/** More rounds than a reason to leave something out can have steps. */
const rounds = 6;

/** Writes, proves, and moves into place; nothing is in place before an empty plan proved all of it. */
export async function importInRounds(attempt: ImportAttempt): Promise<ImportOutcome> {
  if (attempt.wanted.size === 0) return noImport("nothing", []);
  const taken = await takenPaths(attempt.base);
  let learned: Learned = { dropped: new Map(), problems: [], excluded: new Set(), beside: new Map() };
  for (let number = 1; ; number++) {
    const round = await oneRound(attempt, learned, { taken, isLast: number === rounds });
    if (round.is === "done") return round.outcome;
    learned = round.learned;
  }
}

interface RoundInput {
  readonly taken: TakenPaths;
  readonly isLast: boolean;
}

async function oneRound(attempt: ImportAttempt, learned: Learned, { taken, isLast }: RoundInput): Promise<Round> {
  const imported = importLearned(attempt, learned, taken.isTaken);
  const outside = leftOutProblems(imported.leftOut);
  const problems = [...learned.problems, ...outside];
  const { base } = attempt;
  if (Object.keys(imported.bindings).length === 0) return nothingToBind(attempt, learned, problems);
  const isProgram = attempt.flags.format === "ts" || base.entry === "typescript";
  const whole = isProgram ? await layOutProgram(imported, base) : await layOutYaml(imported, base, taken);
  const isReady = (path: string) => imported.contents.has(path) && taken.isThere(path);
  const layout = { ...whole, files: new Map([...whole.files].filter(([path]) => !isReady(path))) };
  if (layout.byHand.length > 0) {
    const handles = layout.byHand.flatMap(({ object }) => handlesIn(imported, object));
    return again(
      { ...learned, beside: layout.files },
      { problems: byHandProblems(layout.byHand, placeOf(attempt)), handles },
    );
  }
  const files = new Map([...learned.beside, ...layout.files]);
  return proveRound({ attempt, learned, imported, layout: { ...layout, files }, problems, isLast });
}

/** What is to be added by hand leaves only its scripts and data files. */
async function nothingToBind(
  attempt: ImportAttempt,
  { beside }: Learned,
  diagnostics: readonly Diagnostic[],
): Promise<Round> {
  if (beside.size === 0) return done({ status: "nothing", diagnostics });
  if (attempt.flags.signal?.aborted) return done({ status: "interrupted", diagnostics });
  await putInPlace(attempt.base, { files: beside, changed: new Map() });
  return done({ status: "nothing", files: [...beside.keys()].sort(), diagnostics });
}

function importLearned(attempt: ImportAttempt, learned: Learned, isTaken: TakenPaths["isTaken"]): Imported {
  const { base, live, bound, state } = attempt;
  const defaults = base.document["defaults"];
  return importTree(kinds, {
    live,
    wanted: new Set([...attempt.wanted].filter((handle) => !learned.excluded.has(handle))),
    declared: base.project.tree,
    bound,
    known: new Set(Object.keys(state.resources)),
    defaults: isObject(defaults) ? defaults : {},
    isLive: base.project.live,
    dropped: learned.dropped,
    isTaken,
  });
}
