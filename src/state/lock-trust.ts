import { setImmediate as turn } from "node:timers/promises";
import { LockLost } from "./store.ts";

/** A moment by both clocks: the monotonic one, which nobody sets, and the wall clock, which runs on while a machine sleeps. */
export interface Moment {
  readonly steady: number;
  /** Epoch milliseconds. */
  readonly wall: number;
}

/**
 * Trust that a lock is still ours without another look at it. It ends when the last proof is too old, or when this
 * process was stopped or its clock jumped since, as the lock may have been broken meanwhile.
 */
interface LockTrust {
  /** As it is at this moment, by the clocks: a process that was stopped gets to its sockets before its timers and signals. */
  readonly isYoung: () => boolean;
  /** The same, after signals that came in meanwhile were told. */
  readonly isSure: () => Promise<boolean>;
  readonly moment: () => Moment;
  /** The lock was ours at some time after that moment. */
  readonly proved: (at: Moment) => void;
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

/** Trusts a lock for `forMs` after each proof. */
export function trustLock(now: () => number, forMs: number, since?: Moment): LockTrust {
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
    isYoung,
    async isSure() {
      // A signal is reported after the input that came in while the process was stopped, and the turn that it stopped
      // in ends first.
      await turn();
      await turn();
      return isYoung();
    },
    moment,
    proved(at) {
      if (provedAt === undefined || at.steady > provedAt.steady) provedAt = at;
    },
  };
}

/** The proof that a remote lock is ours: by the last write of the state, and by a look at the lock where that costs less. */
export interface RemoteProof {
  /** True while a write to the service may leave. */
  readonly isYoung: () => boolean;
  /** True once the last write is so old that only another one proves the lock, and renews the time of open intents. */
  readonly needsWrite: () => Promise<boolean>;
  /** Looks at the lock when the last look is too old, once for all who ask meanwhile. */
  readonly confirm: () => Promise<void>;
  readonly moment: () => Moment;
  /** A write that began at that moment went well. */
  readonly written: (at: Moment) => void;
  /** The refusal of every later use of the session. */
  readonly lost: () => LockLost | undefined;
  /** Takes note of a failure that says that the lock is not ours. */
  readonly failed: (problem: unknown) => void;
}

/** Age up to which a look at the lock counts. */
const youngMs = 1_000;

/** Begins with a lock that was just taken. */
export function remoteProof(
  now: () => number,
  everyMs: number,
  from: { readonly look?: (() => Promise<void>) | undefined; readonly since?: Moment | undefined },
): RemoteProof {
  const { look, since = momentOf(now) } = from;
  const byWrite = trustLock(now, everyMs, since);
  const byLook: LockTrust | undefined = look && trustLock(now, youngMs, since);
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
    isYoung: () => lost === undefined && byWrite.isYoung() && (byLook?.isYoung() ?? true),
    needsWrite: async () => !(await byWrite.isSure()),
    async confirm() {
      if (byLook === undefined || (await byLook.isSure())) return;
      looking ??= lookOnce();
      await looking;
    },
    moment: byWrite.moment,
    written(at) {
      byWrite.proved(at);
      byLook?.proved(at);
    },
    lost: () => lost,
    failed,
  };
}
