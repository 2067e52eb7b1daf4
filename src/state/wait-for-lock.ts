import type { LockHolder } from "./lock-holder.ts";
import { sleepUnless } from "./sleep-unless.ts";
import type { LockInfo, LockRequest } from "./store.ts";
import { StateLocked, WaitStopped } from "./store.ts";

/** One try to take a lock: what came of it, or who holds it. `again` asks for another try at once. */
export type LockTry<T> = { readonly taken: T } | { readonly heldBy: LockInfo | undefined } | { readonly again: true };

/** How long to wait for a lock, and how often to look. */
export interface LockWait {
  readonly holder: Pick<LockHolder, "now" | "sleep">;
  readonly request: Omit<LockRequest, "operation">;
  /** Longest pause between two looks; the first ones are shorter. */
  readonly retryMs: number;
}

const firstPauseMs = 50;

/** Tries until the lock is ours; throws {@link StateLocked} with the last holder seen when the time is over. */
export async function waitForLock<T>(attempt: () => Promise<LockTry<T>>, wait: LockWait): Promise<T> {
  const { holder, request, retryMs } = wait;
  const until = holder.now() + request.timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, retryMs)) {
    if (request.signal?.aborted) throw new WaitStopped("stopped waiting for the lock");
    const result = await attempt();
    if ("taken" in result) return result.taken;
    if ("again" in result) continue;
    if (holder.now() >= until) throw new StateLocked(result.heldBy);
    request.waiting?.(result.heldBy);
    const ms = Math.min(pauseMs, Math.max(1, until - holder.now()));
    await sleepUnless(request.signal, () => holder.sleep(ms));
  }
}
