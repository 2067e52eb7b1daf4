import type { SettingsOf } from "../../model/state-settings.ts";
import type { LockHolder } from "../../state/lock-holder.ts";
import type { LockedDocument, RemotePace } from "../../state/remote-session.ts";
import { raised, type State } from "../../state/state.ts";
import { readState, stateText } from "../../state/state-text.ts";
import { type LockInfo, LockLost, type StateStore } from "../../state/store.ts";
import { checkWebAddress, documentStore, type StoreOpening, setText } from "../store-opening.ts";
import {
  breakLease,
  holdLease,
  type LeasePace,
  type LeasePlace,
  leasePace,
  probe,
  type TakenLease,
  tryLease,
} from "./s3-lease.ts";
import { type BucketSettings, openBucket } from "./s3-objects.ts";

export interface S3StoreOptions extends Omit<BucketSettings, "sleep"> {
  readonly key: string;
  readonly holder: LockHolder;
  readonly pace?: Omit<RemotePace, "now">;
  readonly lease?: LeasePace;
}

interface S3State extends LeasePlace {
  readonly options: S3StoreOptions;
}

interface ReadObject {
  readonly state: State | undefined;
  readonly etag: string | undefined;
}

/** Late writes of earlier requests that may come before ours. */
const mostLate = 5;

/** The s3 store of a project. */
export function openS3Store(settings: SettingsOf<"s3">, { holder }: StoreOpening): StateStore {
  const { bucket, key, endpoint } = settings;
  checkWebAddress("state.endpoint", endpoint);
  const region = setText(settings.region);
  return s3Store({
    bucket,
    key,
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    holder,
  });
}

/**
 * State as an object of a bucket (docs/engine.md, Stores and locks). The lock is a lease: an object beside it, renewed while
 * its holder lives. Every write is on the condition that nobody else wrote, of the lease first and then of the state.
 */
export function s3Store(options: S3StoreOptions): StateStore {
  const { bucket, key, holder } = options;
  const where = `s3://${bucket}/${key}`;
  return documentStore({
    where,
    holder,
    pace: options.pace,
    open: async (): Promise<S3State> => ({
      options,
      where,
      key: `${key}.lock`,
      objects: await openBucket({ ...options, sleep: holder.sleep }),
      pace: options.lease ?? leasePace,
    }),
    close: ({ objects }) => objects.close(),
    read: async (place) => (await readStateObject(place)).state,
    async taking(place, info) {
      await probe(place, "If-Match");
      return () => tryLease(place, info);
    },
    locked: openDocument,
    unlock: breakLease,
  });
}

async function readStateObject({ objects, options }: S3State): Promise<ReadObject> {
  const found = await objects.get(options.key);
  const isEmpty = found === undefined || found.text.trim() === "";
  return { etag: found?.etag, state: isEmpty ? undefined : readState(found.text) };
}

async function openDocument(place: S3State, info: LockInfo, taken: TakenLease): Promise<LockedDocument> {
  const { objects, options, where } = place;
  const lease = holdLease(place, info, taken);
  const begin = async () => {
    await probe(place, "If-None-Match");
    return taken.wasBroken ? overtake(place) : readStateObject(place);
  };
  const found = await begin().catch(async (problem: unknown) => {
    await lease.release().catch(() => undefined);
    throw problem;
  });
  let { etag, state: former } = found;
  let tried = "";
  return {
    info,
    state: found.state,
    async write(state) {
      const next = raised(state, former);
      await lease.renew();
      const text = stateText(next);
      const own = tried;
      tried = text;
      let written = await objects.put(options.key, text, etag);
      if (written === undefined && own !== "") {
        // A write of ours may have taken effect although it failed.
        const now = await objects.get(options.key);
        if (now?.text === own) written = await objects.put(options.key, text, now.etag);
      }
      if (written === undefined) throw new LockLost(`${where} was written by someone else, so the lock was broken`);
      etag = written;
      former = next;
      return next;
    },
    async release() {
      try {
        await lease.release();
      } finally {
        objects.close();
      }
    },
  };
}

/** Writes the present state again: a late write of the former holder then meets another version. */
async function overtake(place: S3State): Promise<ReadObject> {
  for (let late = 0; ; late++) {
    const found = await readStateObject(place);
    if (found.state === undefined) return found;
    const state = raised(found.state, undefined);
    const etag = await place.objects.put(place.options.key, stateText(state), found.etag);
    if (etag !== undefined) return { state, etag };
    if (late >= mostLate) throw new LockLost(`${place.where} is being written by someone else`);
  }
}
