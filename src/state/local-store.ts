import { basename, dirname, join } from "node:path";
import { inBatches } from "./in-batches.ts";
import type { JournalEntry } from "./journal.ts";
import { journalText, openIntents, readJournal, replay } from "./journal.ts";
import { lockFile } from "./lock-file.ts";
import type { LockHolder } from "./lock-holder.ts";
import type { State } from "./state.ts";
import type { StateFiles } from "./state-files.ts";
import { readState, vouchedText } from "./state-text.ts";
import type { StateSession, StateStore, StoredState } from "./store.ts";
import { LockLost } from "./store.ts";

/** What the local store needs from the world. */
export interface LocalStoreOptions {
  /** Absolute path of the state file; lock, journal and backup stand beside it. */
  readonly path: string;
  readonly files: StateFiles;
  readonly holder: LockHolder;
}

/**
 * State in a file (engine.md 2.5 to 2.7): written to a temporary file, synced, renamed, the folder synced; the former
 * one stays as `.bak`. Between two writes of it, what happened is appended to `.journal`.
 */
export function localStore(options: LocalStoreOptions): StateStore {
  const { path } = options;
  const lock = lockFile({ ...options, path: `${path}.lock` });
  return {
    where: path,
    read: () => readStored(options),
    async lock(request) {
      const info = await lock.acquire(request);
      try {
        return await openSession(options, { info, isOurs: () => lock.isOurs(info), release: () => lock.release(info) });
      } catch (problem) {
        await lock.release(info);
        throw problem;
      }
    },
    holder: () => lock.holder(),
    unlock: (id) => lock.forceRelease(id),
  };
}

async function readStored({ path, files }: LocalStoreOptions): Promise<StoredState | undefined> {
  const text = await files.read(path);
  if (text === undefined) return undefined;
  const state = readState(text);
  const journal = readJournal((await files.read(`${path}.journal`)) ?? "", state.serial);
  return {
    state: { ...state, resources: replay(state.resources, journal), pending: [] },
    intents: openIntents(journal, state.pending),
  };
}

interface HeldLock {
  readonly info: StateSession["info"];
  readonly isOurs: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

async function openSession(options: LocalStoreOptions, held: HeldLock): Promise<StateSession> {
  const { path, files } = options;
  const confirm = async (): Promise<void> => {
    if (!(await held.isOurs())) throw new LockLost(`the lock of ${path} was broken by someone else`);
  };
  await removeLeftovers(options);
  const stored = await readStored(options);
  let serial = stored?.state.serial ?? 0;
  let isListed = false;
  // A process that was stopped in the middle of a write finds the lock broken after it, and sends nothing.
  const append = async (entries: readonly JournalEntry[]): Promise<void> => {
    await confirm();
    if (entries.length === 0) return;
    // A line that a crash or a full disk cut off must not take the next one along.
    const wasListed = isListed;
    isListed = false;
    await files.append(`${path}.journal`, `${wasListed ? "" : "\n"}${journalText(entries, serial)}`);
    if (!wasListed) await files.syncFolder(dirname(path));
    isListed = true;
    await confirm();
  };
  const save: StateSession["save"] = async (state, intents) => {
    await confirm();
    const saved = { ...state, serial: state.serial + 1, pending: intents };
    await writeState(options, { state: saved, id: held.info.id, confirm });
    serial = saved.serial;
    isListed = false;
    return saved;
  };
  return {
    info: held.info,
    stored,
    prepare: save,
    record: inBatches(append),
    save,
    release: held.release,
  };
}

/** The temporary names hold the lock's id, which nobody could have put there before. What takes long is done before the lock is looked at for the last time. */
async function writeState(
  { path, files }: LocalStoreOptions,
  { state, id, confirm }: { readonly state: State; readonly id: string; readonly confirm: () => Promise<void> },
): Promise<void> {
  const former = await files.read(path);
  const temporary = `${path}.${id}.tmp`;
  await files.write(temporary, vouchedText(state));
  if (former !== undefined) await replaceBackup(files, { path, id, former });
  await confirm();
  await files.rename(temporary, path);
  await files.syncFolder(dirname(path));
  await files.remove(`${path}.journal`);
}

/** A copy that a full disk must not cut off. */
async function replaceBackup(
  files: StateFiles,
  { path, id, former }: { readonly path: string; readonly id: string; readonly former: string },
): Promise<void> {
  const temporary = `${path}.bak.${id}.tmp`;
  await files.write(temporary, former);
  await files.rename(temporary, `${path}.bak`);
}

/** What killed runs left beside the state; only the lock holder may ask for it. */
async function removeLeftovers({ path, files }: LocalStoreOptions): Promise<void> {
  const start = basename(path);
  const isLeft = (name: string) =>
    name.startsWith(`${start}.`) && /^(?:\.bak)?(?:\.[0-9a-f-]{36})?\.tmp$/.test(name.slice(start.length));
  const names = await files.list(dirname(path)).catch(() => []);
  for (const name of names.filter(isLeft)) await files.remove(join(dirname(path), name)).catch(() => undefined);
}
