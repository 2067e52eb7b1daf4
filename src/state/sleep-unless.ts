/** Sleeps, or less when the signal is aborted meanwhile. */
export async function sleepUnless(signal: AbortSignal | undefined, sleep: () => Promise<void>): Promise<void> {
  if (signal === undefined) return sleep();
  if (signal.aborted) return;
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  signal.addEventListener("abort", stop);
  try {
    await Promise.race([sleep(), stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
