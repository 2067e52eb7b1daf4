/** How many files are worked on at the same time. */
const size = 32;

/** Does something with every item, a few at a time: thousands of open files would be too many. */
export async function inBatches<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items][Symbol.iterator]();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: size }, worker));
}
