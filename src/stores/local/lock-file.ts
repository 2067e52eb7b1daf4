import { unlessThrown } from "../../model/diagnostic.ts";
import { type LockHolder, type LockTry, waitForLock } from "../../state/lock-holder.ts";
import { type LockInfo, type LockRequest, StateLocked } from "../../state/store.ts";
import type { FileGuard, StateFiles } from "./state-files.ts";

interface LockFileOptions {
  readonly path: string;
  readonly files: StateFiles;
  readonly holder: LockHolder;
  /** Temporary files of a holder, deleted when its lock is broken. */
  readonly temporaryFilesOf?: (info: LockInfo) => readonly string[];
}

const retryMs = 250;
/** Tries, and milliseconds between them, while another process is breaking a lock. */
const ticketTries = 50;
const ticketMs = 20;
/** Age from which an empty lock file counts as dead: its process writes it within milliseconds, or died. */
const emptyMs = 60_000;

/** The holder named by an empty lock file, as after a crash between its creation and its writing, and whatever another one lacks. */
const unreadable: LockInfo = {
  id: "unknown",
  operation: "an unknown command",
  who: "an unknown holder",
  created: "an unknown time",
};

/**
 * A lock in the form of the file at `path`, which only one process can create. A dead holder's lock on the same host is
 * broken, by one process at a time; so is an empty file that is older than a minute.
 */
export function lockFile(options: LockFileOptions) {
  const { path, files } = options;
  return {
    acquire: (request: LockRequest) => acquire(options, request),
    isOurs: async (info: LockInfo) => guardOf(path, info).says(await files.read(path)),
    /** The lock's holder, unless it is a dead process. */
    async holder() {
      const found = await readLock(options);
      return found === undefined || found.isDead ? undefined : found.info;
    },
    async release(info: LockInfo) {
      await files.stepIf(guardOf(path, info), { remove: path });
    },
    async forceRelease(id?: string) {
      const text = await files.read(path);
      if (text === undefined) return undefined;
      const holder = parseInfo(text) ?? unreadable;
      if (id !== undefined && holder.id !== id) throw new StateLocked(holder);
      await files.stepIf({ path, says: (now) => now === text }, { remove: path });
      await removeTemporaryFiles(options, holder);
      return holder;
    },
  };
}

/** That a lock file is ours. */
export function guardOf(path: string, { id }: LockInfo): FileGuard {
  return { path, says: (text) => parseInfo(text ?? "")?.id === id };
}

async function acquire(options: LockFileOptions, request: LockRequest): Promise<LockInfo> {
  const { path, files, holder } = options;
  const { id } = holder.describe(request.operation);
  const attempt = async (): Promise<LockTry<LockInfo>> => {
    // Its age is that of the lock, without the wait for it.
    const info = { ...holder.describe(request.operation), id };
    if (await files.createNew(path, `${JSON.stringify(info)}\n`)) return { acquired: info };
    const found = await readLock(options);
    // Of a link made over a network only the answer may have been lost.
    if (found?.info?.id === info.id) return { acquired: info };
    if (found === undefined || !found.isDead) return { lockedBy: found?.info };
    await breakDead(options);
    // A file that cannot be deleted remains: trying again at once would never end.
    return (await files.read(path)) === found.text ? { lockedBy: found.info } : { again: true };
  };
  return (await waitForLock(attempt, request, { holder, retryMs })).acquired;
}

/**
 * Removes a dead holder's file. Only whoever holds the ticket does so, and looks again first: between two looks the
 * holder may have released its lock, and another process may have acquired it.
 */
async function breakDead(options: LockFileOptions): Promise<void> {
  const { path, files, holder } = options;
  const ticket = { ...options, path: `${path}.breaking` };
  for (let tries = 0; tries < ticketTries; tries++) {
    const text = `${JSON.stringify(holder.describe("break a lock"))}\n`;
    const isOurs = await files.createNew(ticket.path, text).catch(() => undefined);
    if (isOurs === undefined) return;
    if (isOurs) {
      // A file that cannot be deleted remains a lock, and its holder is reported.
      await removeDead(options).catch(() => undefined);
      return files.remove(ticket.path).catch(() => undefined);
    }
    const other = await readLock(ticket);
    if (other?.isDead)
      await files.stepIf({ path: ticket.path, says: (now) => now === other.text }, { remove: ticket.path });
    else await holder.sleep(ticketMs);
  }
}

async function removeDead(options: LockFileOptions): Promise<void> {
  const { path, files } = options;
  const dead = await readLock(options);
  if (!dead?.isDead) return;
  await files.stepIf({ path, says: (now) => now === dead.text }, { remove: path });
  if (dead.info) await removeTemporaryFiles(options, dead.info);
}

async function removeTemporaryFiles({ files, temporaryFilesOf }: LockFileOptions, info: LockInfo): Promise<void> {
  for (const left of temporaryFilesOf?.(info) ?? []) await files.remove(left);
}

/** Undefined when there is no lock. */
async function readLock({ path, files, holder }: LockFileOptions) {
  const text = await files.read(path);
  if (text === undefined) return undefined;
  const info = parseInfo(text);
  // A crash of the machine may leave zeros.
  const isBlank = text.replaceAll("\0", "").trim() === "";
  if (info !== undefined || !isBlank) return { text, info, isDead: info !== undefined && holder.isDead(info) };
  const since = await files.modified(path);
  return { text, info, isDead: since !== undefined && holder.now() - since > emptyMs };
}

function parseInfo(text: string): LockInfo | undefined {
  const value: unknown = unlessThrown(() => JSON.parse(text));
  const isHolder = typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
  return isHolder ? { ...unreadable, ...(value as Partial<LockInfo>) } : undefined;
}
