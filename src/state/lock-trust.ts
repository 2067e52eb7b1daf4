/** Whether a lock may be taken for ours without asking (engine.md 2.6). */
export interface LockTrust {
  /** False from some time after the last proof on, and once this process stood still: others may have broken the lock. */
  readonly isSure: () => boolean;
  /** The lock was ours at that moment; epoch milliseconds. */
  readonly proved: (at: number) => void;
  readonly stop: () => void;
}

const beatMs = 250;
/** A process that does not get to a beat for so long was stopped, or its machine slept. */
const stillMs = 1_000;

/** Trusts a lock that was just taken for `forMs` at a time. */
export function trustLock({ now, forMs }: { readonly now: () => number; readonly forMs: number }): LockTrust {
  let provedAt = now();
  let beatAt = provedAt;
  let stoodStillAt: number | undefined;
  const beat = (): number => {
    const at = now();
    if (at - beatAt > stillMs) stoodStillAt = at;
    beatAt = at;
    return at;
  };
  const timer = setInterval(beat, beatMs).unref();
  return {
    isSure: () => beat() - provedAt <= forMs && stoodStillAt === undefined,
    proved(at) {
      provedAt = Math.max(provedAt, at);
      if (stoodStillAt !== undefined && stoodStillAt <= at) stoodStillAt = undefined;
    },
    stop: () => clearInterval(timer),
  };
}
