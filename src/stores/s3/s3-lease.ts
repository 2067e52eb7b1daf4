import { randomUUID } from "node:crypto";
import type { LockTry } from "../../state/lock-holder.ts";
import { type LockInfo, lockBroken, StateLocked, StoreFailed, unnamedHolder } from "../../state/store.ts";
import type { S3Objects, StoredObject } from "./s3-objects.ts";

export interface LeasePace {
  /** Interval of its renewals. */
  readonly everyMs: number;
  /** Time from its last renewal until it expires. */
  readonly forMs: number;
  /** Time after that in which nobody breaks it: its holder sends nothing any more by then. */
  readonly graceMs: number;
}

/** The pace of real life. */
export const leasePace: LeasePace = { everyMs: 20_000, forMs: 60_000, graceMs: 60_000 };

/** An object that is the lock: it says who holds it, or that nobody does. */
export interface LeasePlace {
  readonly objects: S3Objects;
  readonly key: string;
  /** For messages. */
  readonly where: string;
  readonly pace: LeasePace;
}

export interface TakenLease {
  readonly etag: string;
  /** Its last holder did not give it back, so a write of that one may still be on its way. */
  readonly wasBroken: boolean;
}

/** The content of the lease's object. */
type Lease =
  | { readonly holder: LockInfo; readonly forMs: number }
  | { readonly free: true; readonly wasBroken: boolean };

/** The mark makes each text a different one. */
function leaseText(lease: Lease): string {
  return `${JSON.stringify({ ...lease, mark: randomUUID() })}\n`;
}

/** A damaged lock is one that is held: by somebody of whom only the etag is known. */
function readLease({ text, etag }: StoredObject): Lease {
  const id = etag.replaceAll('"', "");
  try {
    const value = JSON.parse(text) as Partial<Record<string, unknown>>;
    if (value["free"] === true || typeof (value["holder"] as LockInfo | undefined)?.id === "string")
      return value as Lease;
  } catch {
    // Something else is there.
  }
  return { holder: unnamedHolder(id), forMs: Number.POSITIVE_INFINITY };
}

export async function tryLease(place: LeasePlace, info: LockInfo): Promise<LockTry<TakenLease>> {
  const { objects, key, pace } = place;
  const text = leaseText({ holder: info, forMs: pace.forMs });
  const made = await objects.put(key, text, undefined);
  if (made !== undefined) return { acquired: { etag: made, wasBroken: false } };
  const found = await objects.get(key);
  if (found === undefined) return { again: true };
  const lease = readLease(found);
  const isOver = "free" in lease || found.ageMs > lease.forMs + pace.graceMs;
  if (!isOver) return { lockedBy: lease.holder };
  const etag = await objects.put(key, text, found.etag);
  return etag === undefined
    ? { again: true }
    : { acquired: { etag, wasBroken: !("free" in lease) || lease.wasBroken } };
}

const noEtag = '"00000000000000000000000000000000"';

/**
 * Refuses a service that ignores conditions, by writes that must not succeed: `If-Match` with an etag that nothing has,
 * before the lease is acquired, and `If-None-Match` once there is an object.
 */
export async function probe({ objects, key, where }: LeasePlace, header: "If-Match" | "If-None-Match"): Promise<void> {
  const text = leaseText({ free: true, wasBroken: true });
  if ((await objects.put(key, text, header === "If-Match" ? noEtag : undefined)) === undefined) return;
  throw new StoreFailed(
    `could not lock ${where}: the service ignores the condition ${header}, so two commands could hold one lock. It must support conditional writes, like Amazon S3`,
  );
}

/** Keeps a lease by renewing it; one write at a time, as each makes another etag. */
export function holdLease(place: LeasePlace, info: LockInfo, taken: TakenLease) {
  const { objects, key, where, pace } = place;
  let { etag } = taken;
  let isLost = false;
  let last: Promise<void> = Promise.resolve();
  const next = (step: () => Promise<void>): Promise<void> => {
    last = last.catch(() => undefined).then(step);
    return last;
  };
  const write = async (text: string): Promise<string | undefined> => {
    const written = await objects.put(key, text, etag);
    if (written !== undefined) return written;
    // It may be of a renewal of ours that took effect although it failed.
    const found = await objects.get(key);
    const lease = found && readLease(found);
    const isOurs = lease !== undefined && "holder" in lease && lease.holder.id === info.id;
    return isOurs ? objects.put(key, text, found?.etag) : undefined;
  };
  const renew = () =>
    next(async () => {
      const renewed = isLost ? undefined : await write(leaseText({ holder: info, forMs: pace.forMs }));
      isLost = renewed === undefined;
      if (renewed === undefined) throw lockBroken(where);
      etag = renewed;
    });
  const timer = setInterval(() => void renew().catch(() => undefined), pace.everyMs).unref();
  return {
    /** Proves that it is ours, for everybody to see; throws {@link LockLost} when it is not. */
    renew,
    release() {
      clearInterval(timer);
      return next(async () => {
        if (!isLost) await write(leaseText({ free: true, wasBroken: false }));
      });
    },
  };
}

/** Times that a holder may renew under our hands. */
const mostRaces = 20;

/** Breaks the lease, if it has the given id; answers its holder. */
export async function breakLease({ objects, key }: LeasePlace, id: string | undefined): Promise<LockInfo | undefined> {
  let wanted = id;
  for (let races = 0; ; races++) {
    const found = await objects.get(key);
    const lease = found && readLease(found);
    if (found === undefined || lease === undefined || "free" in lease) return undefined;
    const { holder } = lease;
    if ((wanted !== undefined && holder.id !== wanted) || races >= mostRaces) throw new StateLocked(holder);
    wanted = holder.id;
    if ((await objects.put(key, leaseText({ free: true, wasBroken: true }), found.etag)) !== undefined) return holder;
  }
}
