/**
 * Group commit: calls made while a write is under way wait and go out together in the next one.
 * Each call resolves when its own items are written, and rejects when that write failed.
 * `gather` is a pause before each write, for stores whose writes cost more than a short wait.
 */
export function inBatches<T>(
  write: (items: readonly T[]) => Promise<void>,
  gather?: () => Promise<void>,
): (items: readonly T[]) => Promise<void> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let current: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await current.catch(() => undefined);
    await gather?.();
    const items = waiting;
    waiting = [];
    next = undefined;
    current = write(items);
    await current;
  };
  return (items) => {
    waiting.push(...items);
    next ??= flush();
    return next;
  };
}
