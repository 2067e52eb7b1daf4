import { programFile } from "../config/entry-files.ts";
import type { ParseCache } from "../config/parse-cache.ts";
import { projectCache } from "../config/parse-cache.ts";
import type { Imported } from "../import/import-tree.ts";
import { importTree } from "../import/import-tree.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { Tree } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import type { WrittenObject } from "../model/written.ts";
import type { State } from "../state/state.ts";
import type { StateSession, StoredState } from "../state/store.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { memoryWorkspace } from "../workspace/memory-workspace.ts";
import { overlayWorkspace } from "../workspace/overlay-workspace.ts";
import { withTemporaryFolder } from "../workspace/temporary-folder.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { writeFolder } from "../workspace/write-folder.ts";
import { commandWords } from "./command-place.ts";
import { loadImported } from "./import-base.ts";
import type { Layout } from "./import-layout.ts";
import { layOutYaml } from "./import-layout.ts";
import type { ImportOutcome, ImportWork } from "./import-outcome.ts";
import { noImport } from "./import-outcome.ts";
import { byHandProblems, leftOutProblems, unprovenProblems } from "./import-problems.ts";
import { layOutProgram } from "./import-program.ts";
import type { Proof } from "./prove-import.ts";
import { proveImport } from "./prove-import.ts";
import { putInPlace } from "./put-in-place.ts";
import type { TakenPaths } from "./taken-paths.ts";
import { takenPaths } from "./taken-paths.ts";

/** An import with everything read. */
export interface ImportAttempt extends ImportWork {
  readonly session: StateSession;
  readonly stored: StoredState;
  /** The state with creates in doubt matched. */
  readonly state: State;
  readonly bound: ReadonlyMap<string, string>;
  readonly wanted: ReadonlySet<string>;
  readonly live: Tree;
}

/** What earlier rounds found out: what cannot be written is left out, and the rest is tried again. */
interface Learned {
  readonly dropped: ReadonlyMap<string, ReadonlySet<string>>;
  readonly problems: readonly Diagnostic[];
  /** Live handles that stay outside. */
  readonly excluded: ReadonlySet<string>;
  /** Scripts and data files of what is to be added by hand. */
  readonly beside: Layout["files"];
}

type Round =
  | { readonly is: "done"; readonly outcome: ImportOutcome }
  | { readonly is: "again"; readonly learned: Learned };

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
  return prove({ attempt, learned, imported, layout: { ...layout, files }, problems, isLast });
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

interface Proving {
  readonly attempt: ImportAttempt;
  readonly learned: Learned;
  readonly imported: Imported;
  readonly layout: Layout;
  readonly problems: readonly Diagnostic[];
  readonly isLast: boolean;
}

/** The project as it would be, loaded and planned; a program runs from a folder of its own. */
async function prove(proving: Proving): Promise<Round> {
  const { base } = proving.attempt;
  const { files } = proving.layout;
  if (!files.has(programFile))
    return proveIn(overlayWorkspace(base.workspace, memoryWorkspace(Object.fromEntries(files), base.root)), proving);
  return withTemporaryFolder(async (folder) => {
    await writeFolder(folder, files);
    return proveIn({ ...overlayWorkspace(base.workspace, diskWorkspace(folder)), root: folder }, proving);
  }, base.root);
}

async function proveIn(whole: Workspace, proving: Proving): Promise<Round> {
  const { attempt, imported, layout, learned, isLast } = proving;
  const { base, flags, live, stored, connection, world } = attempt;
  const values = imported.environment.map(({ name }) => [name, `value of ${name} during import`]);
  const env = { ...attempt.loading.env, ...Object.fromEntries(values) };
  const parsed = new Map<string, string>();
  const cache = parseCache(base, parsed);
  const project = await loadImported(whole, { ...attempt.loading, env, cache });
  const wrong = project.diagnostics.filter(({ severity }) => severity === "error");
  const foreign = wrong.filter(({ address }) => address === undefined || handleWithin(imported, address) === undefined);
  if (foreign.length > 0 || (wrong.length > 0 && isLast)) return done({ status: "failed", diagnostics: wrong });
  if (wrong.length > 0) return again(learned, refused(imported, wrong));
  const state = { ...attempt.state, target: attempt.state.target ?? connection.target };
  const proof = proveImport({ project, live, state, target: connection.target, bindings: imported.bindings, world });
  if (proof.blocked.length > 0) return done({ status: "blocked", diagnostics: proof.blocked });
  if (proof.changes.length > 0 || proof.problems.length > 0) return unproven(proving, proof);
  if (flags.signal?.aborted) return done({ status: "interrupted", diagnostics: proving.problems });
  await putInPlace(base, layout);
  await attempt.session.save(
    { ...stored.state, target: connection.target, resources: { ...stored.state.resources, ...proof.bindings } },
    stored.intents,
  );
  if (parsed.size > 0) await projectCache(base.workspace).write(parsed);
  return done({
    status: "imported",
    files: [...layout.files.keys()].sort(),
    objects: Object.entries(proof.bindings).map(([address, { kind, id }]) => ({ address, kind, id })),
    environment: imported.environment,
    diagnostics: proving.problems,
  });
}

/** What is parsed for the proof is kept for the next command once it is in place. */
function parseCache({ workspace }: ImportAttempt["base"], kept: Map<string, string>): ParseCache {
  return {
    read: () => projectCache(workspace).read(),
    write: async (parsed) => {
      for (const [hash, json] of parsed) kept.set(hash, json);
    },
  };
}

function done(outcome: Pick<ImportOutcome, "status" | "diagnostics"> & Partial<ImportOutcome>): Round {
  return { is: "done", outcome: { files: [], objects: [], environment: [], requests: 0, ...outcome } };
}

function again(
  learned: Learned,
  more: { readonly problems: readonly Diagnostic[]; readonly handles: readonly string[] },
): Round {
  const excluded = new Set([...learned.excluded, ...more.handles]);
  return { is: "again", learned: { ...learned, excluded, problems: [...learned.problems, ...more.problems] } };
}

/** An object and all below it. */
function handlesIn(imported: Imported, { address, children }: WrittenObject): readonly string[] {
  return [handleOf(imported, address), ...children.flatMap((child) => handlesIn(imported, child))];
}

function handleOf({ bindings }: Imported, address: string): string {
  const binding = bindings[address];
  return binding === undefined ? "" : liveHandle(binding.kind, binding.id);
}

/** The imported object at an address, or the nearest above it. */
function handleWithin(imported: Imported, address: string): string | undefined {
  const steps = address.split("/");
  const owner = steps
    .map((_, below) => steps.slice(0, steps.length - below).join("/"))
    .find((each) => Object.hasOwn(imported.bindings, each));
  return owner === undefined ? undefined : handleOf(imported, owner);
}

/** Where the commands that a message proposes have to act. */
function placeOf({ base, world }: ImportAttempt): string {
  return commandWords({ root: base.root }, world);
}

/** Objects that the loader refuses are left out with its words. */
function refused(imported: Imported, wrong: readonly Diagnostic[]) {
  const found = wrong.map((diagnostic) => ({ diagnostic, handle: handleWithin(imported, diagnostic.address ?? "") }));
  const named = found.flatMap(({ handle, diagnostic: { summary, detail } }) =>
    handle === undefined ? [] : [{ handle, name: handle, why: `${summary}: ${detail}` }],
  );
  return { handles: named.map(({ handle }) => handle), problems: leftOutProblems(named) };
}

/** Fields that do not come back are left unmanaged; what still differs after that stops the import. */
function unproven({ attempt, learned, imported, isLast }: Proving, proof: Proof): Round {
  const adopted = proof.changes.filter(({ address }) => imported.adopted.has(address));
  if (adopted.length > 0 && !isLast) {
    const handles = adopted.map(({ address }) => handleOf(imported, address));
    return again(learned, { handles, problems: unprovenProblems(adopted, "warning", placeOf(attempt)) });
  }
  const fields = proof.changes.filter(({ action }) => action === "update");
  if (isLast || proof.problems.length > 0 || fields.length < proof.changes.length)
    return done({
      status: "failed",
      diagnostics: [...proof.problems, ...unprovenProblems(proof.changes, "error", placeOf(attempt))],
    });
  const dropped = new Map(learned.dropped);
  for (const { address, fields: differing } of fields)
    dropped.set(address, new Set([...(dropped.get(address) ?? []), ...differing.map(({ field }) => field)]));
  return { is: "again", learned: { ...learned, dropped } };
}
