import { setImmediate as turn } from "node:timers/promises";

/** Whether a lock may be taken for ours without asking (engine.md 2.6). */
export interface LockTrust {
  /** False from some time after the last proof on, and once this process stood still: others may have broken the lock. */
  readonly isSure: () => Promise<boolean>;
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
  const beat = (): void => {
    const at = now();
    if (at - beatAt > stillMs) stoodStillAt = at;
    beatAt = at;
  };
  const continued = (): void => {
    stoodStillAt = now();
  };
  const timer = setInterval(beat, beatMs).unref();
  process.on("SIGCONT", continued);
  return {
    async isSure() {
      // A signal is told after what came in while the process was stopped, and the turn that it stopped in ends first.
      await turn();
      await turn();
      beat();
      return stoodStillAt === undefined && now() - provedAt <= forMs;
    },
    proved(at) {
      provedAt = Math.max(provedAt, at);
      if (stoodStillAt !== undefined && stoodStillAt < at) stoodStillAt = undefined;
    },
    stop() {
      clearInterval(timer);
      process.off("SIGCONT", continued);
    },
  };
}
