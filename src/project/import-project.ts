import { resolve } from "node:path";
import { selectNodes } from "../import/select-nodes.ts";
import { kinds } from "../kinds/index.ts";
import { fillContents } from "../live/fill-contents.ts";
import { readTree } from "../live/read-tree.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import { ServiceError } from "../model/service-error.ts";
import type { Tree } from "../model/tree.ts";
import { bindNodes } from "../plan/bind-nodes.ts";
import { otherTarget } from "../plan/guard-target.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { StateSession } from "../state/store.ts";
import { StateLocked, WaitStopped } from "../state/store.ts";
import { removeTemporaryFolders } from "../workspace/temporary-folder.ts";
import { boundElsewhere } from "./bound-elsewhere.ts";
import { busyWith } from "./busy-file.ts";
import { commandPlace, commandWords } from "./command-place.ts";
import type { Connection } from "./connect.ts";
import { withConnection } from "./connect.ts";
import { openBase } from "./import-base.ts";
import type { ImportFlags, ImportOutcome, ImportWork } from "./import-outcome.ts";
import { noImport } from "./import-outcome.ts";
import { boundProblems, openPasswordProblems, unknownFieldProblems, unmatchedProblems } from "./import-problems.ts";
import type { ImportAttempt } from "./import-round.ts";
import { importInRounds } from "./import-rounds.ts";
import { leftBehind } from "./left-behind.ts";
import { matchIntents } from "./match-intents.ts";
import { freshState } from "./plan-project.ts";
import { orExplained } from "./problem.ts";
import { stateAt } from "./state-at.ts";
import type { UnknownField } from "./unknown-fields.ts";
import { watchUnknownFields } from "./unknown-fields.ts";
import type { World } from "./world.ts";

/** Writes live objects into the project in a folder, and binds them (docs/engine.md, Drift and import). */
export async function importProject(flags: ImportFlags, world: World): Promise<ImportOutcome> {
  return orExplained(
    async () => {
      const root = resolve(world.cwd, flags.dir);
      const base = await openBase(root, world);
      if (hasErrors(base.project.diagnostics)) return noImport("failed", base.project.diagnostics);
      const store = stateAt({ ...base.project, root }, world);
      const { signal } = flags;
      const busy = busyWith(store, flags.lockTimeoutSecs ?? 0, commandWords({ ...base.project, root }, world));
      const place = { root, world: { ...world, ...(signal && { givenUp: signal }) }, busy };
      return withConnection(base.project, place, (connection) =>
        importConnected({ flags, world, base, connection, store, loading: world }),
      );
    },
    (diagnostics, thrown) => failedImport(flags, diagnostics, thrown),
  );
}

function failedImport(flags: ImportFlags, diagnostics: readonly Diagnostic[], thrown: unknown): ImportOutcome {
  if (isInterrupted(thrown, flags)) return noImport("interrupted", []);
  return noImport(thrown instanceof StateLocked ? "locked" : "failed", diagnostics);
}

/** What fails because it was given up is no failure of its own; once files are moved nothing is asked for any more. */
function isInterrupted(thrown: unknown, { signal }: ImportFlags): boolean {
  return signal?.aborted === true && (thrown instanceof ServiceError || thrown instanceof WaitStopped);
}

/** An import once everything is open; it holds the lock from before it looks at the state. */
export async function importConnected(work: ImportWork): Promise<ImportOutcome> {
  const session = await work.store.lock({ operation: "import", timeoutMs: (work.flags.lockTimeoutSecs ?? 0) * 1000 });
  work.flags.takeOver?.();
  const outcome = await countedImport(work, session).catch(async (thrown: unknown) => {
    await session.release().catch(() => undefined);
    throw thrown;
  });
  return orExplained(
    () => session.release().then(() => outcome),
    (diagnostics) => ({ ...outcome, diagnostics: [...outcome.diagnostics, ...diagnostics] }),
  );
}

async function countedImport(work: ImportWork, session: StateSession): Promise<ImportOutcome> {
  await removeTemporaryFolders(work.base.root);
  const before = work.connection.client.stats().requests;
  const outcome = await importUnderLock(work, session);
  const requests = work.connection.client.stats().requests - before + work.connection.openingRequests;
  return { ...outcome, requests };
}

async function importUnderLock(work: ImportWork, session: StateSession): Promise<ImportOutcome> {
  const { base, flags } = work;
  const stored = session.stored ?? freshState(base.project);
  const place = commandPlace({ ...base.project, root: base.root }, work.world);
  const blocked = otherTarget({ ...place, state: stored.state, target: work.connection.target });
  if (blocked.length > 0) return noImport("blocked", blocked);
  const { target } = work.connection;
  const left = await leftBehind({ ...base.project, root: base.root }, { stored, target, world: work.world });
  if (left.length > 0) return noImport("failed", left);
  const { tree, unknown } = await readAll(work.connection);
  if (flags.signal?.aborted) return noImport("interrupted", []);
  const { state, diagnostics } = matchIntents(stored, tree);
  const selection = selectNodes(tree, kinds, flags.wanted);
  if (selection.unmatched.length > 0) return noImport("failed", unmatchedProblems(selection.unmatched));
  const bound = bindNodes(state, tree, base.project.moved).addressOf;
  const wanted = new Set([...selection.handles].filter((handle) => !bound.has(handle)));
  const owned = await ownedElsewhere(work, tree, wanted);
  if (hasErrors(owned)) return noImport("failed", owned);
  const attempt: ImportAttempt = {
    ...work,
    session,
    stored,
    state,
    bound,
    wanted,
    live: await withTexts(work, tree, wanted),
  };
  const outcome = await importInRounds(attempt);
  const noticed = unknownFieldProblems(unknown, selection.handles);
  const known = base.project.diagnostics.filter(({ code }) => code !== "LF1303");
  const open = openPasswordProblems(outcome.objects, attempt.live);
  return { ...outcome, diagnostics: [...known, ...owned, ...diagnostics, ...noticed, ...open, ...outcome.diagnostics] };
}

/** What of the wanted objects another environment binds, and environments of which that is not known. */
async function ownedElsewhere(
  { base, connection, world }: ImportWork,
  live: Tree,
  wanted: ReadonlySet<string>,
): Promise<readonly Diagnostic[]> {
  if (wanted.size === 0) return [];
  const { target } = connection;
  const place = { ...base.project, root: base.root };
  const { owners, diagnostics } = await boundElsewhere(place, { world, target, live });
  return [...diagnostics, ...boundProblems(live, owners, wanted)];
}

/** The whole live tree of the organization, and what is in it that nobody documented. */
async function readAll({
  api,
  target,
  filtered,
}: Connection): Promise<{ readonly tree: Tree; readonly unknown: readonly UnknownField[] }> {
  const watch = watchUnknownFields(api);
  const roots = kinds.filter(({ parent }) => parent === undefined).map(({ name }) => name);
  const scope = { organization: target.organization, filtered, wanted: new Set(roots), hash: sha256 };
  const tree = await readTree({ ...scope, api: watch.api, kinds });
  return { tree, unknown: watch.unknown() };
}

/** The tree with the scripts and data files of what is wanted. */
function withTexts({ connection }: ImportWork, tree: Tree, wanted: ReadonlySet<string>): Promise<Tree> {
  const { api, target } = connection;
  const known = (handle: string) => (wanted.has(handle) ? {} : undefined);
  return fillContents(tree, { api, organization: target.organization, kinds, hash: sha256, known });
}
