import type { StateStore } from "../state/store.ts";
import { StateLocked } from "../state/store.ts";

/** What a command does while another process has the file of the bundled service, which one at a time may open. */
export interface BusyFile {
  readonly patienceMs: number;
  /** Throws where it makes no sense to wait on. */
  readonly check: (waitedMs: number) => Promise<void>;
}

const patienceMs = 10_000;

/** Most commands are done with the file in a moment: one that only reads waits for it. */
export const usualPatience: BusyFile = { patienceMs, check: async () => undefined };

/** Of a command that takes the lock: whoever holds that is waited for as long as for a lock. `place` says which state. */
export function busyWith(store: StateStore, lockTimeoutSecs: number, place: string): BusyFile {
  const timeoutMs = lockTimeoutSecs * 1000;
  return {
    patienceMs: Math.max(patienceMs, timeoutMs),
    async check(waitedMs) {
      const holder = waitedMs < timeoutMs ? undefined : await store.holder?.();
      if (holder !== undefined) throw new StateLocked(holder, place);
    },
  };
}
