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
  readonly release: (info: LockInfo) => Promise<void>;
  readonly forceRelease: (id?: string) => Promise<LockInfo | undefined>;
}

interface Options {
  readonly path: string;
  readonly files: StateFiles;
  readonly holder: LockHolder;
}

const retryMs = 250;

/** Who holds a lock file that says nothing, as after a crash between its making and its writing. */
const unreadable: LockInfo = {
  id: "unknown",
  operation: "an unknown command",
  who: "an unknown holder",
  created: "an unknown time",
};

/** The lock file at `path`. A dead holder's lock on the same host is broken, by renaming it away so that only one process does it. */
export function lockFile(options: Options): LockFile {
  const { path, files } = options;
  return {
    acquire: (request) => acquire(options, request),
    isOurs: async (info) => (await readInfo(options))?.id === info.id,
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
    // A file that cannot be moved away stays where it is: trying again at once would never end.
    return (await readInfo(options))?.id === other.id ? { heldBy: other } : { again: true };
  };
  return waitForLock(attempt, { holder, request, retryMs });
}

/** Moves a dead holder's file aside; when another process was faster and it is someone else's by now, it is put back. */
async function breakDead({ path, files, holder }: Options, dead: LockInfo): Promise<void> {
  const aside = `${path}.${holder.describe("break").id}`;
  try {
    await files.rename(path, aside);
  } catch {
    return;
  }
  const moved = parseInfo((await files.read(aside)) ?? "");
  if (moved !== undefined && moved.id !== dead.id) await files.createNew(path, `${JSON.stringify(moved)}\n`);
  await files.remove(aside);
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
