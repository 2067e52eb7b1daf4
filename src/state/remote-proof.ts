import type { LockTrust, Moment } from "./lock-trust.ts";
import { momentOf, trustLock } from "./lock-trust.ts";
import { LockLost } from "./store.ts";

/** How surely a remote lock is ours: by the last write of the state, and by a look at the lock where that costs less. */
export interface RemoteProof {
  /** Whether a write to the service may leave at this very moment. */
  readonly isYoung: () => boolean;
  /** Whether the last write is so old that only another one proves the lock, and keeps the time of open intents true. */
  readonly needsWrite: () => Promise<boolean>;
  /** Looks at the lock when the last look is too old, once for all who ask meanwhile. */
  readonly confirm: () => Promise<void>;
  /** When a write begins. */
  readonly moment: () => Moment;
  /** A write that began at that moment went well. */
  readonly written: (at: Moment) => void;
  /** What every later use of the session is refused with. */
  readonly lost: () => LockLost | undefined;
  /** Takes note of a failure that says that the lock is not ours. */
  readonly failed: (problem: unknown) => void;
}

/** How a remote lock is proved. */
export interface ProofSettings {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** How long a write proves the lock. */
  readonly everyMs: number;
  /** Looks at the lock, where that costs less than a write; throws {@link LockLost} when it is not ours. */
  readonly look?: (() => Promise<void>) | undefined;
  /** When the lock was asked for that was given. */
  readonly since?: Moment | undefined;
}

/** How old a look at the lock may be. */
const youngMs = 1_000;

/** Begins with a lock that was just taken. */
export function remoteProof({ now, everyMs, look, since = momentOf(now) }: ProofSettings): RemoteProof {
  const byWrite = trustLock({ now, forMs: everyMs, since });
  const byLook: LockTrust | undefined = look && trustLock({ now, forMs: youngMs, since });
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
