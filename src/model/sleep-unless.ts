/** Sleeps, or less when the signal is aborted meanwhile. */
export function sleepUnless(signal: AbortSignal | undefined, sleep: () => Promise<void>): Promise<void> {
  if (signal === undefined) return sleep();
  if (signal.aborted) return Promise.resolve();
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  signal.addEventListener("abort", stop);
  return Promise.race([sleep(), stopped]).finally(() => signal.removeEventListener("abort", stop));
}

/** A wait was given up before its time was over. */
export class WaitStopped extends Error {
  override readonly name = "WaitStopped";
}
