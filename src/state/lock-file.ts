import type { LockHolder } from "./lock-holder.ts";
import type { StateFiles } from "./state-files.ts";
import type { LockInfo, LockRequest } from "./store.ts";
import { StateLocked } from "./store.ts";
import type { LockTry } from "./wait-for-lock.ts";
import { waitForLock } from "./wait-for-lock.ts";

/** A lock held by a file that only one process can create. */
export interface LockFile {
  readonly acquire: (request: LockRequest) => Promise<LockInfo>;
  readonly isOurs: (info: LockInfo) => Promise<boolean>;
  /** Whose lock stands there, if it is not a dead process's. */
  readonly holder: () => Promise<LockInfo | undefined>;
  readonly release: (info: LockInfo) => Promise<void>;
  readonly forceRelease: (id?: string) => Promise<LockInfo | undefined>;
}

interface Options {
  readonly path: string;
  readonly files: StateFiles;
  readonly holder: LockHolder;
}

const retryMs = 250;
/** How often, and how far apart, a process waits for another one that is breaking a lock. */
const ticketTries = 50;
const ticketMs = 20;

/** Who holds a lock file that says nothing, as after a crash between its making and its writing. */
const unreadable: LockInfo = {
  id: "unknown",
  operation: "an unknown command",
  who: "an unknown holder",
  created: "an unknown time",
};

/** The lock file at `path`. A dead holder's lock on the same host is broken, by one process at a time. */
export function lockFile(options: Options): LockFile {
  const { path, files } = options;
  return {
    acquire: (request) => acquire(options, request),
    isOurs: async (info) => (await readInfo(options))?.id === info.id,
    async holder() {
      const info = await readInfo(options);
      return info === undefined || options.holder.isDead(info) ? undefined : info;
    },
    async release(info) {
      if ((await readInfo(options))?.id === info.id) await files.remove(path);
    },
    async forceRelease(id) {
      const text = await files.read(path);
      if (text === undefined) return undefined;
      const holder = parseInfo(text) ?? unreadable;
      if (id !== undefined && holder.id !== id) throw new StateLocked(holder);
      await files.remove(path);
      return holder;
    },
  };
}

async function acquire(options: Options, request: LockRequest): Promise<LockInfo> {
  const { path, files, holder } = options;
  const info = holder.describe(request.operation);
  const attempt = async (): Promise<LockTry<LockInfo>> => {
    if (await files.createNew(path, `${JSON.stringify(info)}\n`)) return { taken: info };
    const other = await readInfo(options);
    if (other === undefined || !holder.isDead(other)) return { heldBy: other };
    await breakDead(options, other);
    // A file that cannot be removed stays where it is: trying again at once would never end.
    return (await readInfo(options))?.id === other.id ? { heldBy: other } : { again: true };
  };
  return waitForLock(attempt, { holder, request, retryMs });
}

/**
 * Removes a dead holder's file. Only whoever holds the ticket does so, and looks again first: between two looks the holder
 * may have given its lock back, and another process may have taken it.
 */
async function breakDead(options: Options, dead: LockInfo): Promise<void> {
  const { path, files, holder } = options;
  const ticket = { ...options, path: `${path}.breaking` };
  for (let tries = 0; tries < ticketTries; tries++) {
    const text = `${JSON.stringify(holder.describe("break a lock"))}\n`;
    const isOurs = await files.createNew(ticket.path, text).catch(() => undefined);
    if (isOurs === undefined) return;
    if (isOurs) {
      // What cannot be removed stays a held lock, and says so.
      await removeDead(options, dead).catch(() => undefined);
      return files.remove(ticket.path).catch(() => undefined);
    }
    const other = await readInfo(ticket);
    if (other !== undefined && holder.isDead(other)) await files.remove(ticket.path);
    else await holder.sleep(ticketMs);
  }
}

async function removeDead(options: Options, dead: LockInfo): Promise<void> {
  if ((await readInfo(options))?.id === dead.id) await options.files.remove(options.path);
}

async function readInfo({ path, files }: Options): Promise<LockInfo | undefined> {
  return parseInfo((await files.read(path)) ?? "");
}

function parseInfo(text: string): LockInfo | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "id" in value ? (value as LockInfo) : undefined;
  } catch {
    return undefined;
  }
}
