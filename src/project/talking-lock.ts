import type { LockInfo, LockRequest, StateSession, StateStore } from "../state/store.ts";
import { StateLocked, StoreFailed } from "../state/store.ts";
import type { LockTalk, World } from "./world.ts";

/** A store whose lock tells that it is waited for, and is given back when the process has to end. */
export function talkingStore(store: StateStore, world: World, place: string): StateStore {
  const { locks } = world;
  if (locks === undefined) return store;
  return {
    ...store,
    lock: (request) => takeLock({ store, world, locks, place }, request),
    unlock: (id) => store.unlock(id).catch((thrown: unknown) => Promise.reject(placed(thrown, place))),
  };
}

interface Taking {
  readonly store: StateStore;
  readonly world: World;
  readonly locks: LockTalk;
  /** Words that a command needs to be about this state. */
  readonly place: string;
}

async function takeLock({ store, world, locks, place }: Taking, request: LockRequest): Promise<StateSession> {
  const since = world.now();
  const { timeoutMs } = request;
  const waiting = (holder: LockInfo | undefined) =>
    locks.waiting({ heldBy: heldBy(holder), wayOut: wayOutOf({ holder, place }), since, timeoutMs });
  const taking = store.lock({ ...request, signal: locks.signal, waiting });
  const letGo = locks.hold(async () => {
    const session = await taking.catch(() => undefined);
    await session?.release();
  });
  try {
    const session = await taking;
    const release = () =>
      session.release().catch((thrown: unknown) => Promise.reject(stillHeld(thrown, session, place)));
    return { ...session, release: () => release().finally(letGo) };
  } catch (problem) {
    letGo();
    throw placed(problem, place);
  } finally {
    locks.waiting(undefined);
  }
}

function placed(thrown: unknown, place: string): unknown {
  return thrown instanceof StateLocked ? new StateLocked(thrown.holder, place) : thrown;
}

/** The store knows the command that breaks its lock, but not the words that make it about this state. */
function stillHeld(thrown: unknown, { info }: StateSession, place: string): unknown {
  if (!(thrown instanceof StoreFailed)) return thrown;
  const command = `loadform state unlock ${info.id}`;
  return new StoreFailed(thrown.message.replace(command, `${command}${place}`), { cause: thrown });
}

/** Who holds a lock, since when, with which command. */
export function heldBy(holder: LockInfo | undefined): string {
  if (holder === undefined) return "a lock that says nothing about its holder";
  const pid = holder.pid === undefined ? "" : `, pid ${holder.pid}`;
  return `it held by ${holder.who} since ${holder.created} (${holder.operation}${pid})`;
}

/** The command that breaks a lock. */
export function wayOutOf({ holder, place }: Pick<StateLocked, "holder" | "place">): string {
  return `loadform state unlock${holder === undefined ? "" : ` ${holder.id}`}${place}`;
}
