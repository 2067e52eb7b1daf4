import { resolve } from "node:path";
import { type ImportOutcome, noImport } from "../import/import-files.ts";
import { importLive, type LiveImport } from "../import/import-live.ts";
import type { ImportLoading, ImportTarget } from "../import/import-target.ts";
import { readObjectName } from "../import/select-wanted.ts";
import { kinds } from "../kinds/index.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { ServiceError } from "../model/service-error.ts";
import { inlineValue } from "../report/readable-value.ts";
import { secretFingerprint } from "../state/secret-fingerprint.ts";
import { StateLocked, type StateSession, type StoredState } from "../state/store.ts";
import { type OpenProject, withLock, withProject } from "./connect.ts";
import { orExplained, wasStopped } from "./explain-failure.ts";
import { openImportTarget } from "./open-project.ts";
import { freshState } from "./open-state.ts";
import { boundElsewhere, previousStateProblems } from "./other-states.ts";
import { previewRecovery } from "./preview-recovery.ts";
import { askedEnvironment, commandPlace, type System } from "./system.ts";

export interface ImportFlags {
  readonly dir: string;
  /** As given by --env, else $LOADFORM_ENV. */
  readonly environment?: string;
  readonly vars?: Readonly<Record<string, string>>;
  /** Nothing is written, only said what would be. */
  readonly dryRun?: boolean;
  readonly wanted: LiveImport["chosen"];
  readonly format: "yaml" | "ts";
  /** Path of the schema from the folder, where that holds on every machine. */
  readonly schemaFile?: string | undefined;
  /** Default 0: a lock that another command holds is not waited for. */
  readonly lockTimeoutSecs?: number;
  /** Aborted: no more requests are sent, and nothing more is moved into place. */
  readonly signal?: AbortSignal;
  /** Called under the lock: from then on a signal is heeded here, and unfinished work is removed. */
  readonly takeOver?: () => void;
}

/** Writes live objects into the project in a folder, and binds them (docs/engine.md, Drift and import). */
export async function importProject(flags: ImportFlags, system: System): Promise<ImportOutcome> {
  return orExplained(
    () => withImportTarget({ lockTimeoutSecs: 0, ...flags }, system, (open) => importConnected({ ...open, flags })),
    (diagnostics, thrown) => notImported(diagnostics, thrown, flags.signal),
  );
}

/** An import that threw: a request that was given up after a signal is no failure; once files are moved no more are sent. */
export function notImported(diagnostics: readonly Diagnostic[], thrown: unknown, signal?: AbortSignal): ImportOutcome {
  if (signal?.aborted && (thrown instanceof ServiceError || wasStopped(thrown))) return noImport("interrupted", []);
  return noImport(thrown instanceof StateLocked ? "locked" : "failed", diagnostics);
}

/** Loads the project that an import writes into, and opens its service and its state. */
export async function withImportTarget(
  flags: Pick<
    ImportFlags & ImportLoading,
    "dir" | "environment" | "vars" | "lockTimeoutSecs" | "signal" | "isForTerraform"
  >,
  system: System,
  use: (open: Omit<OpenImport, "flags">) => Promise<ImportOutcome>,
): Promise<ImportOutcome> {
  const environment = askedEnvironment(flags.environment, system.env);
  const { env, program } = system;
  const { vars = {}, isForTerraform = false } = flags;
  const loading = { kinds, env, vars, program, isForTerraform, ...(environment !== undefined && { environment }) };
  const target = await openImportTarget(resolve(system.cwd, flags.dir), loading);
  const { project } = target;
  if (hasErrors(project.diagnostics)) return noImport("failed", project.diagnostics);
  const { signal, lockTimeoutSecs } = flags;
  const patience = lockTimeoutSecs === undefined ? {} : { lockTimeoutSecs };
  const opening = { system: { ...system, ...(signal && { givenUp: signal }) }, ...patience };
  return withProject(project, opening, (open) => use({ ...open, loading, target }));
}

/** The object that `--object KIND/ID` names. */
export function objectNamed(text: string): ReturnType<typeof readObjectName> {
  return readObjectName(text, kinds);
}

interface OpenImport extends OpenProject {
  readonly flags: ImportFlags;
  readonly target: ImportTarget;
  readonly loading: ImportLoading;
}

/** An import once everything is open; it takes the lock before it looks at the state. */
export async function importConnected(work: OpenImport): Promise<ImportOutcome> {
  const { flags, store, project } = work;
  const { lockTimeoutSecs = 0, dryRun = false } = flags;
  if (dryRun) return importCounted(work, (await store.read()) ?? freshState(project));
  return withLock(
    { store, operation: "import", lockTimeoutSecs },
    (session) => {
      flags.takeOver?.();
      return importCounted(work, session.stored ?? freshState(project), session);
    },
    (outcome, diagnostics) => ({ ...outcome, diagnostics: [...outcome.diagnostics, ...diagnostics] }),
  );
}

/** Imports and counts the requests; without a session nothing is written. */
async function importCounted(work: OpenImport, stored: StoredState, session?: StateSession): Promise<ImportOutcome> {
  const { project, system, flags, target, loading, connection } = work;
  const { client, openingRequests, target: service } = connection;
  const before = client.stats().requests;
  const outcome = await importLive({
    target,
    loading,
    session,
    stored,
    service,
    api: connection.api,
    chosen: flags.wanted,
    format: flags.format,
    schemaFile: flags.schemaFile,
    signal: flags.signal,
    place: commandPlace(project, system),
    fingerprint: (state) => secretFingerprint(state, system.deriveKey),
    now: system.now,
    inlineValue,
    stateElsewhere: () => previousStateProblems(project, { stored, target: service, system }),
    recover: (live) => previewRecovery(stored, live),
    boundElsewhere: (live) => boundElsewhere(project, { system, target: service, live }),
  });
  return { ...outcome, requests: client.stats().requests - before + openingRequests };
}
