import { type Problem, problem, wrongValue } from "../model/diagnostic.ts";
import type { Redact } from "../model/redact.ts";
import { type LockHolder, type LockTry, waitForLock } from "../state/lock-holder.ts";
import { type LockedDocument, type RemotePace, readDocument, remoteSession } from "../state/remote-session.ts";
import type { State } from "../state/state.ts";
import type { LockInfo, StateStore } from "../state/store.ts";

/** The project, process and machine that a store is opened for, besides its settings. */
export interface StoreOpening {
  /** Absolute path of the project's folder. */
  readonly root: string;
  readonly project: string;
  readonly environment?: string | undefined;
  readonly holder: LockHolder;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of loadform. */
  readonly version: string;
  /** Takes secrets out of what a store writes about a state. */
  readonly redact: Redact;
}

/** A setting, or a variable, that is not an empty text. */
export const setText = (text: string | undefined): string | undefined => (text === "" ? undefined : text);

/** LF1104: a setting that is not an address. The value is not shown, as it may contain a password. */
export function badAddress(key: string, value: string, wanted: string): Problem {
  const detail =
    value === ""
      ? wrongValue("an empty text, perhaps from a variable that is set to nothing", wanted)
      : `The value (not shown) must be ${wanted}`;
  return problem("LF1104", `${key} is not the address of a state store`, detail);
}

/** Throws LF1104 for a setting that is not the address of a web server. */
export function checkWebAddress(key: string, address: string | undefined): void {
  if (address !== undefined && !(URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)))
    throw badAddress(key, address, "http://… or https://…");
}

/** A store whose state is one document at a remote place, which is opened for each use. */
interface DocumentStore<Place, Taken> {
  readonly where: string;
  readonly holder: LockHolder;
  readonly pace: Omit<RemotePace, "now"> | undefined;
  readonly open: () => Promise<Place>;
  readonly close: (place: Place) => Promise<void> | void;
  readonly read: (place: Place) => Promise<State | undefined>;
  /** Prepares the lock; the answer tries to take it once. */
  readonly taking: (place: Place, info: LockInfo) => Promise<() => Promise<LockTry<Taken>>>;
  /** The document under a lock that was taken; to release it closes the place. */
  readonly locked: (place: Place, info: LockInfo, taken: Taken) => Promise<LockedDocument>;
  readonly unlock: (place: Place, id: string | undefined) => Promise<LockInfo | undefined>;
  /** A failure before the lock is ours, as it is to be told; default: as it is. */
  readonly failure?: (problem: unknown) => unknown;
}

const retryMs = 1_000;

/** The life of a lock on a remote document, one for all stores of this sort: opened, taken, read, or closed again. */
export function documentStore<Place, Taken>(store: DocumentStore<Place, Taken>): StateStore {
  const { where, holder, failure = (problem: unknown) => problem } = store;
  const once = async <T>(use: (place: Place) => Promise<T>): Promise<T> => {
    const place = await store.open();
    try {
      return await use(place);
    } catch (problem) {
      throw failure(problem);
    } finally {
      await store.close(place);
    }
  };
  return {
    where,
    read: () => once(async (place) => readDocument(await store.read(place))),
    async lock(request) {
      const place = await store.open();
      try {
        const info = holder.describe(request.operation);
        const attempt = await store.taking(place, info);
        const { acquired, asked } = await waitForLock(attempt, request, { holder, retryMs });
        const document = await store.locked(place, info, acquired);
        return remoteSession({ ...document, asked }, { ...store.pace, now: holder.now });
      } catch (problem) {
        await store.close(place);
        throw failure(problem);
      }
    },
    unlock: (id) => once((place) => store.unlock(place, id)),
  };
}
