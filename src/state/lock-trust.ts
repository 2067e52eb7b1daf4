import { setImmediate as turn } from "node:timers/promises";

/** A moment by both clocks: the monotonic one, which nobody sets, and the wall clock, which runs on while a machine sleeps. */
export interface Moment {
  readonly steady: number;
  /** Epoch milliseconds. */
  readonly wall: number;
}

/**
 * Whether a lock may be taken for ours without asking: not when the last proof is too old, nor when since then this
 * process stood still or its clock jumped, as somebody may have broken the lock meanwhile.
 */
export interface LockTrust {
  /** As it is at this moment, by the clocks: a process that was stopped gets to its sockets before its timers and signals. */
  readonly isYoung: () => boolean;
  /** The same, after signals that came in meanwhile were told. */
  readonly isSure: () => Promise<boolean>;
  /** When a proof begins. */
  readonly moment: () => Moment;
  /** The lock was ours at some time after that moment. */
  readonly proved: (at: Moment) => void;
}

/** How long a lock is trusted, and from when on. */
export interface TrustSettings {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly forMs: number;
  /** When the lock was asked for that was given; without it the first proof is still to come. */
  readonly since?: Moment;
}

const beatMs = 250;
/** A process that does not get to a beat for so long was stopped, or its machine slept; and a clock that moves so far was set. */
const stillMs = 1_000;

/** One pulse for the whole process; it keeps no process alive. */
const pulse = { beatAt: 0, stoodStillAt: Number.NEGATIVE_INFINITY, isBeating: false };

function feelPulse(): number {
  const at = performance.now();
  if (at - pulse.beatAt > stillMs) pulse.stoodStillAt = at;
  pulse.beatAt = at;
  return at;
}

function startPulse(): void {
  if (pulse.isBeating) return;
  pulse.isBeating = true;
  pulse.beatAt = performance.now();
  setInterval(feelPulse, beatMs).unref();
  process.on("SIGCONT", () => {
    pulse.stoodStillAt = performance.now();
  });
}

/** This moment; from the first one on the process listens for its own pulse. */
export function momentOf(now: () => number): Moment {
  startPulse();
  return { steady: feelPulse(), wall: now() };
}

/** Trusts a lock for `forMs` after each proof. */
export function trustLock({ now, forMs, since }: TrustSettings): LockTrust {
  let seen = momentOf(now);
  let jumpedAt = Number.NEGATIVE_INFINITY;
  let provedAt = since;
  const moment = (): Moment => {
    const at = momentOf(now);
    if (Math.abs(at.wall - seen.wall - (at.steady - seen.steady)) > stillMs) jumpedAt = at.steady;
    seen = at;
    return at;
  };
  const isYoung = (): boolean => {
    const at = moment();
    if (provedAt === undefined) return false;
    const { steady, wall } = provedAt;
    const isUnbroken = Math.max(pulse.stoodStillAt, jumpedAt) <= steady;
    return isUnbroken && at.steady - steady <= forMs && at.wall - wall <= forMs;
  };
  return {
    isYoung,
    async isSure() {
      // A signal is told after what came in while the process was stopped, and the turn that it stopped in ends first.
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
