import { setImmediate as turn } from "node:timers/promises";
import { LockLost } from "./store.ts";

/** A moment by both clocks: the monotonic one, which nobody sets, and the wall clock, which runs on while a machine sleeps. */
export interface Moment {
  readonly steady: number;
  /** Epoch milliseconds. */
  readonly wall: number;
}

const beatMs = 250;
/** A process that does not get to a beat for so long was stopped, or its machine slept; and a clock that moves so far was set. */
const stillMs = 1_000;

/** One pulse for the whole process; it keeps no process alive. */
const pulse = { beatAt: 0, stoppedAt: Number.NEGATIVE_INFINITY, isBeating: false };

/** A clock that nobody sets, as `performance` has it, which Node would have to load. */
const steadyMs = () => process.uptime() * 1000;

function feelPulse(): number {
  const at = steadyMs();
  if (at - pulse.beatAt > stillMs) pulse.stoppedAt = at;
  pulse.beatAt = at;
  return at;
}

function startPulse(): void {
  if (pulse.isBeating) return;
  pulse.isBeating = true;
  pulse.beatAt = steadyMs();
  setInterval(feelPulse, beatMs).unref();
  process.on("SIGCONT", () => {
    pulse.stoppedAt = steadyMs();
  });
}

/** This moment; from the first one on the process listens for its own pulse. */
export function momentOf(now: () => number): Moment {
  startPulse();
  return { steady: feelPulse(), wall: now() };
}

/**
 * Trusts for `forMs` after each proof that a lock is still ours, without another look at it. That ends before, when this process was
 * stopped or its clock jumped since the last proof, as the lock may have been broken meanwhile.
 */
export function trustLock(now: () => number, forMs: number, since?: Moment) {
  let last = momentOf(now);
  let jumpedAt = Number.NEGATIVE_INFINITY;
  let provedAt = since;
  const moment = (): Moment => {
    const at = momentOf(now);
    if (Math.abs(at.wall - last.wall - (at.steady - last.steady)) > stillMs) jumpedAt = at.steady;
    last = at;
    return at;
  };
  const isYoung = (): boolean => {
    const at = moment();
    if (provedAt === undefined) return false;
    const { steady, wall } = provedAt;
    const isUnbroken = Math.max(pulse.stoppedAt, jumpedAt) <= steady;
    return isUnbroken && at.steady - steady <= forMs && at.wall - wall <= forMs;
  };
  return {
    /** As it is at this moment, by the clocks: a process that was stopped gets to its sockets before its timers and signals. */
    isYoung,
    /** The same, after signals that came in meanwhile were told. */
    async isSure(): Promise<boolean> {
      // A signal is reported after the input that came in while the process was stopped, and the turn that it stopped
      // in ends first.
      await turn();
      await turn();
      return isYoung();
    },
    moment,
    /** The lock was ours at some time after that moment. */
    proved(at: Moment): void {
      if (provedAt === undefined || at.steady > provedAt.steady) provedAt = at;
    },
  };
}

export type RemoteProof = ReturnType<typeof remoteProof>;

/** Age up to which a look at the lock counts. */
const youngMs = 1_000;

/**
 * The proof that a remote lock is ours, from the moment at which it was taken: by the last write of the state, and by a look at the
 * lock where that costs less.
 */
export function remoteProof(
  now: () => number,
  everyMs: number,
  from: { readonly look?: (() => Promise<void>) | undefined; readonly since?: Moment | undefined },
) {
  const { look, since = momentOf(now) } = from;
  const byWrite = trustLock(now, everyMs, since);
  const byLook = look && trustLock(now, youngMs, since);
  let looking: Promise<void> | undefined;
  let lost: LockLost | undefined;
  const failed = (problem: unknown): void => {
    if (problem instanceof LockLost) lost = problem;
  };
  const lookOnce = async (): Promise<void> => {
    const at = byWrite.moment();
    try {
      await look?.();
      byLook?.proved(at);
    } catch (problem) {
      failed(problem);
      throw problem;
    } finally {
      looking = undefined;
    }
  };
  return {
    /** True while a write to the service may leave. */
    isYoung: (): boolean => lost === undefined && byWrite.isYoung() && (byLook?.isYoung() ?? true),
    /** True once the last write is so old that only another one proves the lock, and renews the time of open intents. */
    needsWrite: async () => !(await byWrite.isSure()),
    /** Looks at the lock when the last look is too old, once for all who ask meanwhile. */
    async confirm(): Promise<void> {
      if (byLook === undefined || (await byLook.isSure())) return;
      looking ??= lookOnce();
      await looking;
    },
    moment: byWrite.moment,
    /** A write that began at that moment went well. */
    written(at: Moment): void {
      byWrite.proved(at);
      byLook?.proved(at);
    },
    /** The refusal of every later use of the session. */
    lost: () => lost,
    /** Takes note of a failure that says that the lock is not ours. */
    failed,
  };
}
