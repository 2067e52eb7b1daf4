import { hash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import type { SettingsOf } from "../../model/state-settings.ts";
import {
  groupCommit,
  type JournalEntry,
  journalText,
  openIntents,
  readJournal,
  replay,
  trackIntents,
} from "../../state/journal.ts";
import type { LockHolder } from "../../state/lock-holder.ts";
import { trustLock } from "../../state/lock-trust.ts";
import { raised, type State } from "../../state/state.ts";
import { checksummedText, readState } from "../../state/state-text.ts";
import {
  type FetchedState,
  type LockInfo,
  lockBroken,
  type StateSession,
  type StateStore,
  type StoredState,
} from "../../state/store.ts";
import { onDisk } from "../store-failures.ts";
import type { StoreOpening } from "../store-opening.ts";
import { guardOf, lockFile } from "./lock-file.ts";
import { behindLink, diskFiles, type FileStep, type StateFiles } from "./state-files.ts";

export interface LocalStoreOptions {
  /** Absolute path of the state file; lock, journal and backup are beside it. */
  readonly path: string;
  readonly files: StateFiles;
  readonly holder: LockHolder;
}

export function openLocalStore({ path }: SettingsOf<"local">, { root, holder }: StoreOpening): StateStore {
  return onDisk(localStore({ path: behindLink(resolve(root, path)), files: diskFiles, holder }));
}

/** The copy from before the last write, or what to do where there is none. */
export async function formerCopy(path: string): Promise<string> {
  const former = await diskFiles.read(`${path}.bak`);
  if (former !== undefined) return `the backup from before the last write is ${path}.bak: check it and copy it back`;
  return "there is no backup. Move the file away, and bind the objects at the service again with: loadform apply --adopt exact";
}

/**
 * State in a file (docs/engine.md, State and Journal and recovery): written to a temporary file, synced, renamed, the folder synced; the former
 * one remains as `.bak`. Between two writes of it, what happened is appended to `.journal`.
 */
export function localStore(options: LocalStoreOptions): StateStore {
  const { path } = options;
  const temporaryFilesOf = (info: LockInfo) => Object.values(temporaries(path, info));
  const lock = lockFile({ ...options, path: lockPath(path), temporaryFilesOf });
  return {
    where: path,
    read: () => readStored(options),
    fetch: () => fetchStored(options),
    async lock(request) {
      const info = await lock.acquire(request);
      try {
        return await openLocalSession(options, {
          info,
          isOurs: () => lock.isOurs(info),
          release: () => lock.release(info),
        });
      } catch (problem) {
        await lock.release(info);
        throw problem;
      }
    },
    holder: () => lock.holder(),
    unlock: (id) => lock.forceRelease(id),
  };
}

async function readStored(options: LocalStoreOptions): Promise<StoredState | undefined> {
  return (await fetchStored(options))?.read();
}

async function fetchStored({ path, files }: LocalStoreOptions): Promise<FetchedState | undefined> {
  const bytes = await files.bytes(path);
  if (bytes === undefined) return undefined;
  const journal = (await files.read(`${path}.journal`)) ?? "";
  const digest = hash("sha256", `${hash("sha256", bytes)} ${hash("sha256", journal)}`);
  // Not both: the bytes of a large state are not needed once it is parsed.
  let found: Buffer | StoredState = bytes;
  return {
    digest,
    async read() {
      if (Buffer.isBuffer(found)) found = storedIn(found, journal);
      return found;
    },
  };
}

function storedIn(bytes: Buffer, journalText: string): StoredState {
  const state = readState(bytes);
  const journal = readJournal(journalText, state.serial);
  return {
    state: { ...state, resources: replay(state.resources, journal), pending: [] },
    intents: openIntents(journal, state.pending),
  };
}

/** Age up to which a look at the lock file counts when a write to the service leaves. */
const youngMs = 1_000;

async function openLocalSession(
  options: LocalStoreOptions,
  lock: { readonly info: LockInfo; readonly isOurs: () => Promise<boolean>; readonly release: () => Promise<void> },
): Promise<StateSession> {
  const { path, files, holder } = options;
  const trust = trustLock(holder.now, youngMs);
  const confirm = async (): Promise<void> => {
    const at = trust.moment();
    if (!(await lock.isOurs())) throw lockBroken(path);
    trust.proved(at);
  };
  await removeLeftovers(options);
  const stored = await readStored(options);
  const open = trackIntents(holder.now);
  let serial = stored?.state.serial ?? 0;
  let isListed = false;
  // A process that was stopped in the middle of a write finds the lock broken after it, and sends nothing.
  const append = async (asked: readonly JournalEntry[]): Promise<void> => {
    if (asked.length === 0 && trust.isYoung()) return;
    await confirm();
    const entries = [...open.renewed(), ...asked];
    if (entries.length === 0) return;
    // A line that a crash or a full disk cut off must not take the next one along.
    const wasListed = isListed;
    isListed = false;
    await files.append(`${path}.journal`, `${wasListed ? "" : "\n"}${journalText(entries, serial)}`);
    if (!wasListed) await files.syncFolder(dirname(path));
    isListed = true;
    open.recorded(entries);
    await confirm();
  };
  const appendTogether = groupCommit(append);
  const save: StateSession["save"] = async (state, intents) => {
    await confirm();
    const saved = raised({ ...state, pending: intents }, undefined);
    await writeState(options, saved, lock.info);
    serial = saved.serial;
    isListed = false;
    open.clear();
    return saved;
  };
  return {
    info: lock.info,
    stored,
    prepare: save,
    async record(entries) {
      if (entries.length > 0 || !(await trust.isSure())) await appendTogether(entries);
    },
    mayWrite: trust.isYoung,
    save,
    release: lock.release,
  };
}

/**
 * Slow work is done first; each change of names is made together with a last look at the lock, as a process that is
 * stopped in between would undo its successor's write.
 */
async function writeState({ path, files }: LocalStoreOptions, state: State, info: LockInfo): Promise<void> {
  const temporary = temporaries(path, info);
  const step = async (names: FileStep): Promise<void> => {
    if (!(await files.stepIf(guardOf(lockPath(path), info), names))) throw lockBroken(path);
  };
  const former = await files.read(path);
  await files.write(temporary.state, checksummedText(state));
  if (former !== undefined) {
    await files.write(temporary.copy, former);
    await step({ rename: temporary.copy, to: `${path}.bak` });
  }
  await step({ rename: temporary.state, to: path });
  await files.syncFolder(dirname(path));
  await step({ remove: `${path}.journal` });
}

function lockPath(path: string): string {
  return `${path}.lock`;
}

/** Names of their own for each holder: two that write at once, as one of them was thought dead, must not meet in one file. */
function temporaries(path: string, { id }: LockInfo) {
  return { state: `${path}.${id}.tmp`, copy: `${path}.bak.${id}.tmp` };
}

/** Deletes the temporary files of killed runs beside the state; only the lock holder may do so. */
async function removeLeftovers({ path, files }: LocalStoreOptions): Promise<void> {
  const start = basename(path);
  const isLeft = (name: string) =>
    name.startsWith(`${start}.`) && /^(?:\.bak)?(?:\.[0-9a-f-]{36})?\.tmp$/.test(name.slice(start.length));
  const names = await files.list(dirname(path)).catch(() => []);
  for (const name of names.filter(isLeft)) await files.remove(join(dirname(path), name)).catch(() => undefined);
}
