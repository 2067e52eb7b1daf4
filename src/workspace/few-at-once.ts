import { setTimeout } from "node:timers/promises";

/** Patience while the process has no file descriptor left: one of its own is free in a moment. */
const [tries, waitMs] = [100, 20];

/** Does something that needs a file descriptor; while none is free, it waits for one. */
export async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await work();
    } catch (problem) {
      const { code } = problem as NodeJS.ErrnoException;
      if ((code !== "EMFILE" && code !== "ENFILE") || tried === tries) throw problem;
      await setTimeout(waitMs);
    }
}

/** A function that does at most so many things at once; further work waits for its turn. */
export function fewAtOnce(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let running = 0;
  const release = () => {
    const [next] = waiting;
    if (next === undefined) running--;
    else {
      waiting.delete(next);
      next();
    }
  };
  return async (work) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.add(resolve));
    try {
      return await work();
    } finally {
      release();
    }
  };
}

/** Does something with every item, 32 at a time: thousands of open files would be too many. */
export async function forEachFew<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const limited = fewAtOnce(32);
  await Promise.all([...items].map((item) => limited(() => work(item))));
}
