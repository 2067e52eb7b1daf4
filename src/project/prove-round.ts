import { programFile } from "../config/entry-files.ts";
import type { ParseCache } from "../config/parse-cache.ts";
import { projectCache } from "../config/parse-cache.ts";
import type { Imported } from "../import/import-tree.ts";
import { addressesAbove } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { liveHandle } from "../model/tree.ts";
import type { WrittenObject } from "../model/written.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { memoryWorkspace } from "../workspace/memory-workspace.ts";
import { overlayWorkspace } from "../workspace/overlay-workspace.ts";
import { withTemporaryFolder } from "../workspace/temporary-folder.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { writeFolder } from "../workspace/write-folder.ts";
import { loadImported } from "./import-base.ts";
import type { Layout } from "./import-layout.ts";
import { leftOutProblems, unprovenProblems } from "./import-problems.ts";
import type { ImportAttempt, Learned, Round } from "./import-round.ts";
import { again, done, placeOf } from "./import-round.ts";
import type { Proof } from "./prove-import.ts";
import { proveImport } from "./prove-import.ts";
import { putInPlace } from "./put-in-place.ts";
import type { Unwritable } from "./unwritable-objects.ts";
import { unwritableObjects } from "./unwritable-objects.ts";

/** What a round has made, to be proved. */
export interface Proving {
  readonly attempt: ImportAttempt;
  readonly learned: Learned;
  readonly imported: Imported;
  readonly layout: Layout;
  readonly problems: readonly Diagnostic[];
  readonly isLast: boolean;
}

/** Loads and plans the project as it would be, and puts it in place when it is right; a program runs from a folder of its own. */
export async function proveRound(proving: Proving): Promise<Round> {
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
  const cache = parseCache(attempt, parsed);
  const project = await loadImported(whole, { ...attempt.loading, env, cache });
  const wrong = project.diagnostics.filter(({ severity }) => severity === "error");
  const foreign = wrong.filter(({ address }) => address === undefined || handleWithin(imported, address) === undefined);
  const unreadable = foreign.length > 0 && !isLast ? unwritableObjects(imported.objects) : [];
  if (unreadable.length > 0) return again(learned, leftOut(imported, unreadable));
  if (foreign.length > 0 || (wrong.length > 0 && isLast)) return done({ status: "failed", diagnostics: wrong });
  if (wrong.length > 0) return again(learned, refused(imported, wrong));
  const state = { ...attempt.state, target: attempt.state.target ?? connection.target };
  const proof = proveImport({ project, live, state, target: connection.target, bindings: imported.bindings, world });
  if (proof.changes.length > 0 || proof.problems.length > 0) return unproven(proving, proof);
  if (flags.signal?.aborted) return done({ status: "interrupted", diagnostics: proving.problems });
  await putInPlace(base, layout);
  await attempt.session.save(
    { ...stored.state, target: connection.target, resources: { ...stored.state.resources, ...proof.bindings } },
    stored.intents,
  );
  if (parsed.size > 0) await projectCache(base.workspace, attempt.loading.env).write(parsed);
  return done({
    status: "imported",
    files: [...layout.files.keys()].sort(),
    objects: Object.entries(proof.bindings).map(([address, { kind, id }]) => ({ address, kind, id })),
    environment: imported.environment,
    diagnostics: proving.problems,
  });
}

/** What is parsed for the proof is kept for the next command once it is in place. */
function parseCache({ base, loading }: ImportAttempt, kept: Map<string, string>): ParseCache {
  return {
    read: () => projectCache(base.workspace, loading.env).read(),
    write: async (parsed) => {
      for (const [hash, json] of parsed) kept.set(hash, json);
    },
  };
}

/** Handles of an object and all below it. */
export function handlesIn(imported: Imported, { address, children }: WrittenObject): readonly string[] {
  return [handleOf(imported, address), ...children.flatMap((child) => handlesIn(imported, child))];
}

/** Live handle of the imported object at an address. */
function handleOf({ bindings }: Imported, address: string): string {
  const binding = bindings[address];
  return binding === undefined ? "" : liveHandle(binding.kind, binding.id);
}

/** The imported object at an address, or the nearest above it. */
function handleWithin(imported: Imported, address: string): string | undefined {
  const owner = [address, ...addressesAbove(address)].find((each) => Object.hasOwn(imported.bindings, each));
  return owner === undefined ? undefined : handleOf(imported, owner);
}

/** Objects whose lines nobody could read back are left out, with all below them. */
function leftOut(imported: Imported, unreadable: readonly Unwritable[]) {
  const named = unreadable.map(({ object, why }) => {
    const handle = handleOf(imported, object.address);
    return { handle, name: object.key, why: `it cannot be written so that it is read back (${why})` };
  });
  const handles = unreadable.flatMap(({ object }) => handlesIn(imported, object));
  return { handles, problems: leftOutProblems(named) };
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
