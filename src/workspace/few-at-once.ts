import { setTimeout } from "node:timers/promises";

/** As long as the process has no file descriptor left: one of its own is free in a moment. */
const [tries, waitMs] = [100, 20];

/** Does something that takes a file descriptor; while there is none left, it waits for one. */
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

/** A function that does at most so many things at once; what is asked for beyond waits for its turn. */
export function fewAtOnce(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let running = 0;
  const leave = () => {
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
      leave();
    }
  };
}
