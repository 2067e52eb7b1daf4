import { otherEnvironments } from "../config/merge-documents.ts";
import { addressesAbove } from "../model/address.ts";
import type { Diagnostic, Position } from "../model/diagnostic.ts";
import { liveHandle } from "../model/tree.ts";
import type { WrittenObject } from "../model/written.ts";
import type { StateSession, StoredState } from "../state/store.ts";
import { type ExistingFiles, existingFiles, type NewFiles, type Staging, withStaging } from "./import-folder.ts";
import { layOutYaml } from "./import-layout.ts";
import { byHandProblems, type InlineValue, leftOutProblems, unprovenProblems } from "./import-problems.ts";
import { layOutProgram } from "./import-program.ts";
import { type Imported, importTree } from "./import-tree.ts";
import { type Proof, type ProofInput, proveImport, unwritableObjects } from "./prove-import.ts";
import type { EnvironmentValue } from "./write-objects.ts";

/** An import with everything read, under the lock of the state. */
export interface ImportWork extends ProofInput {
  readonly format: "yaml" | "ts";
  /** Handles of the live objects that are wanted. */
  readonly wanted: ReadonlySet<string>;
  /** One object is imported, into the file that declares its parent, edited or not. */
  readonly isOne: boolean;
  /** Path of the schema from the project's folder; new files lead editors to it where the project names no other. */
  readonly schemaFile?: string | undefined;
  /** Addresses of bound objects by live handle. */
  readonly bound: ReadonlyMap<string, string>;
  /** Absent where nothing is to be written, only said what would be. */
  readonly session?: StateSession | undefined;
  readonly stored: StoredState;
  /** Aborted: nothing more is moved into place. */
  readonly signal?: AbortSignal | undefined;
  /** Words of a command on this project, for messages. */
  readonly commandWords: string;
  readonly inlineValue: InlineValue;
}

export interface ImportOutcome {
  readonly status: "imported" | "nothing" | "failed" | "blocked" | "locked" | "interrupted";
  /** Nothing was written: `files` and `objects` are what would be. */
  readonly dryRun?: true;
  readonly files: readonly string[];
  /** Of a dry run: those of them that exist and would be added to. */
  readonly changed?: readonly string[];
  readonly objects: readonly { readonly address: string; readonly kind: string; readonly id: number }[];
  /** Environment variables that the next plan needs. */
  readonly environment: readonly EnvironmentValue[];
  /** Environments that read the files that were written, too; "" is none. */
  readonly otherEnvironments?: readonly string[];
  /** Count of objects that were declared already with values that nobody can read back. */
  readonly resent?: number;
  readonly requests: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** An import that wrote nothing. */
export function noImport(status: ImportOutcome["status"], diagnostics: readonly Diagnostic[]): ImportOutcome {
  return { status, files: [], objects: [], environment: [], requests: 0, diagnostics };
}

/** Objects by live handle, and fields by address, that are not read back as they were written. */
interface Unwritable {
  readonly handles: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  readonly problems: readonly Diagnostic[];
}

/** Without an object there is nothing to prove. */
const noProof: Proof = { errors: [], changes: [], problems: [], bindings: {} };

/** One finding can hide the next: lines that no parser reads, objects that the loader refuses, fields that differ. */
const mostFindings = 3;

/**
 * Two steps: first objects and fields that cannot be written are found and left out, then the rest is proved, and any difference is an
 * error. Without findings the first attempt is the import. Nothing is in place before an empty plan proved all of it.
 */
export async function importFiles(work: ImportWork): Promise<ImportOutcome> {
  if (work.wanted.size === 0) return noImport("nothing", []);
  const existing = await existingFiles(work.target);
  let without: Unwritable = { handles: new Set(), fields: new Map(), problems: [] };
  for (let findings = 0; ; findings++) {
    const imported = importWithout(work, existing, without);
    const attempt = { existing, without, imported, isLast: findings === mostFindings };
    // Without a new object there is nothing to write.
    const isWriting = work.session !== undefined && imported.objects.length > 0;
    const tried = isWriting
      ? await withStaging(work.target, (staging) => tryImport(work, { ...attempt, staging }))
      : await tryImport(work, attempt);
    if ("status" in tried) return tried;
    without = withFound(without, tried);
  }
}

interface Attempt {
  readonly existing: ExistingFiles;
  readonly without: Unwritable;
  readonly imported: Imported;
  readonly isLast: boolean;
  /** Absent where nothing is to be written. */
  readonly staging?: Staging | undefined;
}

/** Writes and proves an import: its outcome, or the omissions of the next attempt. */
async function tryImport(work: ImportWork, attempt: Attempt): Promise<ImportOutcome | Unwritable> {
  const written = await writeImport(work, attempt);
  const { imported, layout } = written;
  const isBinding = Object.keys(imported.bindings).length > 0;
  const proof = isBinding ? await proveImport(work, imported, layout.files) : noProof;
  const find = proof.errors.length > 0 ? notReadBack : notEqual;
  // Undefined when there are none, or none that would help.
  const found = attempt.isLast ? undefined : find(work, imported, proof);
  return found ?? placeImport(work, { ...written, proof, staging: attempt.staging });
}

function withFound(known: Unwritable, found: Unwritable): Unwritable {
  const fields = new Map(known.fields);
  for (const [address, names] of found.fields) fields.set(address, new Set([...(fields.get(address) ?? []), ...names]));
  return {
    handles: new Set([...known.handles, ...found.handles]),
    fields,
    problems: [...known.problems, ...found.problems],
  };
}

interface WrittenImport {
  readonly imported: Imported;
  readonly layout: NewFiles;
  readonly problems: readonly Diagnostic[];
}

function importWithout(work: ImportWork, { isTaken }: ExistingFiles, without: Unwritable): Imported {
  const { target, loading, live, bound, state, wanted } = work;
  return importTree(loading.kinds, {
    live,
    wanted: new Set([...wanted].filter((handle) => !without.handles.has(handle))),
    declared: target.project.tree,
    bound,
    known: new Set(Object.keys(state.resources)),
    defaults: target.defaults,
    isLive: target.project.live,
    moduleOf: (address) => moduleWords(target.project.locate(address)),
    dropped: without.fields,
    isTaken,
  });
}

async function writeImport(work: ImportWork, attempt: Attempt): Promise<WrittenImport> {
  const { existing, without, imported, staging } = attempt;
  const { target, format, commandWords } = work;
  const { kinds } = work.loading;
  const problems = [...without.problems, ...leftOutProblems(imported.leftOut)];
  if (Object.keys(imported.bindings).length === 0)
    return { imported, layout: { files: new Map(), changed: new Map() }, problems };
  const contents = new Map([...imported.contents].filter(([path]) => !existing.isThere(path)));
  staging?.write(contents);
  const isProgram = format === "ts" || target.entry === "typescript";
  const { files, changed, byHand } = isProgram
    ? await layOutProgram(imported, target, kinds)
    : await layOutYaml(imported, { kinds, target, existing, isOne: work.isOne, schemaFile: work.schemaFile });
  staging?.write(files);
  const layout = { files: new Map([...contents, ...files]), changed };
  if (byHand.length === 0) return { imported, layout, problems };
  return { imported: adoptedOnly(imported), layout, problems: [...problems, ...byHandProblems(byHand, commandWords)] };
}

function moduleWords(at: Position | undefined): string | undefined {
  const [use] = at?.used ?? [];
  return at && use && `by a module at ${at.file}:${at.line}, used at ${use.file}:${use.line}`;
}

/** An edited program is not written: new objects are not bound, only their contents are written beside it. */
function adoptedOnly(imported: Imported): Imported {
  const { adopted, bindings } = imported;
  const kept = Object.entries(bindings).filter(([address]) => adopted.has(address));
  return { ...imported, objects: [], environment: [], bindings: Object.fromEntries(kept) };
}

/** Objects that the loader refuses; where it does not say which, those with lines that no parser reads back. */
function notReadBack(work: ImportWork, imported: Imported, { errors }: Proof): Unwritable | undefined {
  const isOutside = ({ address }: Diagnostic) =>
    address === undefined || nearestImported(imported, address) === undefined;
  const without = errors.some(isOutside)
    ? unreadableObjects(work, imported)
    : errors.map(({ address = "", summary, detail }) => {
        const handle = handleOf(imported, nearestImported(imported, address) ?? "");
        return { handles: [handle], name: handle, why: `${summary}: ${detail}` };
      });
  if (without.length === 0) return undefined;
  const leftOut = without.map(({ handles: [handle = ""], name, why }) => ({ handle, name, why }));
  const handles = new Set(without.flatMap((each) => each.handles));
  return { handles, fields: new Map(), problems: leftOutProblems(leftOut) };
}

/** Objects whose declaration differs from the service are not bound; fields that are read back differently are left out. */
function notEqual(work: ImportWork, imported: Imported, { changes, problems }: Proof): Unwritable | undefined {
  const adopted = changes.filter(({ address }) => imported.adopted.has(address));
  const updated = changes.filter(({ address, action }) => action === "update" && !imported.adopted.has(address));
  const isHopeless = problems.length > 0 || adopted.length + updated.length < changes.length;
  if (changes.length === 0 || (adopted.length === 0 && isHopeless)) return undefined;
  return {
    handles: new Set(adopted.map(({ address }) => handleOf(imported, address))),
    fields: new Map(updated.map(({ address, fields }) => [address, new Set(fields.map(({ field }) => field))])),
    problems: unprovenProblems(adopted, "warning", work),
  };
}

/** Objects with lines that no parser reads back, each with all below it. */
function unreadableObjects({ loading }: ImportWork, imported: Imported) {
  const handlesIn = ({ address, children }: WrittenObject): readonly string[] => [
    handleOf(imported, address),
    ...children.flatMap(handlesIn),
  ];
  return unwritableObjects(imported.objects, loading.kinds).map(({ object, why }) => ({
    handles: handlesIn(object),
    name: object.key,
    why: `it cannot be written so that it is read back (${why})`,
  }));
}

function nearestImported({ bindings }: Imported, address: string): string | undefined {
  return [address, ...addressesAbove(address)].find((each) => Object.hasOwn(bindings, each));
}

function handleOf({ bindings }: Imported, address: string): string {
  const binding = bindings[address];
  return binding === undefined ? "" : liveHandle(binding.kind, binding.id);
}

/** Moves proved files into place and stores their bindings; whatever was not proved ends the import. */
async function placeImport(
  work: ImportWork,
  { imported, layout, problems, proof, staging }: WrittenImport & Pick<Attempt, "staging"> & { readonly proof: Proof },
): Promise<ImportOutcome> {
  const { session, stored, service, signal } = work;
  const hasBindings = Object.keys(imported.bindings).length > 0;
  if (!hasBindings && layout.files.size === 0) return noImport("nothing", problems);
  if (proof.errors.length > 0) return noImport("failed", proof.errors);
  if (proof.changes.length > 0 || proof.problems.length > 0)
    return noImport("failed", [...proof.problems, ...unprovenProblems(proof.changes, "error", work)]);
  await staging?.written();
  if (signal?.aborted) return noImport("interrupted", problems);
  await staging?.putInPlace(layout);
  const files = [...layout.files.keys()].sort();
  const changed = [...layout.changed.keys()].sort();
  const told = { files, ...(session === undefined && { dryRun: true as const, changed }) };
  if (!hasBindings) return { ...noImport("nothing", problems), ...told };
  const resources = { ...stored.state.resources, ...proof.bindings };
  await session?.save({ ...stored.state, target: service, resources }, stored.intents);
  return {
    ...told,
    status: "imported",
    objects: Object.entries(proof.bindings).map(([address, { kind, id }]) => ({ address, kind, id })),
    environment: imported.environment,
    otherEnvironments: otherEnvironments(work.target.document, work.target.project.environment),
    resent: proof.hidden?.filter((address) => imported.adopted.has(address)).length ?? 0,
    requests: 0,
    diagnostics: problems,
  };
}
